/** Random valid data, made on the spot: what is measured must be nothing that was seen before. */
import { randomFillSync } from 'node:crypto'
import { type CellsAndKzgProofs, createProver } from '../../prover/index.ts'

/** Blobs with what EIP-4844 sends along, and what EIP-7594 does with the first of them. */
export interface Inputs {
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
  /** 128 of each, for each blob that has them. */
  readonly cells: readonly (readonly Uint8Array[])[]
  readonly cellProofs: readonly (readonly Uint8Array[])[]
}

/** The batches of blobs that are measured: as far as the blobs go. */
export const batchesOf = ({ blobs }: Inputs): number[] => [6, 64].filter((n) => n <= blobs.length)

/** So many blobs, the first of them with cells. */
export async function makeInputs(
  blobCount: number,
  cellBlobCount: number,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Inputs> {
  await using prover = await createProver()
  const proven: Proven[] = []
  const prove = async (at: number): Promise<Proven> => {
    const blob = randomBlob()
    const commitment = await prover.blobToKzgCommitment(blob, { signal })
    const proof = await prover.computeBlobKzgProof(blob, commitment, { signal })
    const withCells = at < cellBlobCount ? await prover.computeCellsAndKzgProofs(blob, { signal }) : null
    return { blob, commitment, proof, withCells }
  }
  let [begun, done] = [0, 0]
  const lane = async (): Promise<void> => {
    while (begun < blobCount) {
      const at = begun++
      proven[at] = await prove(at)
      onProgress(++done, blobCount)
    }
  }
  await Promise.all(Array.from({ length: Math.max(prover.workers, 1) }, lane))
  const withCells = proven.flatMap((one) => one.withCells ?? [])
  return {
    blobs: proven.map(({ blob }) => blob),
    commitments: proven.map(({ commitment }) => commitment),
    proofs: proven.map(({ proof }) => proof),
    cells: withCells.map(({ cells }) => cells),
    cellProofs: withCells.map(({ proofs }) => proofs),
  }
}

interface Proven {
  readonly blob: Uint8Array
  readonly commitment: Uint8Array
  readonly proof: Uint8Array
  readonly withCells: CellsAndKzgProofs | null
}

/** 4,096 random scalars below 2²⁵⁴, and so below the modulus. */
function randomBlob(): Uint8Array<ArrayBuffer> {
  const blob = randomFillSync(new Uint8Array(4_096 * 32))
  for (let at = 0; at < blob.length; at += 32) blob[at]! &= 0x3f
  return blob
}
