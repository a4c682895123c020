/** The page's own worker: told where the block is, it tells what it reads. */
import { readBlock } from './reading.ts'

self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void readBlock(data, (reading, transfer = []) => self.postMessage(reading, { transfer }))
})
