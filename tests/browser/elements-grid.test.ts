/** `<blob-grid>` in Chromium: what keys and the pointer do, and what screen readers are told. */
import { BlobGridElement, type CellSelection, type CellState } from 'blobcheck/elements'
import { describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { canvasOf, drawn, inside, place, press } from '../support/elements.ts'

/** Not in place: Vite would take it for a glob. */
const here: string = import.meta.url

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

it('may be defined twice', async () => {
  const again = new URL('../../dist/elements/blob-grid/index.js?again', here).href
  const { BlobGridElement: defined } = (await import(/* @vite-ignore */ again)) as {
    BlobGridElement: unknown
  }
  expect(typeof defined).toBe('function')
  expect(customElements.get('blob-grid')).toBe(BlobGridElement)
})
