/**
 * The official vectors through `blobcheck/prover`: all of them on every kernel in the calling thread; through workers, where the same code
 * computes, what is refused and two of each function that are not.
 */
import { type AsyncProver, KzgInputError, type Prover } from 'blobcheck/prover'
import { afterAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { disposeAll, openProver, proversHere } from '../support/provers.ts'
import { listCases, readCase } from '../support/cases.ts'

type Hex = `0x${string}`
type Form = (value: Hex) => Uint8Array | Hex

interface Inputs {
  blob_to_kzg_commitment: { blob: Hex }
  compute_kzg_proof: { blob: Hex; z: Hex }
  compute_blob_kzg_proof: { blob: Hex; commitment: Hex }
  compute_cells: { blob: Hex }
  compute_cells_and_kzg_proofs: { blob: Hex }
  recover_cells_and_kzg_proofs: { cell_indices: number[]; cells: Hex[] }
  /** The same cases, for the function that leaves the proofs out. */
  recover_cells: { cell_indices: number[]; cells: Hex[] }
}

type Written = Hex | Written[]

/** What has been answered, as the vectors write it: objects are pairs there. */
function written(answer: unknown): Written {
  if (answer instanceof Uint8Array) return toHex(answer)
  return Object.values(answer as object).map(written)
}

type Either = Prover | AsyncProver
type Run<Name extends keyof Inputs> = (prover: Either, input: Inputs[Name], form: Form) => unknown

const functions: { [name in keyof Inputs]: Run<name> } = {
  blob_to_kzg_commitment: (prover, { blob }, form) => prover.blobToKzgCommitment(form(blob)),
  compute_kzg_proof: (prover, { blob, z }, form) => prover.computeKzgProof(form(blob), form(z)),
  compute_blob_kzg_proof: (prover, { blob, commitment }, form) =>
    prover.computeBlobKzgProof(form(blob), form(commitment)),
  compute_cells: (prover, { blob }, form) => prover.computeCells(form(blob)),
  compute_cells_and_kzg_proofs: (prover, { blob }, form) => prover.computeCellsAndKzgProofs(form(blob)),
  recover_cells_and_kzg_proofs: (prover, { cell_indices, cells }, form) =>
    prover.recoverCellsAndKzgProofs(cell_indices, cells.map(form)),
  recover_cells: (prover, { cell_indices, cells }, form) =>
    prover.recoverCells(cell_indices, cells.map(form)),
}

afterAll(disposeAll)

describe('official vectors of the prover', async () => {
  const here = await proversHere()
  const provers: { name: string; prover: Either; form: Form; proofs: number }[] = [
    ...here.map((prover, at) => ({
      ...prover,
      form: at === 0 ? fromHex : (hex: Hex) => hex,
      proofs: Number.POSITIVE_INFINITY,
    })),
    { name: 'two workers', prover: await openProver({ workers: 2 }), form: fromHex, proofs: 2 },
  ]
  for (const { name: where, prover, form, proofs } of provers) {
    for (const name of Object.keys(functions) as (keyof Inputs)[]) {
      const run = functions[name] as Run<keyof Inputs>
      const folder = name === 'recover_cells' ? 'recover_cells_and_kzg_proofs' : name
      describe(`${name}, ${where}`, async () => {
        let left = proofs
        for (const which of await listCases(folder)) {
          if (!which.includes('invalid') && left-- <= 0) continue
          it(which, async () => {
            const { input, output } = await readCase<Inputs[typeof name], Written[]>(folder, which)
            const call = async (): Promise<unknown> => await run(prover, input as never, form)
            if (output === null) await expect(call()).rejects.toThrow(KzgInputError)
            else expect(written(await call())).toEqual(name === 'recover_cells' ? output[0] : output)
          })
        }
      })
    }
  }
})
