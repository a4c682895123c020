/**
 * Reading the block: fetch, hash and draw. All of it grows with the data, so it runs in a worker of the page;
 * only where workers are refused does it run in the page itself.
 */
import type { Hex } from '../shared/bytes.ts'
import { headerRoot, versionedHash } from './hashes.ts'
import { pixelsOf } from './picture.ts'
import { field, headerOf, type Sidecar, sidecarsOf } from './sidecar.ts'

/** What is told as soon as it is known, in this order. Hashes are null where there is no WebCrypto (insecure contexts). */
export type Reading =
  | { readonly kind: 'block'; readonly sidecars: readonly Sidecar[] }
  | { readonly kind: 'root'; readonly root: Hex | null }
  | { readonly kind: 'hash'; readonly at: number; readonly hash: Hex | null }
  | {
      readonly kind: 'picture'
      readonly at: number
      readonly pixels: Uint8ClampedArray<ArrayBuffer>
      readonly filled: number
    }
  | { readonly kind: 'failed'; readonly why: string }

export type Tell = (reading: Reading, transfer?: Transferable[]) => void

export async function readBlock(url: string, tell: Tell): Promise<void> {
  try {
    const sidecars = await fetchSidecars(url)
    tell({ kind: 'block', sidecars })
    const [first] = sidecars
    const hashing = globalThis.crypto?.subtle !== undefined
    tell({ kind: 'root', root: hashing ? await headerRoot(headerOf(first!)) : null })
    for (const [at, sidecar] of sidecars.entries()) {
      tell({ kind: 'hash', at, hash: hashing ? await versionedHash(sidecar) : null })
      const bytes = field(sidecar, 'blob')
      const pixels = pixelsOf(bytes)
      tell(
        {
          kind: 'picture',
          at,
          pixels,
          filled: bytes.reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0),
        },
        [pixels.buffer],
      )
    }
  } catch (error) {
    tell({ kind: 'failed', why: error instanceof Error ? error.message : String(error) })
  }
}

async function fetchSidecars(url: string): Promise<Sidecar[]> {
  const response = await fetch(url).catch(() => {
    throw new Error('the block could not be fetched: is the server still running?')
  })
  if (response.status === 404)
    throw new Error('the block is not there. Run “npm run demo” once more: its set-up fetches it.')
  if (!response.ok) throw new Error(`the server answered ${response.status} instead of the block`)
  return sidecarsOf(new Uint8Array(await response.arrayBuffer()))
}
