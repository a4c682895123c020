/**
 * A verifier against a model of it, over random histories: calls that share data, signals, killed workers, a cache that fails or forgets,
 * warm-ups and an end, in any order. No call hangs, none is answered otherwise than the data deserves, nothing is lost, and nothing is
 * computed twice that need not be.
 */
import {
  type BlobItem,
  createVerifier,
  DisposedError,
  MemoryCache,
  type Verdict,
  type Verifier,
} from 'blobcheck'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { inBrowser } from '../support/files.ts'
import { makeBadBlob, makeBlob, seeded, turn } from '../support/make.ts'
import { timesRounds } from '../support/rounds.ts'
import { trapWorker, watchThreads } from '../support/threads.ts'

const POISON = 77

/** What may be handed in, with the status that it deserves: data that kills each worker that reads it deserves none. */
const stock: readonly { readonly item: BlobItem; readonly status: Verdict['status'] }[] = [
  ...[1, 2, 3, 4].map((c) => ({ item: makeBlob(c), status: 'valid' as const })),
  ...[5, 6].map((c) => ({ item: makeBadBlob(c), status: 'invalid' as const })),
  { item: { ...makeBlob(7), blob: new Uint8Array(131_071) }, status: 'malformed' },
  { item: makeBlob(POISON), status: 'error' },
]

type Step =
  | { readonly do: 'call'; readonly of: readonly number[]; readonly abortAfter: number | null }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'kill' | 'fail' | 'mend' | 'forget' | 'warm' }

const call = fc.record({
  do: fc.constant('call' as const),
  of: fc.array(fc.nat(stock.length - 1), { maxLength: 6 }),
  abortAfter: fc.option(fc.nat(15), { freq: 4 }),
})
const wait = fc.record({ do: fc.constant('wait' as const), ms: fc.nat(15) })
const other = fc.record({ do: fc.constantFrom('kill', 'fail', 'mend', 'forget', 'warm' as const) })
const history = fc.array(fc.oneof({ weight: 4, arbitrary: call }, wait, other) as fc.Arbitrary<Step>, {
  maxLength: 12,
})

const calm = fc.record({
  do: fc.constant('call' as const),
  of: fc.array(fc.nat(stock.length - 2), { maxLength: 6 }),
  abortAfter: fc.constant(null),
})
const peace = fc.array(fc.oneof({ weight: 3, arbitrary: calm }, wait) as fc.Arbitrary<Step>, { maxLength: 8 })

/** A cache that can be made to fail: in turn it throws, answers nonsense, and claims nothing. */
class FailingCache extends MemoryCache {
  isFailing = false
  #count = 0

  override async has(digests: readonly string[]): Promise<boolean[]> {
    if (!this.isFailing) return await super.has(digests)
    if (this.#count++ % 2 === 0) throw new Error('no')
    return []
  }

  override async add(digests: readonly string[]): Promise<void> {
    if (this.isFailing) throw new Error('full')
    await super.add(digests)
  }
}

/** What became of a call. */
type Outcome = { readonly verdicts: readonly Verdict[] } | { readonly error: unknown }

/** A history, step by step. `ends`: the verifier is disposed of while calls are under way. */
async function live(workers: number, steps: readonly Step[], ends: boolean): Promise<void> {
  const cache = new FailingCache()
  const threads = await watchThreads()
  const verifier = await createVerifier({ workers, cache, workerUrl: trapWorker({ poison: POISON }) })
  const random = seeded(steps.length)
  const calls: {
    readonly of: readonly number[]
    readonly reason: object
    readonly outcome: Promise<Outcome>
  }[] = []
  const others: Promise<unknown>[] = []
  for (const step of steps) {
    if (step.do === 'call') {
      const reason = {}
      const { abortAfter } = step
      const signal = abortAfter === null ? undefined : abortedAfter(abortAfter, reason)
      const verdicts = verifier.verifyBlobs(
        step.of.map((at) => stock[at]!.item),
        signal && { signal },
      )
      const outcome = verdicts.then(
        (verdicts) => ({ verdicts }),
        (error: unknown) => ({ error }),
      )
      calls.push({ of: step.of, reason, outcome })
    }
    if (step.do === 'wait') await turn(step.ms)
    if (step.do === 'kill') others.push(threads.killOne(random))
    if (step.do === 'fail') cache.isFailing = true
    if (step.do === 'mend') cache.isFailing = false
    if (step.do === 'forget') await cache.clear()
    if (step.do === 'warm') others.push(verifier.warmup().catch(() => {}))
  }
  const isKilled = steps.some((step) => step.do === 'kill')
  if (ends) others.push(verifier.dispose())
  for (const { of, reason, outcome } of calls) {
    const ended = await outcome
    if ('error' in ended) {
      // Ended by its signal or with the verifier, and by nothing else.
      if (ended.error !== reason) expect(ends && ended.error).toBeInstanceOf(DisposedError)
      continue
    }
    expect(ended.verdicts).toHaveLength(of.length)
    for (const [at, { status, ...rest }] of ended.verdicts.entries()) {
      if (status === 'error' && isKilled) expect(rest).toMatchObject({ reason: 'worker-crashed' })
      else expect(status).toBe(stock[of[at]!]!.status)
    }
  }
  if (!ends) await expectWhole(verifier)
  await Promise.all(others)
  await verifier.dispose()
  threads.stop()
  await expect(verifier.verifyBlobs([stock[0]!.item])).rejects.toBeInstanceOf(DisposedError)
}

/** Whatever happened, the verifier works. */
async function expectWhole(verifier: Verifier): Promise<void> {
  const all = stock.filter(({ status }) => status !== 'error')
  expect((await verifier.verifyBlobs(all.map(({ item }) => item))).map(({ status }) => status)).toEqual(
    all.map(({ status }) => status),
  )
  const { items, valid, invalid, malformed, errors } = verifier.stats()
  // Those that were aborted have no verdicts.
  expect(valid + invalid + malformed + errors).toBeLessThanOrEqual(items)
}

/** Calls that nothing disturbs: what they share is computed once, but for what is false, which nobody remembers. */
async function liveInPeace(workers: number, steps: readonly Step[]): Promise<void> {
  await using verifier = await createVerifier({ workers, cache: new MemoryCache() })
  const calls: Promise<readonly Verdict[]>[] = []
  for (const step of steps) {
    if (step.do === 'call') calls.push(verifier.verifyBlobs(step.of.map((at) => stock[at]!.item)))
    if (step.do === 'wait') await turn(step.ms)
  }
  const verdicts = (await Promise.all(calls)).flat()
  const handedIn = steps.flatMap((step) => (step.do === 'call' ? step.of : []))
  const deserved = handedIn.map((at) => stock[at]!.status)
  expect(verdicts.map(({ status }) => status)).toEqual(deserved)
  const { kzgItems, items, invalid, ...stats } = verifier.stats()
  expect(stats).toMatchObject({ errors: 0, crashes: 0, retries: 0, cacheFailures: 0 })
  expect(items).toBe(handedIn.length)
  const distinct = (status: string): number =>
    new Set(handedIn.filter((at) => stock[at]!.status === status)).size
  expect(kzgItems).toBeGreaterThanOrEqual(distinct('valid') + distinct('invalid'))
  expect(kzgItems).toBeLessThanOrEqual(distinct('valid') + invalid)
}

function abortedAfter(ms: number, reason: object): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), ms)
  return controller.signal
}

it.each([0, 1, 2])('a history that nothing disturbs, %i workers', async (workers) => {
  await fc.assert(
    fc.asyncProperty(peace, async (steps) => await liveInPeace(workers, steps)),
    { numRuns: timesRounds(12), endOnFailure: true },
  )
})

it.each([1, 2])('any history, %i workers', async (workers) => {
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (steps, ends) => await live(workers, steps, ends)),
    { numRuns: timesRounds(inBrowser ? 12 : 25), endOnFailure: true },
  )
})
