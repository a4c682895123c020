/** Verifications under way, by themselves: bytes are looked up once and verified once, for everyone who waits, and nobody waits for ever. */
import { expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import type { VerdictStore } from '../../dist/verifier/cache/layered.js'
import type { Call } from '../../dist/verifier/call.js'
import type { Unit } from '../../dist/verifier/checks/protocol.js'
import {
  type PendingVerification,
  PendingVerifications,
  type RemakeUnit,
  type SharedOutcome,
} from '../../dist/verifier/dedup/pending-verifications.js'
import type { Tracer } from '../../dist/verifier/trace.js'
import type { Refusal, UnitOutcome } from '../../dist/verdict/verdict.js'
import { turns } from '../support/virtual-time.ts'

const refusal = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' } as const satisfies Refusal
const crashed = { status: 'error', stage: 'kzg', reason: 'worker-crashed' } as unknown as UnitOutcome

/** A cache that knows what it is told. */
class Store implements VerdictStore {
  readonly known = new Map<string, 'session' | 'storage'>()
  readonly asked: (readonly string[])[] = []
  async lookUp(digests: readonly string[]): Promise<('session' | 'storage' | null)[]> {
    this.asked.push(digests)
    return digests.map((digest) => this.known.get(digest) ?? null)
  }
  async add(digests: readonly string[]): Promise<void> {
    for (const digest of digests) this.known.set(digest, 'session')
  }
  async close(): Promise<void> {}
}

/** One who verifies when he is told to. */
class Verifier {
  readonly batches: string[][] = []
  readonly #waiting = new Map<string, (outcome: UnitOutcome | null | Promise<never>) => void>()
  readonly verify = (all: readonly PendingVerification[]): Promise<UnitOutcome | null>[] => {
    this.batches.push(all.map(({ unit }) => unit.digest))
    return all.map(({ unit }) => new Promise((resolve) => void this.#waiting.set(unit.digest, resolve)))
  }
  /** That of the newest verification of these bytes. */
  resolverOf(digest: string): (outcome: UnitOutcome) => void {
    return this.#waiting.get(digest)!
  }
  async answer(digest: string, outcome: UnitOutcome | null | Promise<never>): Promise<void> {
    this.#waiting.get(digest)!(outcome)
    await turns(2)
  }
}

const nothing: RemakeUnit = async () => null
const call = {} as Call

/** What a verification came to by now: null where it is under way. */
async function now(pending: PendingVerification): Promise<SharedOutcome | Error | null> {
  await turns(2)
  const failed = (error: Error): Error => error
  return await Promise.race([pending.settled.catch(failed), turns(1).then(() => null)])
}

function start(cache: Store | null = new Store(), trace?: Tracer) {
  const verifier = new Verifier()
  const all = new PendingVerifications(cache, verifier.verify, trace)
  const subscribe = async (...digests: readonly (readonly [digest: string, source?: string])[]) => {
    const subscriptions = all.subscribe(
      digests.map(([digest, source], at) => {
        const unit: Unit = { digest, kind: 1, bytes: new Uint8Array(1) }
        return { unit, source, remake: async () => null, call, at }
      }),
    )
    await turns(2)
    return subscriptions
  }
  return { all, verifier, subscribe }
}

it('what several deliver is looked up and verified once, and each of them is named', async () => {
  const cache = new Store()
  const { verifier, subscribe } = start(cache)
  const [first, second, copy] = await subscribe(['one', 'Ann'], ['two'], ['one', 'Bob'])
  const [late] = await subscribe(['one', 'Cem'])
  expect([first, second, copy, late].map((one) => one!.isFirst)).toEqual([true, true, false, false])
  expect(copy!.pending).toBe(first!.pending)
  expect(first!.pending.unit.digest).toBe('one')
  expect(cache.asked).toEqual([['one', 'two']])
  expect(verifier.batches).toEqual([['one', 'two']])
  expect(await now(first!.pending)).toBeNull()
  await verifier.answer('one', 'valid')
  await verifier.answer('two', refusal)
  expect(await now(late!.pending)).toEqual({
    outcome: 'valid',
    origin: 'kzg',
    sources: ['Ann', 'Bob', 'Cem'],
  })
  expect(await now(second!.pending)).toEqual({ outcome: refusal, origin: 'kzg', sources: [] })
  expect([...cache.known]).toEqual([['one', 'session']])
})

it('what was found before is not verified again: neither what is valid, nor what was refused', async () => {
  const cache = new Store()
  cache.known.set('stored', 'storage')
  const { verifier, subscribe } = start(cache)
  const [bad, good] = await subscribe(['bad', 'Ann'], ['good'])
  await verifier.answer('bad', refusal)
  await verifier.answer('good', 'valid')
  expect([bad!.pending, good!.pending].every(({ isAbandoned }) => !isAbandoned)).toBe(true)
  const again = await subscribe(['stored'], ['bad', 'Bob'], ['new'], ['good'])
  expect(again.every(({ isFirst }) => isFirst)).toBe(true)
  expect(verifier.batches).toEqual([['bad', 'good'], ['new']])
  expect(await Promise.all(again.map(({ pending }) => now(pending)))).toEqual([
    { outcome: 'valid', origin: 'storage', sources: [] },
    { outcome: refusal, origin: 'refusals', sources: ['Ann', 'Bob'] },
    null,
    { outcome: 'valid', origin: 'session', sources: [] },
  ])
})

it('what was found before is known for good: whoever comes later begins anew, and is told the same', async () => {
  const cache = new Store()
  const { verifier, subscribe } = start(cache)
  await subscribe(['bad', 'Ann'], ['good'])
  await verifier.answer('bad', refusal)
  await verifier.answer('good', 'valid')
  for (const source of ['Bob', 'Cem']) {
    const [bad, good] = await subscribe(['bad', source], ['good', source])
    expect([bad!.isFirst, good!.isFirst]).toEqual([true, true])
    expect(await now(bad!.pending)).toMatchObject({ outcome: refusal, origin: 'refusals' })
    expect(await now(good!.pending)).toEqual({ outcome: 'valid', origin: 'session', sources: [source] })
  }
  expect(verifier.batches.flat()).toEqual(['bad', 'good'])
})

it('what was refused here stays refused, whatever the cache says later', async () => {
  const cache = new Store()
  const { verifier, subscribe } = start(cache)
  await subscribe(['bad', 'Ann'])
  await verifier.answer('bad', refusal)
  cache.known.set('bad', 'storage')
  const [again] = await subscribe(['bad', 'Bob'])
  expect(await now(again!.pending)).toEqual({
    ...{ outcome: refusal, origin: 'refusals' },
    sources: ['Ann', 'Bob'],
  })
  expect(verifier.batches.flat()).toEqual(['bad'])
})

it('who listens is told who joins what, and of each look-up until it is over', async () => {
  const cache = new Store()
  cache.known.set('known', 'storage')
  const told: string[] = []
  const join = (pending: object, { at }: { at: number }): void =>
    void told.push(`${at} joins ${(pending as PendingVerification).unit.digest}`)
  const lookUp = (started: readonly object[], asked: unknown) => {
    expect(asked).toBe(cache)
    const digests = (started as PendingVerification[]).map(({ unit }) => unit.digest)
    told.push(`looks for ${digests.join()}`)
    return () => void told.push(`has looked, ${cache.asked.length} times`)
  }
  const { subscribe, verifier } = start(cache, { join, lookUp } as never)
  await subscribe(['one'], ['known'], ['one'])
  expect(told).toEqual([
    ...['0 joins one', '1 joins known', '2 joins one'],
    ...['looks for one,known', 'has looked, 1 times'],
  ])
  expect(verifier.batches).toEqual([['one']])
})

it('an error is not remembered, and without a cache nothing is', async () => {
  const cached = start()
  const [one] = await cached.subscribe(['one'])
  await cached.verifier.answer('one', crashed)
  expect(await now(one!.pending)).toMatchObject({ outcome: crashed, origin: 'kzg' })
  await cached.subscribe(['one'])
  expect(cached.verifier.batches).toEqual([['one'], ['one']])

  const { verifier, subscribe } = start(null)
  await subscribe(['good'], ['bad'])
  await verifier.answer('good', 'valid')
  await verifier.answer('bad', refusal)
  await subscribe(['good'], ['bad'])
  expect(verifier.batches).toEqual([
    ['good', 'bad'],
    ['good', 'bad'],
  ])
})

it.each([true, false])(
  'what a crash took while nobody waited is made again by who has come since (who can: %j)',
  async (can) => {
    const { all, verifier } = start()
    const unit: Unit = { digest: 'one', kind: 1, bytes: Uint8Array.of(7) }
    const request = { unit, source: undefined, remake: nothing, call, at: 0 }
    const [left] = all.subscribe([request])
    await turns(2)
    left!.cancel()
    unit.bytes = new Uint8Array(0)
    const [come] = all.subscribe([{ ...request, remake: async () => (can ? Uint8Array.of(7) : null) }])
    expect(come!.isFirst).toBe(false)
    await verifier.answer('one', null)
    expect(verifier.batches).toEqual(can ? [['one'], ['one']] : [['one']])
    expect(unit.bytes).toEqual(Uint8Array.from(can ? [7] : []))
    if (can) await verifier.answer('one', 'valid')
    expect(await now(come!.pending)).toMatchObject({
      outcome: can ? 'valid' : { status: 'error', reason: 'worker-crashed' },
    })
    expect(all.subscribe([request])[0]!.isFirst).toBe(true)
  },
)

it('what nobody waits for any more is given up, but where somebody has come meanwhile', async () => {
  const { verifier, subscribe } = start()
  const [left] = await subscribe(['one', 'Ann'])
  expect(left!.pending.isAbandoned).toBe(false)
  left!.cancel()
  expect(left!.pending.isAbandoned).toBe(true)
  const [joined] = await subscribe(['one', 'Bob'])
  expect(joined!.pending).toBe(left!.pending)
  await verifier.answer('one', null)
  expect(verifier.batches).toEqual([['one'], ['one']])
  joined!.cancel()
  await verifier.answer('one', null)
  expect(await now(joined!.pending)).toBeNull()
  // Nothing is left of it: whoever comes now begins anew.
  const [anew] = await subscribe(['one'])
  expect(anew!.isFirst).toBe(true)
  expect(anew!.pending).not.toBe(joined!.pending)
  await verifier.answer('one', 'valid')
  expect(await now(anew!.pending)).toMatchObject({ outcome: 'valid', sources: [] })
})

it('all end with the verifier, those that would begin later included, whatever comes of them', async () => {
  const { all, verifier, subscribe } = start()
  // For the last one nobody waits: its failure is handled all the same.
  const [one, two] = await subscribe(['one'], ['two'], ['three'])
  const end = new DisposedError()
  all.failAll(end)
  expect([await now(one!.pending), await now(two!.pending)]).toEqual([end, end])
  expect([one!.pending.isAbandoned, two!.pending.isAbandoned]).toEqual([true, true])
  const asked = verifier.batches.length
  const [next] = await subscribe(['two'])
  expect(await now(next!.pending)).toBe(end)
  verifier.resolverOf('two')('valid')
  await turns(2)
  expect(await now(two!.pending)).toBe(end)
  expect(verifier.batches).toHaveLength(asked)
})

it('what cannot be verified fails with the cause, or as disposed of', async () => {
  const { verifier, subscribe } = start()
  const [one, two] = await subscribe(['one'], ['two'])
  const cause = new TypeError('why')
  await verifier.answer('one', Promise.reject(cause))
  await verifier.answer('two', Promise.reject('no error' as never))
  expect(await now(one!.pending)).toBe(cause)
  expect(await now(two!.pending)).toBeInstanceOf(DisposedError)
  expect((await subscribe(['one']))[0]!.isFirst).toBe(true)
})

it('who cannot give bytes for want of memory costs nobody else theirs', async () => {
  const { all } = start()
  const bytes = new Uint8Array(3)
  const unit: Unit = { digest: 'one', kind: 1, bytes: new Uint8Array(1) }
  const full = (): Promise<never> => Promise.reject(new RangeError('Array buffer allocation failed'))
  const ask = (...remakes: RemakeUnit[]): Promise<Uint8Array | null> => {
    const requests = remakes.map((remake, at) => ({ unit, source: undefined, remake, call, at }))
    return all.subscribe(requests)[0]!.pending.remake()
  }
  expect(await ask(full)).toBeNull()
  expect(await ask(full, async () => bytes)).toBe(bytes)
})

it('who comes while others are asked for bytes is asked, too, and who goes is not', async () => {
  const { all } = start()
  const bytes = new Uint8Array(3)
  const unit: Unit = { digest: 'one', kind: 1, bytes: new Uint8Array(1) }
  const asked: string[] = []
  const subscribe = (name: string, given: Uint8Array<ArrayBuffer> | null, meanwhile?: () => void) =>
    all.subscribe([
      {
        unit,
        source: undefined,
        remake: async () => {
          asked.push(name)
          meanwhile?.()
          return given
        },
        call,
        at: 0,
      },
    ])[0]!
  const first = subscribe('first', null, () => {
    gone.cancel()
    subscribe('newcomer', bytes)
  })
  const gone = subscribe('gone', bytes)
  expect(await first.pending.remake()).toBe(bytes)
  expect(asked).toEqual(['first', 'newcomer'])
})

it('four of those who wait are asked for bytes that a crash took, one after the other', async () => {
  const bytes = new Uint8Array(3)
  const asked: number[] = []
  const remakes = (right: number): RemakeUnit[] =>
    Array.from({ length: 6 }, (_, at) => async () => {
      asked.push(at)
      return at === right ? bytes : null
    })
  for (const [right, expected, whom] of [
    [2, bytes, [1, 2]],
    [4, bytes, [1, 2, 3, 4]],
    [5, null, [1, 2, 3, 4]],
  ] as const) {
    const { all } = start()
    const unit: Unit = { digest: 'one', kind: 1, bytes: new Uint8Array(1) }
    const requests = remakes(right).map((remake, at) => ({ unit, source: undefined, remake, call, at }))
    const [first] = all.subscribe([...requests, { unit, source: undefined, remake: nothing, call, at: 6 }])
    first!.cancel()
    asked.length = 0
    expect(await first!.pending.remake()).toBe(expected)
    expect(asked).toEqual(whom)
  }
})
