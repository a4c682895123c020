/** The prover's modules as they are built: which bytes they take for their setup, and the parts of the work, as workers share them. */
import { readFile } from 'node:fs/promises'
import type { TableShape } from 'blobcheck/prover'
import { describe, expect, it } from 'vitest'
import { readPrecompute } from '../../dist/prover/options.js'
import { instance as simd128 } from '../../wasm/prover_simd128.js'
import { instance as relaxed } from '../../wasm/prover_relaxed_simd.js'
import { toHex } from '../support/bytes.ts'
import { mustHaveRelaxed } from '../support/kernels.ts'

type Prover = typeof simd128

const [CELLS, CELL] = [128, 2048]

/** A module with both halves of the setup, which it takes in this order and from the right bytes only. */
async function load(prover: Prover, kernel: string): Promise<Prover> {
  const read = (name: string): Promise<Buffer> => readFile(new URL(`../../wasm/${name}`, import.meta.url))
  prover.initSync({ module: await read(`prover_${kernel}.wasm`) })
  const [blob, extension] = [await read('prover-setup.bin'), await read('prover-setup-extension.bin')]
  expect(prover.readSetupExtension(extension)).toBe(false)
  expect(() => prover.blobToKzgCommitment(new Uint8Array(131_072))).toThrow()
  expect(prover.readSetup(extension)).toBe(false)
  expect(prover.readSetup(blob)).toBe(true)
  expect(prover.readSetupExtension(blob)).toBe(false)
  expect(prover.readSetupExtension(extension)).toBe(true)
  return prover
}

const provers: [string, Prover][] = mustHaveRelaxed
  ? [['relaxed-simd', await load(relaxed, 'relaxed_simd')]]
  : [['simd128', await load(simd128, 'simd128')]]

describe.each(provers)('the parts of the work on %s', (_, prover) => {
  const blob = Uint8Array.from({ length: 131_072 }, (_, i) => (i % 32 === 0 ? i % 113 : i % 251))

  it('join to the whole, with tables and without', () => {
    const whole = prover.computeCellsAndKzgProofs(blob).subarray(CELLS * CELL)
    const parts = (): Buffer =>
      Buffer.concat([prover.computeCellSums(blob, 0, 3), prover.computeCellSums(blob, 3, 16)])
    const sums = parts()
    const proofs = [prover.finishCellProofs(sums, false), prover.finishCellProofs(sums, true)]
    expect(toHex(Buffer.concat(proofs))).toBe(toHex(whole))
    expect(toHex(prover.finishCommitment(sums))).toBe(toHex(prover.blobToKzgCommitment(blob)))
    expect(prover.useTables(0, 4)).toBe(false)
    expect(prover.useTables(129, 12)).toBe(false)
    expect(prover.tableBytes(0, 4)).toBeNaN()
    expect(prover.tableBytes(2, 4)).toBe(2 * 4 * 8192 * 96)
    expect(prover.useTables(1, 4)).toBe(true)
    prover.prepareTable(2)
    expect([1, 2, 16].map((part) => prover.hasTable(part))).toEqual([false, true, false])
    expect(Buffer.compare(parts(), sums)).toBe(0)
    const table = prover.tablePart(3)
    expect(table).toHaveLength(prover.tableBytes(1, 4) / 16)
    expect(prover.tablePart(16)).toHaveLength(0)
    expect(prover.takeTable(3, table)).toBe(true) // there already
    expect(prover.takeTable(16, table)).toBe(false)
  })

  it('take the largest tables that may be asked for, and no larger ones', () => {
    prover.__wbg_reset_state()
    const widths = Array.from({ length: 11 }, (_, at) => at + 2)
    const shapes = widths.flatMap((width) =>
      Array.from({ length: 129 }, (_, at) => ({ rows: at + 1, width })),
    )
    shapes.sort((a, b) => prover.tableBytes(b.rows, b.width) - prover.tableBytes(a.rows, a.width))
    const largest = shapes.findIndex(isTaken)
    expect(largest).toBeGreaterThan(0)
    for (const { rows, width } of shapes.slice(0, largest)) expect(prover.useTables(rows, width)).toBe(false)
    expect(prover.useTables(shapes[largest]!.rows, shapes[largest]!.width)).toBe(true)
  })

  it('refuse sums that are none', () => {
    expect(
      prover.reasonName(Number(caught(() => prover.finishCellProofs(new Uint8Array(1), true))) % 256),
    ).toBe('array-lengths')
  })
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** Whether the option `precompute` can be this. */
function isTaken(shape: TableShape): boolean {
  try {
    return readPrecompute(shape) !== null
  } catch {
    return false
  }
}
