/** `<blob-grid>` in Chromium: what is drawn, what keys and the pointer do, and what screen readers are told. */
import { BlobGridElement, type CellSelection, type CellState } from 'blobcheck/elements'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import {
  canvasOf,
  doubleText,
  drawn,
  forbidInlineStyles,
  inside,
  onPaper,
  pixels,
  place,
  press,
} from '../support/elements.ts'

const STATES: readonly CellState[] = ['waiting', 'valid', 'rebuilt', 'refused', 'missing']

/** Not in place: Vite would take it for a glob. */
const here: string = import.meta.url

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

/** What the page is told of while something is done, and at the end of its turn. */
async function errorsOf(does: () => void): Promise<unknown[]> {
  const told: unknown[] = []
  const listen = (event: ErrorEvent): void => {
    event.stopImmediatePropagation()
    event.preventDefault()
    told.push(event.error)
  }
  addEventListener('error', listen, { capture: true })
  does()
  await drawn()
  removeEventListener('error', listen, { capture: true })
  return told
}

/** What the grid fires from now on. */
function selections(grid: HTMLElement): CellSelection[] {
  const seen: CellSelection[] = []
  const listen = ({ detail }: CustomEvent<CellSelection>): number => seen.push(detail)
  grid.parentElement!.addEventListener('cellselect', listen)
  onTestFinished(() => grid.parentElement?.removeEventListener('cellselect', listen))
  return seen
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

describe('cells', () => {
  it('wait at first, and are counted', () => {
    const grid = make(2, 8)
    expect(grid.counts).toEqual({ waiting: 16, valid: 0, rebuilt: 0, refused: 0, missing: 0 })
    grid.cell(1, 7, 'valid')
    grid.cell(1, 7, 'refused')
    expect(grid.stateOf(1, 7)).toBe('refused')
    expect(grid.counts).toEqual({ waiting: 15, valid: 0, rebuilt: 0, refused: 1, missing: 0 })
    grid.fill('rebuilt')
    expect(grid.counts).toEqual({ waiting: 0, valid: 0, rebuilt: 16, refused: 0, missing: 0 })
  })

  it.each([
    [-1, 0],
    [2, 0],
    [0, 8],
    [0, -1],
    [0.5, 0],
    [0, NaN],
  ])('are not at %d, %d', (blob, column) => {
    const grid = make(2, 8)
    expect(() => grid.cell(blob, column, 'valid')).toThrow(RangeError)
    expect(() => grid.stateOf(blob, column)).toThrow(RangeError)
    expect(() => grid.select(blob, column)).toThrow(RangeError)
    expect(grid.counts.waiting).toBe(16)
  })

  it('are of no other state', () => {
    const grid = make(2, 8)
    expect(() => grid.cell(0, 0, 'good' as CellState)).toThrow(TypeError)
    expect(() => grid.fill('good' as CellState)).toThrow(TypeError)
    expect(grid.counts.waiting).toBe(16)
  })
})

describe('attributes', () => {
  it('are properties, too', () => {
    const grid = place('blob-grid')
    expect([grid.blobs, grid.columns]).toEqual([0, 128])
    grid.setAttribute('blobs', '6')
    grid.setAttribute('columns', '64')
    expect([grid.blobs, grid.columns]).toEqual([6, 64])
    grid.blobs = 3
    expect(grid.getAttribute('blobs')).toBe('3')
    grid.setAttribute('blobs', 'many')
    grid.removeAttribute('columns')
    expect([grid.blobs, grid.columns]).toEqual([0, 128])
  })

  it.each([-1, 1.5, 4097, NaN])('of %d blobs or columns are refused as properties', (count) => {
    const grid = make(2, 8)
    expect(() => (grid.blobs = count)).toThrow(RangeError)
    expect(() => (grid.columns = count)).toThrow(RangeError)
    expect(() => (grid.columns = 0)).toThrow(RangeError)
    expect([grid.blobs, grid.columns]).toEqual([2, 8])
  })

  it('of more than 524,288 cells together have 128 columns, whether attributes or properties', async () => {
    const grid = make(4096, 128)
    grid.setAttribute('columns', '4096')
    expect([grid.blobs, grid.columns]).toEqual([4096, 128])
    grid.setAttribute('blobs', '128')
    expect([grid.blobs, grid.columns]).toEqual([128, 4096])
    const told = await errorsOf(() => {
      grid.blobs = 129
      expect([grid.blobs, grid.columns]).toEqual([129, 128])
      grid.columns = 4096
      grid.columns = 4096
    })
    // Once, however often they were set.
    expect(told).toEqual([new RangeError('a grid has at most 524288 cells, not 129 times 4096')])
    expect([grid.blobs, grid.columns]).toEqual([129, 128])
    await drawn()
    expect(inside(grid, '[role=grid]').getAttribute('aria-label')).toContain('129 blobs of 128 columns')
  })

  it.each([
    ['blobs first', ['blobs', 'columns']],
    ['columns first', ['columns', 'blobs']],
  ] as const)('are set one after the other, as frameworks do, whatever is between: %s', async (_, order) => {
    const grid = make(100, 4096)
    const sizes = [
      { blobs: 4096, columns: 128 },
      { blobs: 100, columns: 4096 },
    ]
    for (const size of sizes) {
      const told = await errorsOf(() => {
        for (const name of order) grid[name] = size[name]
      })
      expect(told).toEqual([])
      expect({ blobs: grid.blobs, columns: grid.columns }).toEqual(size)
    }
  })

  it('are digits as properties, too, and their defaults where a framework assigns nothing', () => {
    const grid = make(2, 8)
    grid.blobs = '6'
    grid.columns = '64'
    expect([grid.blobs, grid.columns]).toEqual([6, 64])
    grid.blobs = undefined
    grid.columns = null
    expect([grid.blobs, grid.columns]).toEqual([0, 128])
    expect([grid.getAttribute('blobs'), grid.getAttribute('columns')]).toEqual(['0', '128'])
    for (const text of ['many', '', ' 6', '4097', '1.5', '-1']) {
      expect(() => (grid.blobs = text)).toThrow(RangeError)
      expect(() => (grid.columns = text)).toThrow(RangeError)
    }
    expect([grid.blobs, grid.columns]).toEqual([0, 128])
  })

  it('that stay as they are leave the cells, others empty them', () => {
    const grid = make(2, 8)
    grid.fill('valid')
    grid.blobs = 2
    expect(grid.counts.valid).toBe(16)
    grid.blobs = 3
    expect(grid.counts).toMatchObject({ valid: 0, waiting: 24 })
  })

  it('that were set before the definition count', () => {
    // The element as it is before it is upgraded: its own properties hide those of the class.
    const grid = document.createElement('blob-grid')
    Object.defineProperty(grid, 'blobs', { value: 5, configurable: true, writable: true, enumerable: true })
    document.body.append(grid)
    onTestFinished(() => grid.remove())
    expect(Object.hasOwn(grid, 'blobs')).toBe(false)
    expect(grid.counts.waiting).toBe(5 * 128)
  })
})

describe('a wrong property that was set before the definition', () => {
  /** Puts an element into the page as it is before it is upgraded, and returns what the page is told of it. */
  async function connect(
    element: HTMLElement,
    properties: Readonly<Record<string, unknown>>,
  ): Promise<unknown[]> {
    for (const [name, value] of Object.entries(properties))
      Object.defineProperty(element, name, { value, configurable: true, writable: true, enumerable: true })
    onTestFinished(() => element.remove())
    return await errorsOf(() => document.body.append(element))
  }

  it.each([
    [{ blobs: NaN, columns: 32 }, 0, 32],
    [{ blobs: 2, columns: 0 }, 2, 128],
  ])('is told once, and the grid shows the others: %o', async (properties, blobs, columns) => {
    const grid = document.createElement('blob-grid')
    expect(await connect(grid, properties)).toEqual([expect.any(RangeError)])
    expect([grid.blobs, grid.columns]).toEqual([blobs, columns])
    await drawn()
    expect(canvasOf(grid).height).toBeGreaterThan(0)
    grid.blobs = 3
    await drawn()
    expect(inside(grid, '[role=grid]').getAttribute('aria-label')).toContain(`3 blobs of ${columns} columns`)
  })

  it('is told once where both together are too many cells, until they no longer are', async () => {
    const grid = document.createElement('blob-grid')
    expect(await connect(grid, { blobs: 200, columns: 4000 })).toEqual([expect.any(RangeError)])
    expect([grid.blobs, grid.columns]).toEqual([200, 128])
    grid.blobs = 100
    expect([grid.blobs, grid.columns]).toEqual([100, 4000])
  })

  it('leaves a timeline and a chain that work', async () => {
    const timeline = document.createElement('worker-timeline')
    expect(await connect(timeline, { workers: -1 })).toEqual([expect.any(RangeError)])
    timeline.workers = 2
    await drawn()
    expect([timeline.workers, canvasOf(timeline).height > 0]).toEqual([2, true])
    const chain = document.createElement('trust-chain')
    const link = { name: 'proof', title: 'Proof', mark: 'verified', text: 'It holds.' } as const
    expect(await connect(chain, { links: [link, link] })).toEqual([expect.any(TypeError)])
    chain.links = [link]
    expect(inside(chain, '.title').textContent).toBe('Proof')
  })
})

describe('the cursor', () => {
  it('is moved by keys, and tells where it is', () => {
    const grid = make(20, 8)
    grid.cell(1, 7, 'valid')
    const seen = selections(grid)
    const keys = [
      'ArrowRight',
      'ArrowRight',
      'ArrowDown',
      'End',
      'ArrowRight',
      'ArrowUp',
      'Home',
      'ArrowLeft',
    ]
    for (const key of [...keys, 'PageDown', 'PageDown', 'PageDown', 'PageUp'])
      expect(press(grid, key)).toBe(true)
    press(grid, 'Home', { ctrlKey: true })
    press(grid, 'End', { ctrlKey: true })
    expect(seen.map(({ blob, column }) => [blob, column])).toEqual([
      ...[
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 7],
        [1, 7],
        [0, 7],
        [0, 0],
        [0, 0],
      ],
      ...[
        [8, 0],
        [16, 0],
        [19, 0],
        [11, 0],
      ],
      ...[
        [0, 0],
        [19, 7],
      ],
    ])
    expect(seen.map(({ state }) => state).slice(2, 5)).toEqual(['waiting', 'valid', 'valid'])
  })

  it('leaves other keys to the page, and all keys where there are no cells', () => {
    const grid = make(1, 8)
    const seen = selections(grid)
    expect(press(grid, 'Tab')).toBe(false)
    expect(press(grid, 'a')).toBe(false)
    expect(press(grid, 'ArrowLeft', { altKey: true })).toBe(false)
    grid.blobs = 0
    expect(press(grid, 'ArrowRight')).toBe(false)
    expect(seen).toEqual([])
  })

  it('goes where the pointer presses', async () => {
    const grid = make(4, 8, 400)
    grid.cell(2, 6, 'missing')
    await drawn()
    const seen = selections(grid)
    const canvas = canvasOf(grid)
    const { width, height } = canvas.getBoundingClientRect()
    await userEvent.click(canvas, {
      position: { x: (width * 6.5) / 8, y: 3 + ((height - 6) * 2.5) / 4 },
    })
    expect(seen).toEqual([{ blob: 2, column: 6, state: 'missing' }])
    expect(inside(grid, '[part=cursor]').textContent).toBe('Blob 2, column 6 (parity): missing')
  })

  it('is where it was, or at the first cell, for a screen reader that clicks and does not point', async () => {
    const grid = make(4, 8, 400)
    await drawn()
    const seen = selections(grid)
    const click = (part: HTMLElement): void => {
      for (const type of ['mousedown', 'mouseup', 'click'])
        part.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }))
    }
    click(inside(grid, '[role=grid]'))
    expect(seen).toEqual([{ blob: 0, column: 0, state: 'waiting' }])
    expect(inside(grid, '[role=gridcell]').textContent).toBe('Blob 0, column 0 (data): waiting')
    grid.select(2, 3)
    click(inside(grid, '[role=gridcell]'))
    click(canvasOf(grid))
    expect(seen.slice(2).map(({ blob, column }) => [blob, column])).toEqual([
      [2, 3],
      [2, 3],
    ])
    // A press and the click that comes of it are one.
    await userEvent.click(canvasOf(grid), { position: { x: 5, y: 5 } })
    expect(seen).toHaveLength(5)
    grid.blobs = 0
    click(inside(grid, '[role=grid]'))
    expect(seen).toHaveLength(5)
  })

  it('finds no row that has gone, whatever the pointer does before the next frame', async () => {
    const grid = make(6, 8, 400)
    await drawn()
    const canvas = canvasOf(grid)
    const { left, top, height } = canvas.getBoundingClientRect()
    const seen = selections(grid)
    grid.blobs = 2
    for (const type of ['pointermove', 'pointerdown'])
      canvas.dispatchEvent(
        new PointerEvent(type, { clientX: left + 100, clientY: top + height - 5, bubbles: true }),
      )
    expect(seen).toEqual([])
    grid.select(0, 0)
    await drawn()
    expect(inside(grid, '[part=cursor]').textContent).toBe('Blob 0, column 0 (data): waiting')
  })

  it('is drawn', async () => {
    const grid = make(2, 16)
    await drawn()
    const before = canvasOf(grid).toDataURL()
    grid.select(1, 3)
    await drawn()
    expect(canvasOf(grid).toDataURL()).not.toBe(before)
  })
})

describe('screen readers', () => {
  it('are told of the counts, and of the cell at the cursor', async () => {
    const grid = make(2, 8)
    grid.cell(0, 1, 'valid')
    grid.select(0, 1)
    await drawn()
    const name = 'Cells: 2 blobs of 8 columns. 15 waiting, 1 valid'
    expect(page.getByRole('grid', { name, exact: true }).elements()).toHaveLength(1)
    const control = inside(grid, '[role=grid]')
    const cell = grid.shadowRoot!.getElementById(control.getAttribute('aria-activedescendant')!)
    expect(cell?.textContent).toBe('Blob 0, column 1 (data): valid')
    expect(cell?.parentElement?.getAttribute('aria-rowindex')).toBe('1')
    grid.cell(0, 1, 'refused')
    await drawn()
    expect(cell?.textContent).toBe('Blob 0, column 1 (data): refused')
  })

  it('are told of a grid without blobs', () => {
    place('blob-grid')
    expect(page.getByRole('grid', { name: 'Cells: no blobs yet', exact: true }).elements()).toHaveLength(1)
  })
})

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

it('may be defined twice', async () => {
  const again = new URL('../../dist/elements/blob-grid/index.js?again', here).href
  const { BlobGridElement: defined } = (await import(/* @vite-ignore */ again)) as {
    BlobGridElement: unknown
  }
  expect(typeof defined).toBe('function')
  expect(customElements.get('blob-grid')).toBe(BlobGridElement)
})
