/** Where the items of a file lie in the grid of the demo page. */
import { describe, expect, it } from 'vitest'
import type { ItemView } from '../../../web-demo/src/panels/file/item.ts'
import { layOut } from '../../../web-demo/src/panels/file/layout.ts'

const view = (index: number, rows: number, slot = '1'): ItemView => ({
  block: { slot, header: null, root: '0x' },
  ...{ index, rows, columns: index < 128 ? [index, index + 1] : [0, 0] },
  cell: () => null,
})

describe('the layout of a file', () => {
  it('gives a cell to the first item that brings it, and columns of one block the same rows', () => {
    const layout = layOut([view(5, 3), view(4095, 3), view(5, 2), view(7, 3), view(5, 2, '2')], true)
    expect(layout).toMatchObject({ rows: 5, first: [0, 0, 0, 0, 3] })
    expect([0, 1, 2, 3, 4].map((row) => layout.itemAt(row, 5))).toEqual([0, 0, 0, 4, 4])
    expect(layout.itemAt(2, 7)).toBe(3)
    for (const [row, column] of [
      [3, 7],
      [0, 6],
      [5, 5],
    ] as const)
      expect(layout.itemAt(row, column)).toBeUndefined()
  })

  it('looks at no item again for each of the cells that are asked for', () => {
    let looks = 0
    const views = [...Array(50).fill(4095), 127].map((index: number) => {
      const { columns, ...others } = view(index, 4)
      return Object.defineProperty({ ...others } as ItemView, 'columns', { get: () => (looks++, columns) })
    })
    const layout = layOut(views, true)
    const before = looks
    for (let row = 0; row < 4; row++) expect(layout.itemAt(row, 127)).toBe(50)
    expect(looks).toBe(before)
  })
})
