/** The page's own worker: told the sidecars, it describes them. */
import { describe } from './describing.ts'
import type { Sidecar } from './sidecar.ts'

self.addEventListener('message', ({ data }: MessageEvent<readonly Sidecar[]>) => {
  void describe(data, (description, transfer = []) => self.postMessage(description, { transfer }))
})
