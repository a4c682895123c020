/** The 768 cells of the block, each verified by a proof of its own: which cell of a false blob is false, and what the extension holds. */
import type { Verdict, Verifier } from 'blobcheck'
import { CELLS } from '../shared/sizes.ts'
import type { Delivery } from './delivery.ts'
import { extend } from './extending.ts'
import { field } from './sidecar.ts'

/** Made when the page is built, from the block: 128 proofs of 48 bytes for each blob, in order. */
const PROOFS = 'holesky_1409759_cell.proofs'
const PROOF_BYTES = 48

/** What a block of cells is verified with. */
export interface Cells {
  /** By blob, then by column: the cells of the blobs as they came. */
  readonly originals: readonly (readonly Uint8Array[])[]
  readonly proofs: readonly (readonly Uint8Array[])[]
}

/** Computes the cells of blobs, and fetches their proofs; null where either cannot be had. */
export async function loadCells(blobs: readonly Uint8Array[]): Promise<Cells | null> {
  const originals: (readonly Uint8Array[])[] = []
  const [proofs] = await Promise.all([
    fetchProofs(blobs.length),
    extend(blobs, ({ at, cells }) => (originals[at] = cells)),
  ])
  return proofs === null || originals.length !== blobs.length ? null : { originals, proofs }
}

/** The proofs of all cells, by blob, then by column; null where they cannot be had. */
export async function fetchProofs(blobs: number): Promise<Cells['proofs'] | null> {
  const response = await fetch(new URL(PROOFS, document.baseURI)).catch(() => null)
  if (response?.ok !== true) return null
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length !== blobs * CELLS * PROOF_BYTES) return null
  return Array.from({ length: blobs }, (_, blob) =>
    Array.from({ length: CELLS }, (_, column) => {
      const from = (blob * CELLS + column) * PROOF_BYTES
      return bytes.subarray(from, from + PROOF_BYTES)
    }),
  )
}

/** Verifies all cells as they are now, with what was broken of them: verdicts by blob, then by column. */
export async function verifyCells(
  verifier: Verifier,
  cells: Cells,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Verdict[][]> {
  const items = delivery.sidecars.flatMap((sidecar, at) => {
    const commitment = field(sidecar, 'kzg_commitment')
    return delivery
      .cellsOf(at, cells.originals[at]!)
      .map((cell, cellIndex) => ({ commitment, cellIndex, cell, proof: cells.proofs[at]![cellIndex]! }))
  })
  const verdicts = await verifier.verifyCells(items, { signal })
  return delivery.sidecars.map((_, at) => verdicts.slice(at * CELLS, (at + 1) * CELLS))
}
