/**
 * What people look at of the blobs: their versioned hashes, and a picture of each. It grows with the data, so a worker makes it, and only where
 * workers are refused the page itself.
 */
import type { Hex } from '../shared/bytes.ts'
import { versionedHash } from './hashes.ts'
import { pixelsOf } from './picture.ts'
import { field, type Sidecar } from './sidecar.ts'

/** Of one blob. The hash is null where there is no WebCrypto (insecure contexts). */
export interface Description {
  readonly at: number
  readonly hash: Hex | null
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
  /** How many of its bytes are not zero. */
  readonly filled: number
}

export type Tell = (description: Description, transfer?: Transferable[]) => void

export async function describe(sidecars: readonly Sidecar[], tell: Tell): Promise<void> {
  const hashing = globalThis.crypto?.subtle !== undefined
  for (const [at, sidecar] of sidecars.entries()) {
    const bytes = field(sidecar, 'blob')
    const pixels = pixelsOf(bytes)
    const hash = hashing ? await versionedHash(sidecar) : null
    const filled = bytes.reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0)
    tell({ at, hash, pixels, filled }, [pixels.buffer])
  }
}
