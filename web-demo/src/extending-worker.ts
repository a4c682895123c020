/** Computes the cells that extend blobs: 64 of parity after 64 of data (`compute_cells` of EIP-7594). */
import { loadKzg } from 'blobcheck/kzg'
import { fromHex } from './bytes.ts'
import { DATA_CELLS } from './sidecar.ts'

/** The cells of parity of one blob; null where they cannot be computed here. */
export interface Extended {
  readonly at: number
  readonly parity: readonly Uint8Array<ArrayBuffer>[]
}

self.addEventListener('message', ({ data: blobs }: MessageEvent<readonly string[]>) => {
  void (async () => {
    try {
      const kzg = await loadKzg()
      for (const [at, blob] of blobs.entries()) {
        const parity = kzg.computeCells(fromHex(blob)).slice(DATA_CELLS)
        self.postMessage({ at, parity } satisfies Extended)
      }
    } catch {
      // The parity stays unknown: it is a picture of what follows, and no verdict rests on it.
    }
    self.postMessage(null)
  })()
})
