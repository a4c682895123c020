/** What is verified to measure how fast that is: the recorded block’s blobs, and the cells of the first one. */
import type { Block } from './block.ts'
import { extend } from './extending.ts'
import { field } from './sidecar.ts'

export interface Items {
  readonly blobs: readonly BlobBytes[]
  readonly cells: readonly CellBytes[]
}

export interface BlobBytes {
  readonly blob: Uint8Array
  readonly commitment: Uint8Array
  readonly proof: Uint8Array
}

export interface CellBytes {
  readonly commitment: Uint8Array
  readonly cellIndex: number
  readonly cell: Uint8Array
  readonly proof: Uint8Array
}

export async function itemsOf({ sidecars, proofs }: Block): Promise<Items> {
  const blobs = sidecars.map((sidecar) => ({
    blob: field(sidecar, 'blob'),
    commitment: field(sidecar, 'kzg_commitment'),
    proof: field(sidecar, 'kzg_proof'),
  }))
  const { commitment } = blobs[0]!
  const cells: CellBytes[] = []
  await extend([field(sidecars[0]!, 'blob')], (extended) => {
    for (const [cellIndex, cell] of extended.cells.entries())
      cells.push({ commitment, cellIndex, cell, proof: proofs[0]![cellIndex]! })
  })
  if (cells.length === 0) throw new Error('the cells could not be computed: this browser refused a worker')
  return { blobs, cells }
}
