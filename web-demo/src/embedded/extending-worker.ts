/** Computes the cells of blobs: 64 of data, and 64 of parity that extend them (`compute_cells` of EIP-7594). */
import { loadKzg } from 'blobcheck/kzg'

/** The 128 cells of one blob. */
export interface Extended {
  readonly at: number
  readonly cells: readonly Uint8Array<ArrayBuffer>[]
}

self.addEventListener('message', ({ data: blobs }: MessageEvent<readonly Uint8Array[]>) => {
  void (async () => {
    try {
      const kzg = await loadKzg()
      for (const [at, blob] of blobs.entries())
        self.postMessage({ at, cells: kzg.computeCells(blob) } satisfies Extended)
    } catch {
      // The cells stay unknown: verdicts on blobs do not rest on them.
    }
    self.postMessage(null)
  })()
})
