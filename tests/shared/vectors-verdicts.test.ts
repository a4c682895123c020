/**
 * The official batch vectors through the verifier. A batch is `true` if and only if every verdict is `valid`; where it
 * is not, each item's verdict must be what the spec's function for a single item says of it: a bad one condemns no
 * other.
 */
import { createVerifier, type KernelName, type Verdict, type Verifier } from 'blobcheck'
import { KzgInputError, loadKzg } from 'blobcheck/kzg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRelaxed } from '../support/kernels.ts'
import { listCases, readCase } from '../support/cases.ts'

type Hex = `0x${string}`
interface Blobs {
  blobs: Hex[]
  commitments: Hex[]
  proofs: Hex[]
}
interface Cells {
  commitments: Hex[]
  cell_indices: number[]
  cells: Hex[]
  proofs: Hex[]
}

/** A single item's due: a true or false proof, or the code of what cannot be judged. */
type Due = boolean | string

/** What each item of a batch is due; where the vector says that all are true, there is nothing to ask. */
function dues<Item>(items: readonly Item[], output: boolean | null, verify: (item: Item) => boolean): Due[] {
  return items.map((item) => output === true || due(() => verify(item)))
}

const kzg = await loadKzg({ kernel: 'simd128' })

function due(verify: () => boolean): Due {
  try {
    return verify()
  } catch (error) {
    if (error instanceof KzgInputError) return error.code
    throw error
  }
}

function found(verdict: Verdict): Due {
  if (verdict.status === 'valid') return true
  if (verdict.status === 'malformed') return verdict.reason
  expect(verdict).toMatchObject({ status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' })
  return false
}

/** Lists of unequal length are no items: the entries that lack a part are refused for it. */
const rows = (...lists: readonly (readonly unknown[])[]): number[] =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, row) => row)

function hold(verdicts: readonly Verdict[], expected: readonly Due[], output: boolean | null): void {
  expect(verdicts.map(found)).toEqual(expected)
  expect(verdicts.every(({ status }) => status === 'valid')).toBe(output === true)
  expect(verdicts.some(({ status }) => status === 'malformed')).toBe(output === null)
}

describe('official batch vectors as verdicts', async () => {
  const kernels: KernelName[] =
    (await loadRelaxed()) instanceof Error ? ['simd128'] : ['simd128', 'relaxed-simd']
  for (const kernel of kernels) {
    for (const workers of [0, 2]) {
      const where = `on ${kernel} with ${workers} workers`
      let verifier: Verifier
      const open = async (): Promise<void> => {
        verifier = await createVerifier({ kernel, workers, cache: false })
      }
      const close = (): Promise<void> => verifier.dispose()

      describe(`verify_blob_kzg_proof_batch ${where}`, async () => {
        beforeAll(open)
        afterAll(close)
        for (const which of await listCases('verify_blob_kzg_proof_batch')) {
          it(which, async () => {
            const { input, output } = await readCase<Blobs, boolean>('verify_blob_kzg_proof_batch', which)
            const items = rows(...Object.values(input)).map((row) => ({
              blob: input.blobs[row]!,
              commitment: input.commitments[row]!,
              proof: input.proofs[row]!,
            }))
            const verdicts = await verifier.verifyBlobs(items)
            const expected = dues(items, output, (item) =>
              kzg.verifyBlobKzgProof(item.blob, item.commitment, item.proof),
            )
            hold(verdicts, expected, output)
          })
        }
      })

      describe(`verify_cell_kzg_proof_batch ${where}`, async () => {
        beforeAll(open)
        afterAll(close)
        for (const which of await listCases('verify_cell_kzg_proof_batch')) {
          it(which, async () => {
            const { input, output } = await readCase<Cells, boolean>('verify_cell_kzg_proof_batch', which)
            const items = rows(...Object.values(input)).map((row) => ({
              commitment: input.commitments[row]!,
              cellIndex: input.cell_indices[row]!,
              cell: input.cells[row]!,
              proof: input.proofs[row]!,
            }))
            const verdicts = await verifier.verifyCells(items)
            const expected = dues(items, output, (item) =>
              kzg.verifyCellKzgProofBatch([item.commitment], [item.cellIndex], [item.cell], [item.proof]),
            )
            hold(verdicts, expected, output)
          })
        }
      })
    }
  }
})
