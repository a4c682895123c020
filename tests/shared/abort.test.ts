/**
 * Ending early: a signal ends one call and nobody else's; what nobody waits for is not computed; disposing ends
 * everything; and progress tells the truth meanwhile.
 */
import {
  createVerifier,
  DisposedError,
  MemoryCache,
  type Progress,
  type Verdict,
  type Verifier,
  type VerifierOptions,
  type VerifyOptions,
} from 'blobcheck'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBadBlob, makeBlob, type MadeBlob, range, turn, until } from '../support/make.ts'
import { type Gate, makeGate, trapWorker } from '../support/threads.ts'

let verifier: Verifier
let gate: Gate
beforeEach(() => void (gate = makeGate()))
afterEach(async () => {
  gate.close()
  await verifier.dispose()
})

const open = async (options: VerifierOptions = { workers: 1 }): Promise<Verifier> =>
  (verifier = await createVerifier({ cache: new MemoryCache(), ...options }))

/** A verifier whose workers wait with KZG until the gate is opened. */
const openGated = async (workers: number): Promise<Verifier> =>
  await open({ workers, workerUrl: trapWorker({ gate: gate.name }) })

/** A verifier whose cache knows nothing, and says so only when it is told to. */
async function openSlow(workers: number): Promise<() => void> {
  let answer!: () => void
  const asked = new Promise<void>((resolve) => (answer = resolve))
  const store = new MemoryCache()
  await open({
    workers,
    cache: {
      has: async (digests) => (await asked, await store.has(digests)),
      add: async (digests) => await store.add(digests),
      clear: async () => await store.clear(),
    },
  })
  return answer
}

/** Hands blobs in; `boarded` resolves when they have passed the checks. */
function handIn(
  items: readonly MadeBlob[],
  options: VerifyOptions = {},
): { verdicts: Promise<Verdict[]>; boarded: Promise<void> } {
  let checked = 0
  const verdicts = verifier.verifyBlobs(items, {
    ...options,
    onProgress: ({ stage, done }) => void (stage === 'check' && (checked = done)),
  })
  return { verdicts, boarded: until(() => checked === items.length) }
}

const blobs = (count: number, from = 1): MadeBlob[] => range(count).map((at) => makeBlob(from + at))
const isValid = ({ status }: { status: string }): boolean => status === 'valid'

async function errorOf(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it was to reject with an error')
}

/** A signal that knows how many listen to it. */
function countedSignal(controller: AbortController): { signal: AbortSignal; listeners: () => number } {
  const { signal } = controller
  const listening = new Set<unknown>()
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (
    type: string,
    listener: EventListener,
    options?: AddEventListenerOptions | boolean,
  ) => {
    listening.add(listener)
    add(type, listener, options)
  }
  signal.removeEventListener = (type: string, listener: EventListener) => {
    listening.delete(listener)
    remove(type, listener)
  }
  return { signal, listeners: () => listening.size }
}

describe.each([0, 1, 2])('abort, %i workers', (workers) => {
  it('before: nothing is looked at, copied or taken over', async () => {
    await open({ workers })
    const items = blobs(3)
    const error = await errorOf(verifier.verifyBlobs(items, { signal: AbortSignal.abort(), transfer: true }))
    expect(error.name).toBe('AbortError')
    await turn(20)
    expect(items.every(({ blob }) => blob.length === 131_072)).toBe(true)
    expect(verifier.stats()).toMatchObject({ items: 0, kzgItems: 0 })
  })

  it('during the checks: nothing goes on to KZG', async () => {
    await open({ workers })
    const controller = new AbortController()
    const error = await errorOf(
      verifier.verifyBlobs(blobs(40), {
        signal: controller.signal,
        onProgress: ({ stage }) => void (stage === 'check' && controller.abort()),
      }),
    )
    expect(error.name).toBe('AbortError')
    expect(await verifier.verifyBlobs([makeBlob(50)])).toMatchObject([{ status: 'valid', via: 'kzg' }])
    expect(verifier.stats()).toMatchObject({ kzgItems: 1, valid: 1 })
  })

  it('after: nothing happens', async () => {
    await open({ workers })
    const controller = new AbortController()
    const verdicts = await verifier.verifyBlobs(blobs(2), { signal: controller.signal })
    controller.abort()
    await turn()
    expect(verdicts.every(isValid)).toBe(true)
  })
})

describe.each([1, 2])('abort of work that is under way, %i workers', (workers) => {
  it('ends the call at once; the work is not wasted', async () => {
    await openGated(workers)
    const controller = new AbortController()
    const { verdicts } = handIn(blobs(4), { signal: controller.signal })
    await until(() => gate.held > 0)
    controller.abort()
    expect((await errorOf(verdicts)).name).toBe('AbortError')
    gate.open()
    // The next one who asks shares it, or finds it in the cache; in any case nothing is computed twice.
    expect((await verifier.verifyBlobs(blobs(4))).every(isValid)).toBe(true)
    expect(verifier.stats()).toMatchObject({ kzgItems: 4 })
  })
})

describe.each([0, 1, 2])('abort of work that is queued, %i workers', (workers) => {
  it('leaves the work that another waits for', async () => {
    const answer = await openSlow(workers)
    const controller = new AbortController()
    const items = [...blobs(3), makeBadBlob(9)]
    const from = (source: string): MadeBlob[] => items.map((item) => ({ ...item, source }))
    const left = handIn(from('left'), { signal: controller.signal })
    await left.boarded
    const stayed = handIn(from('stayed'))
    await stayed.boarded
    controller.abort()
    expect((await errorOf(left.verdicts)).name).toBe('AbortError')
    answer()
    const verdicts = await stayed.verdicts
    expect(verdicts.slice(0, 3).every(isValid)).toBe(true)
    expect(verifier.stats()).toMatchObject({ kzgItems: 4 })
    // Who has left did deliver the bad one all the same.
    expect(verdicts[3]).toMatchObject({ status: 'invalid' })
    const named = verdicts[3]?.status === 'invalid' ? [...verdicts[3].sources].sort() : []
    expect(named).toEqual(['left', 'stayed'])
  })

  it('drops what nobody waits for any more', async () => {
    const answer = await openSlow(workers)
    const controller = new AbortController()
    const left = handIn(blobs(12), { signal: controller.signal })
    await left.boarded
    const stayed = handIn(blobs(3))
    await stayed.boarded
    controller.abort()
    expect((await errorOf(left.verdicts)).name).toBe('AbortError')
    answer()
    expect((await stayed.verdicts).every(isValid)).toBe(true)
    expect(verifier.stats().kzgItems).toBe(3)
    // What was dropped is not lost to those who come later.
    expect((await verifier.verifyBlobs(blobs(12))).every(isValid)).toBe(true)
    expect(verifier.stats().kzgItems).toBe(12)
  })
})

it('an event without an abort ends nothing, and the abort after it does', async () => {
  const answer = await openSlow(1)
  const controller = new AbortController()
  const { signal } = controller
  const [stayed, left] = [handIn(blobs(2), { signal }), handIn(blobs(2), { signal })]
  await Promise.all([stayed.boarded, left.boarded])
  signal.dispatchEvent(new Event('abort'))
  answer()
  expect((await stayed.verdicts).every(isValid)).toBe(true)
  expect((await left.verdicts).every(isValid)).toBe(true)
  const waiting = handIn(blobs(200), { signal })
  signal.dispatchEvent(new Event('abort'))
  controller.abort()
  expect((await errorOf(waiting.verdicts)).name).toBe('AbortError')
})

describe('the error', () => {
  it("is the signal's reason: an AbortError where none was given", async () => {
    await open()
    const error = await errorOf(verifier.verifyBlobs(blobs(1), { signal: AbortSignal.abort() }))
    expect(error).toBeInstanceOf(DOMException)
    expect(error.name).toBe('AbortError')
    const reason = new RangeError('enough')
    expect(await errorOf(verifier.verifyBlobs(blobs(1), { signal: AbortSignal.abort(reason) }))).toBe(reason)
    const spoken = verifier.verifyBlobs(blobs(1), { signal: AbortSignal.abort('a word') })
    await expect(spoken).rejects.toBe('a word')
    const controller = new AbortController()
    const call = errorOf(verifier.verifyBlobs(blobs(200), { signal: controller.signal }))
    controller.abort(reason)
    expect(await call).toBe(reason)
  })

  it('is a TimeoutError for a time limit', async () => {
    await open()
    const error = await errorOf(verifier.verifyBlobs(blobs(200), { signal: AbortSignal.timeout(1) }))
    expect(error).toBeInstanceOf(DOMException)
    expect(error.name).toBe('TimeoutError')
  })

  it('comes from a warm-up too', async () => {
    await open()
    expect((await errorOf(verifier.warmup({ signal: AbortSignal.abort() }))).name).toBe('AbortError')
    const controller = new AbortController()
    const call = errorOf(verifier.warmup({ signal: controller.signal }))
    controller.abort()
    expect((await call).name).toBe('AbortError')
  })
})

it('no listener stays on a signal, however the call ends', async () => {
  await open()
  const controller = new AbortController()
  const { signal, listeners } = countedSignal(controller)
  await verifier.verifyBlobs(blobs(2), { signal })
  await verifier.verifyBlobs([], { signal })
  await verifier.warmup({ signal })
  await turn()
  expect(listeners()).toBe(0)
  const call = errorOf(verifier.verifyBlobs(blobs(20, 50), { signal }))
  await turn()
  expect(listeners()).toBeGreaterThan(0)
  await verifier.dispose()
  expect(await call).toBeInstanceOf(DisposedError)
  await turn()
  expect(listeners()).toBe(0)
})

describe.each([0, 1, 3])('dispose, %i workers', (workers) => {
  it('ends calls at every step with DisposedError, and later ones at once', async () => {
    await (workers > 0 ? openGated(workers) : open({ workers }))
    const calls = [errorOf(verifier.verifyBlobs(blobs(30)))]
    await (workers > 0 ? until(() => gate.held > 0) : turn())
    calls.push(errorOf(verifier.verifyBlobs(blobs(20, 100))), errorOf(verifier.verifyBlobs(blobs(30))))
    await Promise.all([verifier.dispose(), verifier.dispose()])
    await verifier.dispose()
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(DisposedError)
      expect(error.name).toBe('DisposedError')
    }
    const later = [
      verifier.verifyBlobs([]),
      verifier.verifyCells([]),
      verifier.verifyBlobSidecars([]),
      verifier.warmup(),
    ]
    for (const error of await Promise.all(later.map(errorOf))) expect(error).toBeInstanceOf(DisposedError)
    expect(verifier.stats().errors).toBe(0)
  })

  it('ends a warm-up', async () => {
    await open({ workers })
    const warm = errorOf(verifier.warmup())
    await verifier.dispose()
    expect(await warm).toBeInstanceOf(DisposedError)
  })

  it('where the engine has the symbol, `await using` would call it', async () => {
    await open({ workers })
    if (typeof Symbol.asyncDispose !== 'symbol')
      return expect(Object.getOwnPropertySymbols(verifier)).toEqual([])
    await verifier[Symbol.asyncDispose]()
    expect(await errorOf(verifier.verifyBlobs([]))).toBeInstanceOf(DisposedError)
  })

  it('in the middle of copying', async () => {
    await open({ workers })
    // Copying pauses after some megabytes.
    const call = errorOf(verifier.verifyBlobs(blobs(80)))
    await verifier.dispose()
    expect(await call).toBeInstanceOf(DisposedError)
  })
})

describe.each([0, 2])('progress, %i workers', (workers) => {
  const watched = async (items: readonly MadeBlob[], cheap = false): Promise<Progress[]> => {
    const events: Progress[] = []
    await verifier.verifyBlobs(items, {
      mode: cheap ? 'cheap' : 'full',
      onProgress: (event) => events.push(event),
    })
    return events
  }

  it.each([1, 7, 20])('rises by stages, never falls, and ends at the total of %i', async (count) => {
    await open({ workers })
    // The second time from the cache, with duplicates; and with items that the checks refuse.
    const broken = { ...makeBlob(1), proof: '0x00' as const }
    for (const items of [
      blobs(count),
      [...blobs(count), ...blobs(count)],
      [...blobs(count), broken as never],
    ]) {
      const events = await watched(items)
      for (const stage of ['check', 'kzg'] as const) {
        const done = events.filter((event) => event.stage === stage).map((event) => event.done)
        expect(done.at(-1)).toBe(items.length)
        expect(done.every((value, at) => value > (done[at - 1] ?? 0))).toBe(true)
      }
      expect(events.every(({ total }) => total === items.length)).toBe(true)
    }
  })

  it('a listener that throws does no harm', async () => {
    await open({ workers })
    const verdicts = await verifier.verifyBlobs(blobs(5), {
      onProgress() {
        throw new Error('not my day')
      },
    })
    expect(verdicts.every(isValid)).toBe(true)
  })

  it('is silent after an abort', async () => {
    await open({ workers })
    const controller = new AbortController()
    const events: Progress[] = []
    const call = verifier.verifyBlobs(blobs(20), {
      signal: controller.signal,
      onProgress(event) {
        events.push(event)
        controller.abort()
      },
    })
    await errorOf(call)
    await turn(100)
    expect(events).toHaveLength(1)
  })
})
