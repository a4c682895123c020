/**
 * The official vectors through the prover's modules, as they are built: `null` is a thrown code. The functions are also
 * made of their parts, as workers share them.
 */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { instance as simd128 } from '../../wasm/prover_simd128.js'
import { instance as relaxed } from '../../wasm/prover_relaxed_simd.js'
import { fromHex, toHex } from '../support/bytes.ts'
import { mustHaveRelaxed } from '../support/kernels.ts'
import { listCases, readCase } from '../support/cases.ts'

type Hex = `0x${string}`
type Prover = typeof simd128
type Answer = Hex | readonly Hex[] | readonly (readonly Hex[])[]

interface Input {
  readonly blob: Hex
  readonly z: Hex
  readonly commitment: Hex
  readonly cell_indices: readonly number[]
  readonly cells: readonly Hex[]
}

const [CELLS, CELL, PROOF] = [128, 2048, 48]

const slices = (bytes: Uint8Array, length: number): Hex[] =>
  Array.from({ length: bytes.length / length }, (_, i) => toHex(bytes.subarray(i * length, (i + 1) * length)))

/** Cells ‖ proofs, as the vectors write them. */
const cellsAndProofs = (bytes: Uint8Array): Hex[][] => [
  slices(bytes.subarray(0, CELLS * CELL), CELL),
  slices(bytes.subarray(CELLS * CELL), PROOF),
]

const lists = ({ cell_indices, cells }: Input): [Uint32Array, Uint8Array, Uint32Array] => {
  const bytes = cells.map(fromHex)
  return [
    Uint32Array.from(cell_indices),
    Uint8Array.from(Buffer.concat(bytes)),
    Uint32Array.from(bytes, ({ length }) => length),
  ]
}

const functions: Record<string, (prover: Prover, input: Input) => Answer> = {
  blob_to_kzg_commitment: (prover, { blob }) => toHex(prover.blobToKzgCommitment(fromHex(blob))),
  compute_kzg_proof: (prover, { blob, z }) => {
    const bytes = prover.computeKzgProof(fromHex(blob), fromHex(z))
    return [toHex(bytes.subarray(0, PROOF)), toHex(bytes.subarray(PROOF))]
  },
  compute_blob_kzg_proof: (prover, { blob, commitment }) =>
    toHex(prover.computeBlobKzgProof(fromHex(blob), fromHex(commitment))),
  compute_cells: (prover, { blob }) => slices(prover.computeCells(fromHex(blob)), CELL),
  compute_cells_and_kzg_proofs: (prover, { blob }) =>
    cellsAndProofs(prover.computeCellsAndKzgProofs(fromHex(blob))),
  recover_cells_and_kzg_proofs: (prover, input) =>
    cellsAndProofs(prover.recoverCellsAndKzgProofs(...lists(input))),
}

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

const provers: [string, Prover][] = [['simd128', await load(simd128, 'simd128')]]
if (mustHaveRelaxed) provers.push(['relaxed-simd', await load(relaxed, 'relaxed_simd')])

describe('official vectors through the prover', () => {
  for (const [kernel, prover] of provers) {
    for (const [name, run] of Object.entries(functions)) {
      describe(`${name} on ${kernel}`, async () => {
        for (const which of await listCases(name)) {
          it(which, async () => {
            const { input, output } = await readCase<Input, Answer>(name, which)
            if (output !== null) return void expect(run(prover, input)).toEqual(output)
            const thrown = caught(() => run(prover, input))
            expect(prover.reasonName(Number(thrown) % 256)).not.toBe('')
          })
        }
      })
    }
  }
})

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
