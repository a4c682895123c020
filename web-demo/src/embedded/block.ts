/** The block that lies beside the page, with the proofs of its cells, for whatever is made of it. */
import { once } from '../shared/once.ts'
import { fetchProofs } from './cells.ts'
import { type Sidecar, sidecarsOf } from './sidecar.ts'

export interface Block {
  readonly sidecars: readonly Sidecar[]
  /** Of all cells, by blob, then by column: 48 bytes each. */
  readonly proofs: readonly (readonly Uint8Array[])[]
}

/** The block, which is fetched once. Rejects with an `Error` whose message is for people; the next call tries again. */
export const loadBlock: () => Promise<Block> = once(load)

async function load(): Promise<Block> {
  const response = await fetch(new URL('holesky_1409759_blob_sidecars.ssz', document.baseURI))
  if (!response.ok) throw new Error(`the server answered ${response.status} instead of the block`)
  const sidecars = sidecarsOf(new Uint8Array(await response.arrayBuffer()))
  const proofs = await fetchProofs(sidecars.length)
  if (proofs === null) throw new Error('the proofs of the cells could not be fetched')
  return { sidecars, proofs }
}
