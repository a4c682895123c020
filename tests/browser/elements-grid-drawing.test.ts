/** What `<blob-grid>` draws, in Chromium: shapes and colours of cells, on the screen and on paper, and when it draws. */
import 'blobcheck/elements'
import type { BlobGridElement, CellState } from 'blobcheck/elements'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import {
  canvasOf,
  doubleText,
  drawn,
  forbidInlineStyles,
  inside,
  onPaper,
  pixels,
  place,
} from '../support/elements.ts'

const STATES: readonly CellState[] = ['waiting', 'valid', 'rebuilt', 'refused', 'missing']

let refused: readonly string[]
beforeAll(() => {
  refused = forbidInlineStyles()
})

function make(blobs: number, columns: number, width?: number): BlobGridElement {
  const grid = place('blob-grid', width)
  grid.columns = columns
  grid.blobs = blobs
  return grid
}

/** A row has a state for some columns, so that a part in the middle of these has nothing else in it. */
async function shapesOf(
  columns: number,
  width: number,
): Promise<{ readonly shapes: string[]; readonly colours: ReadonlySet<string>[] }> {
  const grid = make(STATES.length, columns, width)
  STATES.forEach((state, blob) => {
    for (let column = 0; column < columns; column++) grid.cell(blob, column, state)
  })
  await drawn()
  const canvas = canvasOf(grid)
  const margin = Math.ceil(3 * devicePixelRatio)
  const row = (canvas.height - 2 * margin) / STATES.length
  const cell = Math.ceil((canvas.width - 2 * margin) / columns)
  const seen = STATES.map((_, blob) =>
    pixels(canvas, { x: margin, y: margin + blob * row, width: cell, height: row }),
  )
  return { shapes: seen.map(({ shape }) => shape), colours: seen.map(({ colours }) => colours) }
}

describe('the drawing', () => {
  it.each([
    ['wide cells', 16, 900],
    ['narrow cells', 128, 900],
    ['128 columns on a phone', 128, 330],
  ])('has a shape for each state: %s', async (_, columns, width) => {
    const { shapes, colours } = await shapesOf(columns, width)
    expect(new Set(shapes).size).toBe(STATES.length)
    for (const shape of shapes) expect(shape).toContain('#')
    expect(colours[STATES.indexOf('valid')]).not.toEqual(colours[STATES.indexOf('refused')])
  })

  it('takes the colours of a page', async () => {
    const grid = make(1, 8)
    grid.style.setProperty('--blobcheck-valid', 'rgb(1, 2, 3)')
    grid.fill('valid')
    await drawn()
    const canvas = canvasOf(grid)
    const all = { x: 0, y: 0, width: canvas.width, height: canvas.height }
    expect([...pixels(canvas, all).colours]).toEqual(['1,2,3'])
  })

  it('has no colours but those that are forced, and still a shape for each state', async () => {
    const session = cdp() as unknown as { send(method: string, params: object): Promise<void> }
    const set = (value: string): Promise<void> =>
      session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] })
    await set('active')
    onTestFinished(async () => await set('none'))
    expect(matchMedia('(forced-colors: active)').matches).toBe(true)
    const { shapes, colours } = await shapesOf(128, 330)
    expect(new Set(shapes).size).toBe(STATES.length)
    expect(new Set(colours.flatMap((one) => [...one])).size).toBe(1)
  })

  it('has the colours of paper when the page is printed, which waits for no frame', async () => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('@media print { blob-grid { --blobcheck-valid: rgb(1, 2, 3) } }')
    document.adoptedStyleSheets.push(sheet)
    onTestFinished(() => void document.adoptedStyleSheets.pop())
    const grid = make(1, 8)
    grid.fill('valid')
    await drawn()
    const canvas = canvasOf(grid)
    const coloursNow = (): string[] => [
      ...pixels(canvas, { x: 0, y: 0, width: canvas.width, height: canvas.height }).colours,
    ]
    const before = coloursNow()
    expect(before).not.toEqual(['1,2,3'])
    vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(1)
    onTestFinished(() => void vi.restoreAllMocks())
    const printed = new Promise<string[]>((resolve) =>
      // After the grid's own: it listens for longer.
      matchMedia('print').addEventListener('change', () => resolve(coloursNow()), { once: true }),
    )
    await onPaper()
    expect(await printed).toEqual(['1,2,3'])
  })

  it('parts data from parity', async () => {
    const grid = make(1, 8, 800)
    grid.fill('valid')
    await drawn()
    const canvas = canvasOf(grid)
    const { shape } = pixels(canvas, { x: 0, y: canvas.height >> 1, width: canvas.width, height: 1 })
    const gaps = [...shape.matchAll(/(?<=#)\.+(?=#)/g)].map(([gap]) => gap.length)
    expect(gaps).toHaveLength(7)
    expect(gaps[3]).toBeGreaterThan(2 * Math.max(...gaps.filter((_, at) => at !== 3)))
  })

  it('is made once in a frame, however many cells change', async () => {
    const grid = make(64, 128)
    await drawn()
    const frames = vi.spyOn(globalThis, 'requestAnimationFrame')
    const clears = vi.spyOn(CanvasRenderingContext2D.prototype, 'clearRect')
    onTestFinished(() => void vi.restoreAllMocks())
    for (let blob = 0; blob < 64; blob++)
      for (let column = 0; column < 128; column++) grid.cell(blob, column, 'valid')
    expect(frames).toHaveBeenCalledTimes(1)
    expect(clears).not.toHaveBeenCalled()
    await drawn()
    expect(clears).toHaveBeenCalledTimes(1)
    expect(inside(grid, '[role=grid]').getAttribute('aria-label')).toContain('8192 valid')
  })

  it('is made anew of the cells alone that changed', async () => {
    const grid = make(64, 128)
    await drawn()
    const boxes = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillRect')
    onTestFinished(() => void vi.restoreAllMocks())
    grid.cell(63, 127, 'valid')
    grid.cell(0, 5, 'waiting')
    grid.cell(7, 64, 'valid')
    await drawn()
    expect(boxes).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['wide cells', 8, 16, 400],
    ['narrow cells', 40, 128, 400],
    ['more columns than pixels', 6, 1024, 330],
  ])('is the same in parts as at once: %s', async (_, blobs, columns, width) => {
    const [whole, parts] = [make(blobs, columns, width), make(blobs, columns, width)]
    // What is drawn twice in one place would show.
    for (const grid of [whole, parts]) grid.style.setProperty('--blobcheck-ink', 'rgb(0 0 0 / 50%)')
    await drawn()
    for (let turn = 0; turn < 12; turn++) {
      for (const grid of [whole, parts]) {
        for (let at = 0; at < 20; at++)
          grid.cell((at * 7 + turn) % blobs, (at * 13 + turn * 5) % columns, STATES[(at + turn) % 5]!)
        grid.select((turn * 3) % blobs, turn % 2 === 0 ? columns - 1 - turn : turn)
      }
      await drawn()
    }
    // Another width is a reason to draw all of it.
    whole.style.width = '200px'
    await drawn()
    whole.style.width = `${width}px`
    await drawn()
    expect(canvasOf(parts).toDataURL() === canvasOf(whole).toDataURL()).toBe(true)
  })

  it('lies below its headings also where a page is read from right to left', async () => {
    const grid = make(1, 8, 400)
    grid.dir = 'rtl'
    grid.cell(0, 0, 'valid')
    await drawn()
    const { width } = canvasOf(grid)
    const half = { y: 0, width: width >> 1, height: canvasOf(grid).height }
    const green = [{ x: 0 }, { x: width >> 1 }].map(({ x }) => pixels(canvasOf(grid), { x, ...half }).colours)
    // Data, with the cell that is valid, has one colour more.
    expect(green[0]!.size).toBeGreaterThan(green[1]!.size)
    const headings = [...grid.shadowRoot!.querySelectorAll('.halves span')].map((heading) => [
      heading.textContent,
      heading.getBoundingClientRect().left,
    ])
    expect(headings.sort(([, one], [, other]) => Number(one) - Number(other)).map(([text]) => text)).toEqual([
      'data: columns 0 to 3',
      'parity: 4 to 7',
    ])
  })

  it('has headings that can be read as a whole, also where text is large', () => {
    const grid = make(6, 128, 300)
    doubleText()
    for (const heading of grid.shadowRoot!.querySelectorAll<HTMLElement>('.halves span'))
      expect(heading.scrollWidth).toBeLessThanOrEqual(heading.clientWidth)
  })

  it('follows the size of its place, pixel for pixel', async () => {
    const grid = make(4, 128, 900)
    await drawn()
    grid.style.width = '400px'
    await drawn()
    await drawn()
    const canvas = canvasOf(grid)
    expect(canvas.width).toBe(Math.round(canvas.getBoundingClientRect().width * devicePixelRatio))
    expect(canvas.getBoundingClientRect().width).toBeLessThan(420)
  })
})

it('has no inline style, in a page that forbids them', async () => {
  const grid = make(4, 128)
  await drawn()
  expect(refused).toEqual([])
  expect(grid.shadowRoot!.querySelectorAll('[style], style, link')).toHaveLength(0)
  expect(getComputedStyle(canvasOf(grid)).display).toBe('block')
  // The page does forbid them.
  document.body.append(document.createElement('style'))
  document.querySelector('style:last-of-type')!.textContent = 'p { color: red }'
  await vi.waitFor(() => expect(refused.length).toBeGreaterThan(0))
})
