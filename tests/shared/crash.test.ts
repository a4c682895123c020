/**
 * Workers die: of memory, of a bug, of an engine that reclaims them; in browsers without any event. It costs no verdict:
 * what was in flight is tried once more, alone, and what kills workers comes back as an error, by itself.
 */
import {
  createVerifier,
  type Verdict,
  type Verifier,
  type VerifierOptions,
  WasmUnavailableError,
} from 'blobcheck'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  makeBadBlob,
  makeBlob,
  makeCell,
  type MadeBlob,
  range,
  seeded,
  shuffled,
  turn,
  until,
} from '../support/make.ts'
import { invented, makeParts, makeSidecars, slots, transactionOf } from '../support/blocks.ts'
import { inBrowser, readText } from '../support/files.ts'
import { useGlobalTimers } from '../support/global-timers.ts'
import { makeGate, type Threads, trapWorker, watchThreads } from '../support/threads.ts'

const POISON = 77
const COMPANY = 78

let verifier: Verifier | undefined
let threads: Threads
beforeEach(async () => void (threads = await watchThreads()))
afterEach(async () => {
  threads.stop()
  await verifier?.dispose()
  verifier = undefined
})

const open = async (options: VerifierOptions): Promise<Verifier> =>
  (verifier = await createVerifier({ cache: false, ...options }))

const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)
const blobs = (count: number): MadeBlob[] => range(count).map((at) => makeBlob(at + 1))
const valid = (count: number): string[] => Array<string>(count).fill('valid')

it('what a worker took over is lost with it, and an error; what was copied is not', async () => {
  await open({ workers: 1, workerUrl: trapWorker({ poison: POISON, checks: true }) })
  const [taken, shared, poison] = [1, 2, POISON].map((constant) => structuredClone(makeBlob(constant)))
  // What several items share is copied.
  const items = [taken!, shared!, poison!, { ...shared! }]
  const verdicts = await verifier!.verifyBlobs(items, { transfer: true })
  expect(statuses(verdicts)).toEqual(['error', 'valid', 'error', 'valid'])
  expect(verdicts[0]).toMatchObject({ reason: 'worker-crashed' })
})

it.each([1, 2])('the first crash is told with its cause, and no other one, %i workers', async (workers) => {
  const onWarning = vi.fn()
  await open({ workers, workerUrl: trapWorker({ poison: POISON }), onWarning })
  await verifier!.verifyBlobs(blobs(2))
  expect(onWarning).not.toHaveBeenCalled()
  await verifier!.verifyBlobs([makeBlob(POISON)])
  expect(verifier!.stats().crashes).toBe(2)
  expect(onWarning).toHaveBeenCalledExactlyOnceWith({
    code: 'worker-crashed',
    message: expect.stringMatching(/^a worker crashed: \w.+; another one takes its place$/) as string,
  })
})

it('a transaction that was taken over is read once more for each of its blobs', async () => {
  await open({ workers: 1, workerUrl: trapWorker({ company: COMPANY }) })
  const transaction = transactionOf(await makeParts([1, 2, COMPANY, 4, 5, 6], 4844))
  const verdict = await verifier!.verifyBlobTransaction(transaction, { fork: 'cancun', transfer: true })
  expect(statuses(verdict.blobs)).toEqual(valid(6))
  expect(verifier!.stats()).toMatchObject({ crashes: 1, errors: 0 })
})

it('the text of an answer whose parsing workers die of is an item and an error', async () => {
  await open({ workers: 1, workerUrl: trapWorker({ parse: true }) })
  expect(statuses(await verifier!.verifyBlobSidecars('{"data":[]}'))).toEqual(['error'])
  expect(verifier!.stats()).toMatchObject({ items: 1, errors: 1, crashes: 2 })
})

it('the text of an answer is parsed once more where a worker died with what it had parsed', async () => {
  await open({ workers: 1, network: invented, workerUrl: trapWorker({ company: COMPANY, checks: true }) })
  const { sidecars } = await makeSidecars(slots.deneb, [1, COMPANY, 3])
  const text = JSON.stringify({ data: sidecars })
  expect(statuses(await verifier!.verifyBlobSidecars(text))).toEqual(valid(3))
  // In the checks, and in the batch.
  expect(verifier!.stats()).toMatchObject({ crashes: 2, errors: 0 })
})

describe.each([1, 3])('with %i workers', (workers) => {
  it('a worker that dies of a batch costs no verdict in it', async () => {
    await open({ workers, workerUrl: trapWorker({ company: COMPANY }) })
    const verdicts = await verifier!.verifyBlobs([...blobs(9), makeBlob(COMPANY), makeBadBlob(10)])
    expect(statuses(verdicts)).toEqual([...valid(10), 'invalid'])
    expect(verifier!.stats()).toMatchObject({ crashes: 1, errors: 0, kzgItems: 11 })
    expect(verifier!.stats().retries).toBeGreaterThan(1)
  })

  it('what always kills its worker comes back as an error, and nothing else does', async () => {
    await open({ workers, workerUrl: trapWorker({ poison: POISON }) })
    const items = shuffled([...blobs(8), makeBlob(POISON), makeBadBlob(10)], seeded(workers))
    const verdicts = await verifier!.verifyBlobs(items)
    items.forEach(({ blob }, at) => {
      const c = new DataView(blob.buffer).getUint32(blob.length - 4)
      expect(verdicts[at]?.status).toBe(c === POISON ? 'error' : c === 10 ? 'invalid' : 'valid')
    })
    expect(verdicts.find(({ status }) => status === 'error')).toMatchObject({
      reason: 'worker-crashed',
      links: { kzg: 'absent' },
    })
    expect(verifier!.stats()).toMatchObject({ crashes: 2, errors: 1 })
    // The dead were replaced, and nothing of it is remembered.
    expect(statuses(await verifier!.verifyBlobs(blobs(8)))).toEqual(valid(8))
    expect(verifier!.stats().crashes).toBe(2)
    expect(threads.started).toBe(workers + 2)
  })

  it('so does what kills it in the cheap checks', async () => {
    await open({ workers, workerUrl: trapWorker({ poison: POISON, checks: true }) })
    const verdicts = await verifier!.verifyCells([
      ...range(20).map((c) => makeCell(c + 1, c)),
      makeCell(POISON, 5),
    ])
    expect(statuses(verdicts)).toEqual([...valid(20), 'error'])
    expect(verifier!.stats()).toMatchObject({ crashes: 2, errors: 1 })
  })

  it('a closing pairing that never comes back costs no verdict', async () => {
    await open({ workers, workerUrl: trapWorker({ close: true }) })
    expect(statuses(await verifier!.verifyBlobs([...blobs(6), makeBadBlob(7)]))).toEqual([
      ...valid(6),
      'invalid',
    ])
    // A single worker needs no separate closing.
    expect(verifier!.stats().crashes).toBe(workers === 1 ? 0 : 2)
  })

  it('a worker killed from outside, at any moment, costs no verdict, and no promise hangs', async () => {
    await open({ workers })
    const random = seeded(workers)
    for (const round of range(8)) {
      const batch = [...range(12).map((at) => makeBlob(100 * round + at + 1)), makeBadBlob(100 * round + 50)]
      const call = verifier!.verifyBlobs(batch)
      await turn(random() * 80)
      const noticed = threads.killOne(random)
      expect(statuses(await call)).toEqual([...valid(12), 'invalid'])
      // It may have come too late: then the next batch would meet two dead ones.
      await noticed
    }
    expect(verifier!.stats()).toMatchObject({ items: 8 * 13, errors: 0, invalid: 8 })
  })

  it('nor does the text of an answer, whose worker dies of nothing in it', async () => {
    await open({ workers, network: 'holesky' })
    // All have started, so that the text is with one of them as soon as the call is made.
    await verifier!.warmup()
    const call = verifier!.verifyBlobSidecars(await readText('data/holesky_1409759_blob_sidecars.json'))
    const noticed = threads.killAll()
    expect(statuses(await call)).toEqual(valid(6))
    await noticed
    expect(verifier!.stats().crashes).toBeGreaterThan(0)
  })

  it('all workers killed at once cost no verdict', async () => {
    await open({ workers })
    const random = seeded(workers + 10)
    for (const round of range(4)) {
      const batch = [...range(6).map((at) => makeBlob(50 * round + at + 1)), makeBadBlob(50 * round + 40)]
      const call = verifier!.verifyBlobs(batch)
      await turn(random() * 60)
      const noticed = threads.killAll()
      expect(statuses(await call)).toEqual([...valid(6), 'invalid'])
      await noticed
    }
    expect(verifier!.stats().errors).toBe(0)
  })

  it('workers killed again and again leave errors at worst, never a wrong verdict', async () => {
    await open({ workers })
    const killer = setInterval(() => void threads.killAll(), 30)
    const call = verifier!.verifyBlobs([...blobs(10), makeBadBlob(11)])
    await turn(300)
    clearInterval(killer)
    const verdicts = await call
    expect(
      statuses(verdicts)
        .slice(0, 10)
        .every((status) => status === 'valid' || status === 'error'),
    ).toBe(true)
    expect(['invalid', 'error']).toContain(verdicts[10]?.status)
    // Afterwards all is well.
    expect(statuses(await verifier!.verifyBlobs([...blobs(4), makeBadBlob(11)]))).toEqual([
      ...valid(4),
      'invalid',
    ])
  })

  it('workers killed while they have nothing to do are missed by nobody', async () => {
    await open({ workers })
    await verifier!.verifyBlobs(blobs(4))
    const before = threads.started
    await threads.killAll()
    expect(statuses(await verifier!.verifyBlobs(blobs(4)))).toEqual(valid(4))
    expect(threads.started).toBeGreaterThan(before)
    expect(verifier!.stats().errors).toBe(0)
  })

  // Where there are no Web Locks, the end of a worker is an event.
  if (inBrowser)
    it('a watch that the browser has ended, as WebKit does where a page is left, is taken up again', async () => {
      const { request } = LockManager.prototype
      let ended = 0
      vi.spyOn(LockManager.prototype, 'request').mockImplementation(function (
        this: LockManager,
        ...given: unknown[]
      ) {
        if (ended++ < workers) return Promise.reject(new DOMException('the page goes away', 'AbortError'))
        return Reflect.apply(request, this, given) as Promise<unknown>
      } as never)
      await open({ workers })
      await verifier!.warmup()
      const call = verifier!.verifyBlobs([...blobs(6), makeBadBlob(7)])
      await turn(10)
      await threads.killAll()
      expect(statuses(await call)).toEqual([...valid(6), 'invalid'])
      expect(ended).toBeGreaterThan(workers)
      vi.restoreAllMocks()
    })

  it('a warm-up in which a worker dies still ends', async () => {
    await open({ workers })
    const warm = verifier!.warmup()
    void threads.killAll()
    await warm
    expect(statuses(await verifier!.verifyBlobs(blobs(2)))).toEqual(valid(2))
  })
})

describe('calls that share what crashed', () => {
  it('both get their verdicts', async () => {
    await open({ workers: 2, workerUrl: trapWorker({ company: COMPANY, poison: POISON }) })
    const shared = [makeBlob(COMPANY), makeBlob(POISON), makeBlob(1)]
    const [first, second] = await Promise.all([
      verifier!.verifyBlobs(shared),
      verifier!.verifyBlobs([...shared].reverse()),
    ])
    expect(statuses(first)).toEqual(['valid', 'error', 'valid'])
    expect(statuses(second)).toEqual(['valid', 'error', 'valid'])
  })

  it.each([
    [1, 'left, and wrote'],
    [2, 'left, and wrote'],
    [1, 'wrote'],
    [2, 'wrote'],
  ])('with %i workers, a caller who %s over what it gave costs the other nothing', async (workers, how) => {
    const gate = makeGate()
    await open({ workers, workerUrl: trapWorker({ gate: gate.name }) })
    const mine = range(6).map((at) => makeBlob(at + 1))
    const theirs = mine.map((item) => ({ ...item, blob: new Uint8Array(item.blob) }))
    const controller = new AbortController()
    const careless = verifier!.verifyBlobs(theirs, { signal: controller.signal })
    const careful = verifier!.verifyBlobs(mine)
    await until(() => gate.held === workers)
    // What the workers hold was given to them: it dies with them, and is read again from those who still wait.
    if (how !== 'wrote') {
      controller.abort()
      await expect(careless).rejects.toThrow('abort')
    }
    for (const { blob } of theirs) blob.fill(0xff)
    void threads.killAll()
    gate.open()
    expect(statuses(await careful)).toEqual(valid(6))
    expect(verifier!.stats()).toMatchObject({ crashes: workers, retries: 6, errors: 0 })
    gate.close()
  })

  it('an error is not remembered: the same data is tried anew', async () => {
    await open({ workers: 1, cache: 'auto', workerUrl: trapWorker({ poison: POISON }) })
    for (const crashes of [2, 4]) {
      expect(statuses(await verifier!.verifyBlobs([makeBlob(POISON)]))).toEqual(['error'])
      expect(verifier!.stats()).toMatchObject({ crashes, cacheHits: 0 })
    }
  })
})

describe('workers that never come to life', () => {
  const missing = new URL('no-such-worker.js', import.meta.url)

  it.each([1, 2, 4])('%i that cannot be loaded: WasmUnavailableError', async (workers) => {
    await expect(open({ workers, workerUrl: missing })).rejects.toThrow(WasmUnavailableError)
  })

  it('with workers left to us, the calling thread does the work', async () => {
    await open({ workerUrl: missing, onWarning: () => {} })
    expect(verifier!.workers).toBe(0)
    expect(statuses(await verifier!.verifyBlobs([...blobs(3), makeBadBlob(4)]))).toEqual([
      ...valid(3),
      'invalid',
    ])
  })

  it.each(['start', 'setup'] as const)(
    'that die at %s: WasmUnavailableError, without waiting for ever',
    async (trap) => {
      const pause = globalThis.setTimeout
      useGlobalTimers()
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      try {
        let refusal: unknown
        const opening = open({ workers: 2, workerUrl: trapWorker({ [trap]: true }) })
        void opening.catch((error: unknown) => (refusal = error))
        while (refusal === undefined) {
          await vi.advanceTimersByTimeAsync(1_000)
          await new Promise((resolve) => pause(resolve, 20))
        }
        expect(refusal).toBeInstanceOf(WasmUnavailableError)
      } finally {
        vi.useRealTimers()
      }
    },
  )
})

it('with no workers there is nothing to kill', async () => {
  await open({ workers: 0 })
  expect(statuses(await verifier!.verifyBlobs([...blobs(3), makeBadBlob(4)]))).toEqual([
    ...valid(3),
    'invalid',
  ])
  expect(threads.started).toBe(0)
})
