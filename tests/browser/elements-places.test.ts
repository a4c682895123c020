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

/** Where the widest thing on a canvas is that is drawn without a gap: its first pixel, and the one after its last. */
function longestBar(canvas: HTMLCanvasElement): readonly [number, number] {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
  let longest: readonly [number, number] = [0, 0]
  // Not the rules below the lanes, which are light.
  const isDrawn = (at: number): boolean => data[4 * at + 3]! > 200 && data[4 * at]! < 180
  for (let row = 0; row < height; row++)
    for (let from = 0, to = 0; to <= width; to++) {
      if (to < width && isDrawn(row * width + to)) continue
      if (to - from > longest[1] - longest[0]) longest = [from, to]
      from = to + 1
    }
  return longest
}

describe('a page that is scaled', () => {
  const scales = [
    { transform: 'scale(.5)', transformOrigin: '0 0' },
    { transform: 'scale(2)', transformOrigin: '0 0' },
    { zoom: '.5' },
    { zoom: '2' },
  ]

  it.each(scales)('has the line of a timeline where the pointer presses: %o', async (style) => {
    const timeline = inBox('worker-timeline', {
      width: '600px',
      ...style,
    }) as HTMLElementTagNameMap['worker-timeline']
    timeline.add({ stage: 'kzg', items: [], worker: 0, start: 0, end: 100 })
    await drawn()
    const canvas = canvasOf(timeline)
    canvas.setPointerCapture = () => {}
    const { left, top, width } = canvas.getBoundingClientRect()
    const seen: number[] = []
    timeline.addEventListener('scrub', ({ detail }) => seen.push(detail.ms))
    const [from, to] = longestBar(canvas)
    for (const part of [0.25, 0.5, 0.75]) {
      const x = (from + part * (to - from)) / canvas.width
      canvas.dispatchEvent(new PointerEvent('pointerdown', { clientX: left + x * width, clientY: top + 2 }))
    }
    expect(seen.map((ms) => Math.round(ms))).toEqual([25, 50, 75])
  })

  it.each(DRAWN)('has a canvas of the pixels of the screen: %s', async (name) => {
    const canvas = canvasOf(inBox(name, { width: '300px', zoom: '2' }))
    await drawn()
    expect(Math.abs(canvas.width - canvas.getBoundingClientRect().width * devicePixelRatio)).toBeLessThan(1)
  })
})

describe('the keys of a grid', () => {
  function press(grid: HTMLElement, key: string): void {
    inside(grid, '[role=grid]').dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true }))
  }

  it('bring the cell of the cursor into view, and a pointer scrolls nothing', async () => {
    const box = { width: '400px', height: '200px', overflow: 'auto' }
    const grid = inBox('blob-grid', box) as HTMLElementTagNameMap['blob-grid']
    grid.blobs = 64
    await drawn()
    const { parentElement: scroller } = grid
    press(grid, 'End')
    const canvas = canvasOf(grid).getBoundingClientRect()
    const shown = scroller!.getBoundingClientRect()
    expect(canvas.bottom).toBeGreaterThan(shown.top)
    expect(canvas.bottom - 4).toBeLessThan(shown.bottom)
    press(grid, 'Home')
    const { scrollTop } = scroller!
    expect(canvasOf(grid).getBoundingClientRect().top + 4).toBeGreaterThan(shown.top)
    grid.select(63, 127)
    expect(scroller!.scrollTop).toBe(scrollTop)
  })

  it('scroll a page that is wider than its window to the side', async () => {
    const grid = inBox('blob-grid', { width: '400px', overflow: 'auto' })
    grid.style.width = '3000px'
    grid.setAttribute('blobs', '2')
    await drawn()
    press(grid, 'End')
    expect(grid.parentElement!.scrollLeft).toBeGreaterThan(2000)
  })
})

it.each([
  ['blob-grid', '[role=grid]', 'Cells: no blobs yet'],
  ['worker-timeline', '[role=slider]', 'Time'],
  ['trust-chain', 'ol', 'Chain of trust'],
] as const)('has the name before its own that the page gives it: %s', (name, selector, own) => {
  const element = place(name)
  const named = (): string | null => inside(element, selector).getAttribute('aria-label')
  expect(named()).toBe(own)
  element.setAttribute('aria-label', 'Block A')
  expect(named()).toBe(`Block A. ${own}`)
  element.setAttribute('aria-label', ' ')
  expect(named()).toBe(own)
})

it.each([
  ['blob-grid', '[part=cursor]'],
  ['worker-timeline', '[part=readout]'],
  ['trust-chain', '.empty'],
] as const)('says that its own words are English: %s', (name, selector) => {
  expect(inside(place(name), selector).closest('[lang]')!.getAttribute('lang')).toBe('en')
})

it.each(['blob-grid', 'trust-chain', 'worker-timeline'] as const)(
  'works where nothing is drawn and there are no sheets, as in jsdom: %s',
  async (name) => {
    vi.spyOn(ShadowRoot.prototype, 'adoptedStyleSheets', 'get').mockReturnValue(undefined as never)
    vi.stubGlobal('ResizeObserver', undefined)
    onTestFinished(() => {
      vi.restoreAllMocks()
      vi.unstubAllGlobals()
    })
    const element = place(name)
    if ('fill' in element) {
      element.blobs = 2
      element.fill('valid')
      expect(element.counts.valid).toBe(256)
    }
    if ('add' in element) element.add({ stage: 'kzg', items: [], worker: 0, start: 0, end: 1 })
    if ('links' in element) element.links = [{ name: 'a', title: 'A', mark: 'verified', text: 'It holds.' }]
    await drawn()
    element.remove()
  },
)

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
