/** `warmup()` and the rehearsal take the light path: they reach every worker, and nobody can tell from any state that they were there. */
import { createVerifier, MemoryCache, type VerdictCache, type Verifier } from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import { makeBlob, realBlobs, until } from '../support/make.ts'
import { unseenModules } from '../support/modules.ts'
import { openDiary, trapWorker } from '../support/threads.ts'

let verifier: Verifier | undefined
afterEach(async () => await verifier?.dispose())

/** A cache that notes every call. */
function watchedCache(): { cache: VerdictCache; calls: string[] } {
  const store = new MemoryCache()
  const calls: string[] = []
  return {
    calls,
    cache: {
      has: async (digests) => (calls.push('has'), await store.has(digests)),
      add: async (digests) => (calls.push('add'), await store.add(digests)),
      clear: async () => (calls.push('clear'), await store.clear()),
    },
  }
}

it.each([0, 1, 2, 4])('touches no cache and no statistic, %i workers', async (workers) => {
  const { cache, calls } = watchedCache()
  verifier = await createVerifier({ workers, cache })
  const before = verifier.stats()
  await verifier.warmup()
  await verifier.warmup()
  expect(verifier.stats()).toEqual(before)
  expect(Object.values(before).every((count) => count === 0)).toBe(true)
  expect(calls).toEqual([])
  // The first verification is counted as the first.
  expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid', via: 'kzg' }])
  expect(verifier.stats()).toMatchObject({ items: 1, kzgItems: 1, kzgBatches: 1 })
  expect(calls).toEqual(['has', 'add'])
})

it('fires no event of a call that is under way, and leaves it its verdicts', async () => {
  verifier = await createVerifier({ workers: 2, cache: false })
  const events: string[] = []
  const call = verifier.verifyBlobs([makeBlob(1), makeBlob(2)], {
    onProgress: ({ stage, done, total }) => events.push(`${stage} ${done}/${total}`),
  })
  await Promise.all([verifier.warmup(), verifier.warmup()])
  expect((await call).map(({ status }) => status)).toEqual(['valid', 'valid'])
  expect(events.sort()).toEqual(['check 1/2', 'check 2/2', 'kzg 1/2', 'kzg 2/2'])
})

it.each([1, 2, 4])(
  'reaches every one of %i workers once, with nothing but the light task',
  async (workers) => {
    const diary = openDiary()
    verifier = await createVerifier({ workers, cache: false, workerUrl: trapWorker({ diary: diary.name }) })
    await verifier.warmup()
    const threads = (task: string): string[] =>
      diary.entries.filter((entry) => entry.task === task).map(({ thread }) => thread)
    await until(() => threads('warmUp').length >= workers)
    expect(new Set(threads('warmUp')).size).toBe(workers)
    expect(threads('warmUp')).toHaveLength(workers)
    expect(new Set(diary.entries.map(({ task }) => task))).toEqual(new Set(['setup', 'warmUp']))
    diary.close()
  },
)

it.each([1, 2, 3])(
  'while nothing is asked for, all of %i workers rehearse, one after the other',
  async (workers) => {
    const diary = openDiary()
    const { cache, calls } = watchedCache()
    const events: unknown[] = []
    const workerUrl = trapWorker({ diary: diary.name, rehearsal: true })
    verifier = await createVerifier({
      workers,
      cache,
      workerUrl,
      onTrace: (event) => void events.push(event),
    })
    const before = verifier.stats()
    // A check; then a blob and a cell are collected and closed.
    const steps = (): string[] =>
      diary.entries
        .filter(({ task }) => task === 'rehearse')
        .sort((one, other) => one.at - other.at)
        .map(({ thread }) => thread)
    await until(() => steps().length === 5 * workers)
    const threads = [...new Set(steps())]
    expect(threads).toHaveLength(workers)
    expect(steps()).toEqual(threads.flatMap((thread) => Array<string>(5).fill(thread)))
    // A refusal by the checks would have left steps out, and a trap would have been counted.
    expect(verifier.stats()).toEqual(before)
    expect(Object.values(before).every((count) => count === 0)).toBe(true)
    expect([...calls, ...events]).toEqual([])
    expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid', via: 'kzg' }])
    expect(steps()).toHaveLength(5 * workers)
    diary.close()
  },
)

it('who asks at once is not kept waiting by a rehearsal', async () => {
  const diary = openDiary()
  const workerUrl = trapWorker({ diary: diary.name, rehearsal: true })
  verifier = await createVerifier({ workers: 2, cache: false, workerUrl })
  expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid' }])
  await until(() => diary.entries.some(({ task }) => task === 'verify'))
  expect(diary.entries.filter(({ task }) => task === 'rehearse')).toEqual([])
  diary.close()
})

describe('the first verification', () => {
  it('with and without a warm-up: measured, not judged', async () => {
    const [blob] = await realBlobs()
    const times = { cold: [] as number[], warm: [] as number[], warmup: [] as number[] }
    for (const which of ['cold', 'warm', 'cold', 'warm', 'cold', 'warm'] as const) {
      const fresh = await createVerifier({ workers: 1, cache: false, wasm: await unseenModules() })
      const start = performance.now()
      if (which === 'warm') {
        await fresh.warmup()
        times.warmup.push(performance.now() - start)
      }
      const begin = performance.now()
      const verdicts = await fresh.verifyBlobs([blob!])
      times[which].push(performance.now() - begin)
      await fresh.dispose()
      expect(verdicts).toMatchObject([{ status: 'valid', via: 'kzg' }])
    }
    const median = (list: number[]): string => `${list.sort((a, b) => a - b)[1]?.toFixed(1)} ms`
    console.log(
      `first verification of a real blob, median of three: cold ${median(times.cold)}, ` +
        `after a warm-up ${median(times.warm)} (which takes ${median(times.warmup)})`,
    )
  })
})
