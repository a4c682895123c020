/**
 * Traces: each step is told of once it has ended, by its stage, its items, its worker and its time; spans of an item follow the order of
 * the steps; and whoever listens, or does not, changes nothing else.
 */
import {
  createVerifier,
  MemoryCache,
  type TraceEvent,
  type TraceStage,
  type Verdict,
  type Verifier,
  type VerifierOptions,
} from 'blobcheck'
import { createVerifier as createInline } from 'blobcheck/inline'
import { createBeaconApp } from 'blobcheck/serve'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeParts, transactionOf } from '../support/blocks.ts'
import { readText } from '../support/files.ts'
import { makeBadBlob, makeBlob, makeCell, type MadeBlob, range, until } from '../support/make.ts'
import { ask, blobSidecars, handChain, SSZ } from '../support/served.ts'
import { makeGate, trapWorker } from '../support/threads.ts'

const COMPANY = 78

let verifier: Verifier | undefined
let events: TraceEvent[]
beforeEach(() => void (events = []))
afterEach(async () => {
  await verifier?.dispose()
  verifier = undefined
})

const open = async (options: VerifierOptions): Promise<Verifier> =>
  (verifier = await createVerifier({
    cache: new MemoryCache(),
    onTrace: (event) => void events.push(event),
    ...options,
  }))

const blobs = (count: number, from = 1): MadeBlob[] => range(count).map((at) => makeBlob(from + at))
const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)

/** What was told of an item, in the order in which it began. */
const spansOf = (call: number, item: number | null): TraceEvent[] =>
  events
    .filter(({ items }) => items.some((one) => one.call === call && one.item === item))
    .sort((one, other) => one.start - other.start)
const stagesOf = (call: number, item: number | null): TraceStage[] =>
  spansOf(call, item).map(({ stage }) => stage)
const stagesIn = (stage: TraceStage): TraceEvent[] => events.filter((event) => event.stage === stage)

/** What holds of all that is ever told. */
function expectSound(workers: number): void {
  for (const { stage, items, worker, start, end } of events) {
    expect(start).toBeLessThanOrEqual(end)
    expect(end).toBeLessThanOrEqual(performance.now())
    expect(new Set(items.map(({ call, item }) => `${call} ${item}`)).size).toBe(items.length)
    expect(items.length).toBeGreaterThan(0)
    const isPooled = stage === 'parse' || stage === 'check' || stage === 'kzg' || stage === 'close'
    if (!isPooled || workers === 0) expect(worker).toBeNull()
    else expect(range(workers)).toContain(worker)
  }
  for (const lane of workers === 0 ? [null] : range(workers)) {
    const spans = events
      .filter(({ stage, worker }) => worker === lane && /^(parse|check|kzg|close)$/.test(stage))
      .sort((one, other) => one.start - other.start || one.end - other.end)
    spans.slice(1).forEach(({ start }, at) => expect(spans[at]!.end).toBeLessThanOrEqual(start))
  }
}

/** That spans follow each other. */
function expectInOrder(spans: readonly TraceEvent[]): void {
  spans.slice(1).forEach(({ start }, at) => expect(spans[at]!.end).toBeLessThanOrEqual(start))
}

describe.each([0, 1, 2])('with %i workers', (workers) => {
  it('each item has the spans of the steps that it went through, in their order', async () => {
    await open({ workers })
    const malformed = { ...makeBlob(7), proof: new Uint8Array(47) }
    const items = [...blobs(4), makeBlob(2), malformed, makeBlob(8)]
    const verdicts = await verifier!.verifyBlobs(items)
    expect(statuses(verdicts)).toEqual([...Array<string>(5).fill('valid'), 'malformed', 'valid'])
    expectSound(workers)
    verdicts.forEach(({ status }, item) => {
      const spans = spansOf(0, item)
      expectInOrder(spans.filter(({ stage }) => stage !== 'close'))
      const stages = spans.map(({ stage }) => stage).filter((stage) => stage !== 'close')
      expect(stages).toEqual(status === 'malformed' ? ['check'] : ['check', 'cache', 'queue', 'kzg'])
    })
    // The duplicate is in the same spans.
    const ofFirst = spansOf(0, 1).filter(({ stage }) => stage !== 'check')
    expect(spansOf(0, 4).filter(({ stage }) => stage !== 'check')).toEqual(ofFirst)
    expect(events.every(({ items: named }) => named.every(({ call }) => call === 0))).toBe(true)
  })

  it('a batch of several groups is closed after them', async () => {
    await open({ workers })
    // Of a worker that is still to start, the other one does the work.
    await verifier!.warmup()
    await verifier!.verifyBlobs(blobs(16))
    expectSound(workers)
    const [groups, closings] = [stagesIn('kzg'), stagesIn('close')]
    if (workers === 2) {
      expect(groups).toHaveLength(2)
      expect(new Set(groups.map(({ worker }) => worker)).size).toBe(2)
      expect(closings.length).toBeGreaterThan(0)
    }
    for (const { start, items } of closings) {
      expect(start).toBeGreaterThanOrEqual(Math.max(...groups.map(({ end }) => end)))
      expect(items).toHaveLength(16)
    }
    expect(groups.flatMap(({ items }) => items)).toHaveLength(16)
  })

  it('what the cache knows goes no further, nor does what was refused before', async () => {
    await open({ workers })
    const items = [makeBlob(1), makeBadBlob(2)]
    expect(statuses(await verifier!.verifyBlobs(items))).toEqual(['valid', 'invalid'])
    expect(stagesOf(0, 1)).toContain('kzg')
    expect(statuses(await verifier!.verifyBlobs(items))).toEqual(['valid', 'invalid'])
    for (const item of range(2)) expect(stagesOf(1, item)).toEqual(['check', 'cache'])
    expectSound(workers)
  })

  it('without a cache there is no look-up', async () => {
    await open({ workers, cache: false })
    await verifier!.verifyBlobs(blobs(1))
    expect(stagesOf(0, 0)).toEqual(['check', 'queue', 'kzg'])
  })

  it('calls are counted as they are made', async () => {
    await open({ workers })
    await Promise.all([
      verifier!.verifyBlobs(blobs(2)),
      verifier!.verifyCells([makeCell(3, 5)]),
      verifier!.verifyBlobs(blobs(3, 4)),
    ])
    expectSound(workers)
    for (const [call, count] of [2, 1, 3].entries()) {
      const named = events.flatMap(({ items }) => items).filter((one) => one.call === call)
      expect(new Set(named.map(({ item }) => item))).toEqual(new Set(range(count)))
      for (const item of range(count)) {
        expect([...new Set(stagesOf(call, item))].slice(0, 4)).toEqual(['check', 'cache', 'queue', 'kzg'])
      }
    }
    // Those that reject before they have begun are not counted.
    await expect(verifier!.verifyBlobs(5 as never)).rejects.toThrow(TypeError)
    const text = await readText('data/holesky_1409759_blob_sidecars.json')
    await expect(verifier!.verifyBlobSidecars(text, { signal: AbortSignal.abort() })).rejects.toThrow()
    await verifier!.verifyBlobs(blobs(1, 9))
    expect(stagesOf(3, 0)).toContain('kzg')
  })

  it('nobody is told of KZG for what was aborted before', async () => {
    await open({ workers })
    const controller = new AbortController()
    const call = verifier!.verifyBlobs(blobs(40), {
      signal: controller.signal,
      onProgress: ({ stage }) => void (stage === 'check' && controller.abort()),
    })
    await expect(call).rejects.toThrow()
    await verifier!.verifyBlobs([makeBlob(50)])
    expect(stagesOf(1, 0)).toEqual(['check', 'cache', 'queue', 'kzg'])
    expect(new Set(range(40).flatMap((item) => stagesOf(0, item)))).toEqual(new Set(['check']))
    expectSound(workers)
  })

  it('text is parsed for a call as a whole', async () => {
    await open({ workers, network: 'holesky' })
    const text = await readText('data/holesky_1409759_blob_sidecars.json')
    const [verdicts] = await Promise.all([
      verifier!.verifyBlobSidecars(text),
      verifier!.verifyBlobs([makeBlob(1)]),
    ])
    expect(statuses(verdicts)).toEqual(Array<string>(6).fill('valid'))
    expect(stagesOf(0, null)).toEqual(['parse'])
    for (const item of range(6))
      expect(spansOf(0, item)[0]!.start).toBeGreaterThanOrEqual(spansOf(0, null)[0]!.end)
    expect(stagesOf(1, 0)).toContain('kzg')
    expectSound(workers)
  })

  it('a transaction is one item, whatever blobs it has', async () => {
    await open({ workers })
    const bytes = transactionOf(await makeParts([1, 2], 4844))
    expect(await verifier!.verifyBlobTransaction(bytes, { fork: 'cancun' })).toMatchObject({
      status: 'valid',
    })
    // Its blobs may be in two groups.
    expect([...new Set(stagesOf(0, 0))].slice(0, 4)).toEqual(['check', 'cache', 'queue', 'kzg'])
    await verifier!.verifyBlobTransaction('0x03', { fork: 'osaka' })
    expect(stagesOf(1, 0)).toEqual(['check'])
    expectSound(workers)
  })

  it('a listener that throws, or rejects, disturbs nothing', async () => {
    let told = 0
    const items = [...blobs(5), makeBadBlob(6)]
    const expected = [...Array<string>(5).fill('valid'), 'invalid']
    await open({
      workers,
      onTrace: () => {
        told++
        throw new Error('a listener of the caller’s')
      },
    })
    expect(statuses(await verifier!.verifyBlobs(items))).toEqual(expected)
    await verifier!.dispose()
    await open({ workers, onTrace: async () => await Promise.reject(new Error(`event ${told++}`)) })
    expect(statuses(await verifier!.verifyBlobs(items))).toEqual(expected)
    expect(told).toBeGreaterThanOrEqual(8)
  })
})

describe.each([1, 2])('crashes, with %i workers', (workers) => {
  it('a task that a worker dies of has ended, and the next attempt is a span of its own', async () => {
    await open({ workers, workerUrl: trapWorker({ company: COMPANY }) })
    expect(statuses(await verifier!.verifyBlobs([...blobs(3), makeBlob(COMPANY)]))).toEqual(
      Array<string>(4).fill('valid'),
    )
    expect(verifier!.stats().crashes).toBe(1)
    const spans = spansOf(0, 3)
    expectInOrder(spans)
    expect(spans.map(({ stage }) => stage)).toEqual(['check', 'cache', 'queue', 'kzg', 'check', 'kzg'])
    // Its bytes were lost, and so it is checked once more.
    expect(spans.at(-1)!.items).toEqual([{ call: 0, item: 3 }])
    expectSound(workers)
  })

  it('so it is in the checks', async () => {
    await open({ workers, workerUrl: trapWorker({ poison: COMPANY, checks: true }) })
    const items = [makeCell(1, 1), makeCell(COMPANY, 5)]
    expect(statuses(await verifier!.verifyCells(items))).toEqual(['valid', 'error'])
    expect(stagesOf(0, 1)).toEqual(['check', 'check'])
    expectSound(workers)
  })

  it('who left while others wait is named in what was under way', async () => {
    const gate = makeGate()
    try {
      await open({ workers, workerUrl: trapWorker({ gate: gate.name }) })
      const controller = new AbortController()
      const [left, stayed] = [
        verifier!.verifyBlobs([makeBlob(1)], { signal: controller.signal }),
        verifier!.verifyBlobs([makeBlob(1)]),
      ]
      await until(() => gate.held > 0 && stagesIn('check').length === 2)
      controller.abort()
      await expect(left).rejects.toThrow()
      gate.open()
      expect(statuses(await stayed)).toEqual(['valid'])
      const [span, ...others] = stagesIn('kzg')
      expect(others).toEqual([])
      expect(new Set(span!.items.map(({ call }) => call))).toEqual(new Set([0, 1]))
    } finally {
      gate.close()
    }
  })
})

describe('what is loaded for a call', () => {
  it('nothing, in the single file', async () => {
    verifier = await createInline({ workers: 0, onTrace: (event) => void events.push(event) })
    await verifier.verifyBlobs(blobs(1))
    expect(events.map(({ stage }) => stage)).toEqual(['check', 'cache', 'queue', 'kzg'])
  })

  it('a block as the anchor is decoded, and signatures are verified, for the call as a whole', async () => {
    const chain = await handChain({ slots: 40, blobsPerBlock: 1 })
    const app = createBeaconApp({ chain })
    const block = (await ask(app, '/eth/v2/beacon/blocks/head', SSZ)).bytes
    const sidecars = (await ask(app, blobSidecars('head'), SSZ)).bytes
    await open({ workers: 1, network: chain.network })
    const { proposerKey } = chain
    const verdicts = await verifier!.verifyBlobSidecars(sidecars, { anchor: { block }, proposerKey })
    expect(verdicts).toMatchObject([{ status: 'valid', links: { signature: 'verified' } }])
    expect(stagesOf(0, null)).toEqual(['anchor', 'signature'])
    expect(events.map(({ stage }) => stage)).toEqual([
      'anchor',
      'check',
      'signature',
      'cache',
      'queue',
      'kzg',
    ])
    expectInOrder(events)
    expectSound(1)
  })
})

describe('without a listener', () => {
  it('no clock is read', async () => {
    const clock = vi.spyOn(performance, 'now')
    try {
      const readings = async (options: VerifierOptions): Promise<number> => {
        await open({ workers: 0, ...options })
        clock.mockClear()
        await verifier!.verifyBlobs(blobs(3))
        const { length } = clock.mock.calls
        await verifier!.dispose()
        return length
      }
      expect(await readings({})).toBeGreaterThan(4)
      expect(await readings({ onTrace: undefined as never })).toBe(0)
    } finally {
      clock.mockRestore()
    }
  })

  it('what is no function is a TypeError', async () => {
    await expect(createVerifier({ onTrace: 5 as never })).rejects.toThrow(
      new TypeError('onTrace must be a function'),
    )
  })
})
