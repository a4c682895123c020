/**
 * WebAssembly memory never shrinks, so that its size tells the most that was ever needed: after 1,000 blobs it must be
 * what it was after 10.
 */
import { createVerifier, type KernelName, type Verifier } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import * as baseline from '../../wasm/simd128.js'
import * as relaxed from '../../wasm/relaxed_simd.js'
import { makeBlob, range, until } from '../support/make.ts'
import { openDiary, trapWorker } from '../support/threads.ts'

const BATCH = 10

/** Verifies blobs that are all different, ten at a time. */
async function verify(verifier: Verifier, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += BATCH) {
    const verdicts = await verifier.verifyBlobs(range(BATCH).map((more) => makeBlob(at + more + 1)))
    expect(verdicts.every(({ status }) => status === 'valid')).toBe(true)
  }
}

/** The memory of this thread's instance; `initSync` gives the one that there is. */
function memoryHere(kernel: KernelName): number {
  const glue = kernel === 'simd128' ? baseline : relaxed
  return (glue.initSync as (options: object) => { memory: WebAssembly.Memory })({}).memory.buffer.byteLength
}

describe('the memory after 1,000 different blobs is what it was after 10', () => {
  it('in the calling thread', async () => {
    const verifier = await createVerifier({ workers: 0, cache: false })
    await verify(verifier, 0, 10)
    const early = memoryHere(verifier.kernel)
    await verify(verifier, 10, 1_000)
    expect(memoryHere(verifier.kernel)).toBe(early)
    expect(verifier.stats()).toMatchObject({ kzgItems: 1_000, valid: 1_000 })
    console.log(
      `${verifier.kernel} in the calling thread: ${early / 1024} KiB after 10 blobs and after 1,000`,
    )
    await verifier.dispose()
  })

  it('in a worker', async () => {
    const diary = openDiary()
    // One: which of several does what is chance, and so is what each of them needed at most.
    const workerUrl = trapWorker({ diary: diary.name })
    const verifier = await createVerifier({ workers: 1, cache: false, workerUrl })
    const memory = async (): Promise<number> => {
      diary.entries.splice(0)
      await verifier.warmup()
      await until(() => diary.entries.some(({ task }) => task === 'warmUp'))
      return diary.entries.at(-1)?.memory ?? 0
    }
    // Tables that are made once, at the first warm-up, lie where they find room: before the data, not between.
    await memory()
    await verify(verifier, 0, 10)
    const early = await memory()
    expect(early).toBeGreaterThan(0)
    await verify(verifier, 10, 1_000)
    expect(await memory()).toBe(early)
    expect(verifier.stats()).toMatchObject({ kzgItems: 1_000, valid: 1_000 })
    console.log(`${verifier.kernel} in a worker: ${early / 1024} KiB after 10 blobs and after 1,000`)
    diary.close()
    await verifier.dispose()
  })
})
