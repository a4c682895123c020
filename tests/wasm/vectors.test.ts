/** The official vectors through `blobcheck/kzg`, on every kernel: `null` is a thrown `KzgInputError`, never `false`. */
import { type Kzg, KzgInputError } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { kernelsHere } from '../support/kernels.ts'
import { listCases, readCase } from '../support/cases.ts'

type Hex = `0x${string}`
type Form = (value: Hex) => Uint8Array | Hex

interface Inputs {
  verify_kzg_proof: { commitment: Hex; z: Hex; y: Hex; proof: Hex }
  verify_blob_kzg_proof: { blob: Hex; commitment: Hex; proof: Hex }
  verify_blob_kzg_proof_batch: { blobs: Hex[]; commitments: Hex[]; proofs: Hex[] }
  verify_cell_kzg_proof_batch: { commitments: Hex[]; cell_indices: number[]; cells: Hex[]; proofs: Hex[] }
  compute_challenge: { blob: Hex; commitment: Hex }
  compute_verify_cell_kzg_proof_batch_challenge: {
    commitments: Hex[]
    commitment_indices: number[]
    cell_indices: number[]
    /** Cells, each as its 64 field elements. */
    cosets_evals: Hex[][]
    proofs: Hex[]
  }
  compute_cells: { blob: Hex }
  recover_cells_and_kzg_proofs: { cell_indices: number[]; cells: Hex[] }
}

type Answer = boolean | Uint8Array | Uint8Array[]
type Run<Name extends keyof Inputs> = (kzg: Kzg, input: Inputs[Name], form: Form) => Answer

const join = (parts: readonly Hex[]): Hex => `0x${parts.map((part) => part.slice(2)).join('')}`

const functions: { [name in keyof Inputs]: Run<name> } = {
  verify_kzg_proof: (kzg, { commitment, z, y, proof }, form) =>
    kzg.verifyKzgProof(form(commitment), form(z), form(y), form(proof)),
  verify_blob_kzg_proof: (kzg, { blob, commitment, proof }, form) =>
    kzg.verifyBlobKzgProof(form(blob), form(commitment), form(proof)),
  verify_blob_kzg_proof_batch: (kzg, { blobs, commitments, proofs }, form) =>
    kzg.verifyBlobKzgProofBatch(blobs.map(form), commitments.map(form), proofs.map(form)),
  verify_cell_kzg_proof_batch: (kzg, { commitments, cell_indices, cells, proofs }, form) =>
    kzg.verifyCellKzgProofBatch(commitments.map(form), cell_indices, cells.map(form), proofs.map(form)),
  compute_challenge: (kzg, { blob, commitment }, form) => kzg.computeChallenge(form(blob), form(commitment)),
  compute_verify_cell_kzg_proof_batch_challenge: (kzg, input, form) =>
    kzg.computeVerifyCellKzgProofBatchChallenge(
      input.commitments.map(form),
      input.commitment_indices,
      input.cell_indices,
      input.cosets_evals.map((elements) => form(join(elements))),
      input.proofs.map(form),
    ),
  compute_cells: (kzg, { blob }, form) => kzg.computeCells(form(blob)),
  recover_cells_and_kzg_proofs: (kzg, { cell_indices, cells }, form) =>
    kzg.recoverCells(cell_indices, cells.map(form)),
}

/** An answer as the vectors write it. */
function written(answer: Answer): boolean | Hex | Hex[] {
  if (typeof answer === 'boolean') return answer
  return Array.isArray(answer) ? answer.map(toHex) : toHex(answer)
}

describe('official vectors', async () => {
  for (const { name: kernel, kzg } of await kernelsHere()) {
    // The module alone has no hex parser in front of it.
    const forms: readonly Form[] = kernel === 'relaxed-simd alone' ? [fromHex] : [fromHex, (hex) => hex]
    for (const name of Object.keys(functions) as (keyof Inputs)[]) {
      const run = functions[name] as Run<keyof Inputs>
      describe(`${name} on ${kernel}`, async () => {
        for (const which of await listCases(name)) {
          it(which, async () => {
            const { input, output } = await readCase<Inputs[typeof name], unknown>(name, which)
            // Recovery's vectors answer with [cells, proofs]; the proofs are the prover's.
            const expected =
              name === 'recover_cells_and_kzg_proofs' && Array.isArray(output)
                ? (output[0] as unknown)
                : output
            for (const form of forms) {
              if (expected === null) {
                expect(() => run(kzg, input as never, form)).toThrow(KzgInputError)
              } else {
                expect(written(run(kzg, input as never, form))).toEqual(expected)
              }
            }
          })
        }
      })
    }
  }
})
