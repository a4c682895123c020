/** The elements where pages put them, in each engine: what screens, boxes, windows and paper there are. */
import 'blobcheck/elements'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { canvasOf, drawn, inside, pixels, place } from '../support/elements.ts'

/** Those that have a canvas. */
const DRAWN = ['blob-grid', 'worker-timeline'] as const

/** A screen that has so many pixels in a CSS pixel, for this test. */
function onScreen(ratio: number): void {
  vi.spyOn(globalThis, 'devicePixelRatio', 'get').mockReturnValue(ratio)
  onTestFinished(() => void vi.restoreAllMocks())
}

/** An element in a box of its own, beside which there may be something else. */
function inBox(
  name: (typeof DRAWN)[number],
  style: Readonly<Partial<Record<string, string>>>,
  ...others: readonly Node[]
): HTMLElement {
  const box = document.createElement('div')
  Object.assign(box.style, style)
  const element = document.createElement(name)
  box.append(element, ...others)
  document.body.append(box)
  onTestFinished(() => box.remove())
  return element
}

describe.each(DRAWN)('a box that takes its width from a %s', (name) => {
  it.each([
    ['max-content', { width: 'max-content' }],
    ['inline-block', { display: 'inline-block' }],
    ['float', { float: 'left' }],
    ['fit-content', { position: 'absolute', width: 'fit-content' }],
    ['table cell', { display: 'table-cell' }],
    ['flex item', { display: 'flex', width: '900px' }],
    ['automatic column', { display: 'grid', gridTemplateColumns: 'auto 1fr', width: '900px' }],
  ])('keeps it, whatever the screen: %s', async (_, style) => {
    onScreen(2)
    const element = inBox(name, style)
    await drawn()
    const { width } = element.getBoundingClientRect()
    expect(width).toBeGreaterThanOrEqual(320)
    expect(width).toBeLessThan(900)
    for (let turn = 0; turn < 3; turn++) {
      await drawn()
      expect(element.getBoundingClientRect().width).toBe(width)
    }
    const canvas = canvasOf(element)
    expect(canvas.width).toBe(Math.round(2 * canvas.getBoundingClientRect().width))
  })

  it.each([
    ['flex item', { display: 'flex', width: '200px' }],
    ['automatic column', { display: 'grid', gridTemplateColumns: 'auto 40px', width: '200px' }],
  ])('is not wider than its place: %s', async (_, style) => {
    onScreen(2)
    const other = document.createElement('div')
    other.style.cssText = 'flex:none;width:40px'
    const element = inBox(name, style, other)
    await drawn()
    expect(element.getBoundingClientRect().width).toBeLessThanOrEqual(160)
  })
})

it('has the same width whatever the line below the timeline says', async () => {
  const timeline = inBox('worker-timeline', {
    width: 'max-content',
  }) as HTMLElementTagNameMap['worker-timeline']
  for (let worker = 0; worker < 8; worker++)
    timeline.add({ stage: 'kzg', items: [], worker, start: 0, end: 10 })
  await drawn()
  const { width } = timeline.getBoundingClientRect()
  timeline
    .shadowRoot!.querySelector('[role=slider]')!
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))
  await drawn()
  expect(timeline.shadowRoot!.querySelector('[part=readout]')!.textContent).toContain('worker 7')
  expect(timeline.getBoundingClientRect().width).toBe(width)
})

it.each(DRAWN)('is drawn by the window that shows it, though its own draws nothing: %s', async (name) => {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  const view = frame.contentWindow as Window & typeof globalThis
  vi.spyOn(view, 'devicePixelRatio', 'get').mockReturnValue(3)
  // What a hidden window does: no frames, and nothing is observed.
  vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(1)
  vi.spyOn(ResizeObserver.prototype, 'observe').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  const element = document.createElement(name)
  view.document.body.append(element)
  await drawn(view)
  const canvas = canvasOf(element)
  expect(canvas.width).toBe(Math.round(3 * canvas.getBoundingClientRect().width))
  const before = canvas.height
  if (name === 'blob-grid') element.setAttribute('blobs', '4')
  else element.setAttribute('workers', '4')
  await drawn(view)
  expect(canvas.height).toBeGreaterThan(before)
})

describe('a page that changes one colour and nothing else', () => {
  it.each(['valid', 'rebuilt', 'refused', 'soft', 'paper'])(
    'is followed by cells and legend: %s',
    async (name) => {
      const grid = place('blob-grid', 400)
      grid.blobs = 5
      grid.columns = 8
      const states = ['valid', 'rebuilt', 'refused', 'missing', 'waiting'] as const
      for (const [blob, state] of states.entries())
        for (let column = 0; column < 8; column++) grid.cell(blob, column, state)
      const legend = [...grid.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.swatch')]
      const pictures = (): string[] => [canvasOf(grid), ...legend].map((canvas) => canvas.toDataURL())
      await drawn()
      const before = pictures()
      grid.style.setProperty(`--blobcheck-${name}`, 'rgb(1, 2, 3)')
      await vi.waitFor(() => expect(pictures()[0]).not.toBe(before[0]))
      expect(pictures().filter((picture, at) => at > 0 && picture !== before[at]).length).toBeGreaterThan(0)
      grid.style.removeProperty(`--blobcheck-${name}`)
      await vi.waitFor(() => expect(pictures()).toEqual(before))
    },
  )

  it('is followed by a timeline, and by a grid that is shown later', async () => {
    const [timeline, grid] = [place('worker-timeline', 400), place('blob-grid', 400)]
    timeline.add({ stage: 'fetch', items: [], worker: null, start: 0, end: 10 })
    grid.blobs = 1
    grid.fill('valid')
    await drawn()
    const heard = vi.fn()
    timeline.addEventListener('transitionend', heard)
    grid.hidden = true
    await drawn()
    for (const element of [timeline, grid])
      for (const name of ['trusted', 'valid'])
        element.style.setProperty(`--blobcheck-${name}`, 'rgb(1, 2, 3)')
    const coloursOf = (element: HTMLElement): ReadonlySet<string> => {
      const { width, height } = canvasOf(element)
      return pixels(canvasOf(element), { x: 0, y: 0, width, height }).colours
    }
    await vi.waitFor(() => expect(coloursOf(timeline)).toContain('1,2,3'))
    // The page hears nothing of how that was noticed.
    expect(heard).not.toHaveBeenCalled()
    grid.hidden = false
    await vi.waitFor(() => expect([...coloursOf(grid)]).toEqual(['1,2,3']))
  })
})

describe('a canvas that would be larger than one can be', () => {
  /** Whether something is drawn near its upper and its lower end. */
  const isDrawn = (canvas: HTMLCanvasElement): boolean[] =>
    [0.01, 0.98].map((share) => {
      const y = Math.floor(share * canvas.height)
      return pixels(canvas, { x: 0, y, width: canvas.width, height: 100 }).shape.includes('#')
    })

  it.each([
    ['on a phone', 320, 4],
    ['on a wide screen', 3000, 2],
  ])('has fewer pixels than the screen, and all that there is: %s', async (_, width, ratio) => {
    onScreen(ratio)
    const [grid, timeline] = [place('blob-grid', width), place('worker-timeline', width)]
    grid.blobs = 4096
    grid.fill('valid')
    timeline.workers = 1024
    for (const worker of [0, 1023]) timeline.add({ stage: 'kzg', items: [], worker, start: 0, end: 10 })
    await drawn()
    for (const canvas of [canvasOf(grid), canvasOf(timeline)]) {
      expect(canvas.height).toBeLessThanOrEqual(32_767)
      expect(canvas.width * canvas.height).toBeLessThanOrEqual(16_777_216)
      // Nor many fewer than there may be.
      expect(Math.max(canvas.height / 32_767, (canvas.width * canvas.height) / 16_777_216)).toBeGreaterThan(
        0.6,
      )
      expect(isDrawn(canvas)).toEqual([true, true])
    }
    const cells = canvasOf(grid).getBoundingClientRect()
    const seen: [number, number][] = []
    grid.addEventListener('cellselect', ({ detail }) => seen.push([detail.blob, detail.column]))
    canvasOf(grid).setPointerCapture = () => {}
    canvasOf(grid).dispatchEvent(
      new PointerEvent('pointerdown', { clientX: cells.right - 5, clientY: cells.bottom - 5, bubbles: true }),
    )
    expect(seen).toEqual([[4095, 127]])
  })
})

it.each([
  ['blob-grid', '[role=grid]'],
  ['worker-timeline', '[role=slider]'],
  ['trust-chain', 'li:last-of-type button'],
] as const)('has the focus where the page gives it to the element: %s', (name, selector) => {
  const element = place(name)
  if ('links' in element)
    element.links = [false, true].map((canBreak, at) => {
      return { name: `${at}`, title: 'Proof', mark: 'verified', text: 'It holds.', canBreak }
    })
  element.focus({ preventScroll: true })
  expect(document.activeElement).toBe(element)
  expect(element.shadowRoot!.activeElement).toBe(inside(element, selector))
})

it('leaves the focus to a chain without buttons that the page can focus', () => {
  const chain = place('trust-chain')
  chain.links = [{ name: 'kzg', title: 'Proof', mark: 'verified', text: 'It holds.' }]
  chain.tabIndex = -1
  chain.focus()
  expect(document.activeElement).toBe(chain)
})
it.each(['blob-grid', 'trust-chain', 'worker-timeline'] as const)(
  'keeps its style in another document, and back in its own: %s',
  (name) => {
    const element = place(name)
    const frame = document.createElement('iframe')
    document.body.append(frame)
    onTestFinished(() => frame.remove())
    const legend = element.shadowRoot!.querySelector('ul, ol')!
    const style = (): readonly string[] => [
      getComputedStyle(element).display,
      getComputedStyle(legend).listStyleType,
    ]
    expect(style()).toEqual(['block', 'none'])
    frame.contentDocument!.body.append(element)
    expect(style()).toEqual(['block', 'none'])
    document.body.append(element)
    expect(style()).toEqual(['block', 'none'])
    // It shares its sheets with the others there: any two of them would be equal.
    const { adoptedStyleSheets: shared } = place(name).shadowRoot!
    const own = element.shadowRoot!.adoptedStyleSheets
    expect(own).toHaveLength(shared.length)
    for (const [index, sheet] of own.entries()) expect(sheet).toBe(shared[index])
  },
)
