/** One block on its way to a report: its header, what its slot decides, what is told meanwhile, and what is left behind. */
import { getEventListeners } from 'node:events'
import type { Resolution, SampledHeader } from 'blobcheck/sampler'
import { afterEach, describe, expect, it } from 'vitest'
import type { SampleEvent, SampleReport } from '../../dist/sampler/report.js'
import { sampleBlock } from '../../dist/sampler/sample.js'
import { turn } from '../support/make.ts'
import { errorOf, giving } from '../support/sample-context.ts'
import { chainParts, firstOf, headerOf, MOST, vouched, word } from '../support/sampled-chain.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
afterEach(() => time.end())

type Call = Parameters<typeof sampleBlock>[1]
type Chain = Parameters<typeof chainParts>[0]

/** Samples a block, by its slot unless its header is given; what was told, and who was asked. */
function sample({ chain = {}, sizes = [4], ...more }: Partial<Call> & { chain?: Chain; sizes?: number[] }) {
  const { parts, lookedUp, asked } = chainParts(chain)
  const events: SampleEvent[] = []
  const headers: SampledHeader[] = []
  const report = sampleBlock(parts, {
    ...{ id: 7, deadlineMs: 10_000, reconstruct: false, signal: undefined },
    plan: { sizes, errors: sizes.map((_, missing) => errorOf(missing)), maxError: 0.5 },
    notify: (event) => void events.push(event),
    onHeader: (header) => void headers.push(header),
    ...more,
  })
  return { report, events, headers, lookedUp, asked }
}

const at = (slot: number) => ({ slot, root: word(9) })

describe('a header', () => {
  it('of which nobody knows leaves a report that says so, and what became of the time', async () => {
    time.begin()
    await time.pass(40)
    const unknown: Resolution = { status: 'unknown', detail: 'no idea' }
    for (const [said, expected] of [
      [{ status: 'no-block' }, { verdict: 'no-block', reason: 'empty-slot', detail: null }],
      [unknown, { verdict: 'unknown', reason: 'no-header', detail: 'no idea' }],
    ] as const) {
      const resolve = (): Promise<Resolution> => turn(300).then(() => said)
      const { report, events, headers, lookedUp, asked } = sample({ chain: { resolve } })
      const all = await time.until(report)
      expect(all).toMatchObject({ id: 7, block: null, via: 'header', bytes: 0, ...expected })
      expect(all.blobCount).toEqual({ count: null, by: 'unproven' })
      expect(all.timings).toEqual({ headerMs: 300, fetchMs: 0, verifyMs: 0, totalMs: 300 })
      expect(events).toEqual([{ kind: 'done', report: all }])
      expect([headers, lookedUp, asked]).toEqual([[], [7], []])
    }
  })

  it('is looked up where it is not known, and told of before anything is asked of it', async () => {
    const header = headerOf(at(firstOf.none))
    const looked = sample({ chain: { resolve: () => ({ status: 'found', header }) } })
    const known = sample({ header })
    for (const { report, headers } of [looked, known]) {
      expect((await report).block).toEqual({ slot: header.slot, root: header.root })
      expect(headers).toEqual([header])
      expect(headers[0]).toBe(header)
    }
    expect([looked.lookedUp, known.lookedUp]).toEqual([[7], []])
  })

  it('is none where it has no root: that is misuse, and no verdict', async () => {
    const { report, headers, events } = sample({ header: { slot: 1 } as SampledHeader })
    await expect(report).rejects.toThrow(TypeError)
    expect([headers, events]).toEqual([[], []])
  })
})

describe('a call that is aborted', () => {
  const reason = new Error('enough')

  it('before it begins tells of nothing, though its header is known', async () => {
    const signal = AbortSignal.abort(reason)
    const { report, headers, events } = sample({ header: headerOf(at(firstOf.none)), signal })
    await expect(report).rejects.toBe(reason)
    expect([headers, events]).toEqual([[], []])
  })

  it('while its header is looked up rejects with the reason, whatever the source says then', async () => {
    const controller = new AbortController()
    const resolve = (): Resolution => {
      queueMicrotask(() => controller.abort(reason))
      return { status: 'found', header: headerOf(at(firstOf.none)) }
    }
    const { report, headers, events } = sample({ chain: { resolve }, signal: controller.signal })
    await expect(report).rejects.toBe(reason)
    expect([headers, events]).toEqual([[], []])
  })

  it('once its header is known has no report', async () => {
    const controller = new AbortController()
    const { report } = sample({
      header: headerOf(at(firstOf.none)),
      signal: controller.signal,
      notify: () => controller.abort(reason),
    })
    await expect(report).rejects.toBe(reason)
  })

  it.each(['found', 'aborted', 'no header'])(
    'leaves neither a timer nor a listener behind, nor does any other: %s',
    async (end) => {
      time.begin()
      const controller = new AbortController()
      const header = end === 'no header' ? (null as never) : headerOf(at(firstOf.none))
      const resolve = (): Promise<Resolution> => turn(5).then(() => ({ status: 'found', header }))
      const { report } = sample({ chain: { resolve }, signal: controller.signal })
      const settled = Promise.allSettled([report])
      if (end === 'aborted') controller.abort(reason)
      const [{ status }] = await time.until(settled)
      expect(status).toBe(end === 'found' ? 'fulfilled' : 'rejected')
      // But for the source's own.
      expect(time.timers).toBe(end === 'aborted' ? 1 : 0)
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    },
  )
})

describe('what is known without asking anybody', () => {
  it.each<[string, SampledHeader, object]>([
    ['before Deneb', headerOf(at(firstOf.none)), { verdict: 'unknown', reason: 'may-have-no-blobs' }],
    ['before Deneb, proven', vouched(at(firstOf.none)), { verdict: 'no-blobs', reason: 'before-deneb' }],
    [
      'before Deneb, as a light client was told',
      vouched(at(firstOf.none), null, { header: 'trusted' }),
      { verdict: 'unknown', reason: 'may-have-no-blobs' },
    ],
    ['none, proven', vouched(at(firstOf.columns), 0), { verdict: 'no-blobs', reason: 'proven-empty' }],
    [
      'more than there can be, proven',
      vouched(at(firstOf.columns), MOST + 1),
      { verdict: 'unknown', reason: 'unsupported-fork', detail: null },
    ],
    [
      'of a fork that is not known',
      headerOf(at(firstOf.unknown)),
      { verdict: 'unknown', reason: 'unsupported-fork', detail: 'of a fork that began with epoch 50' },
    ],
  ])('%s', async (_, header, expected) => {
    const { report, asked, events } = sample({ header })
    const { slot, root } = header
    const all = await report
    expect(all).toMatchObject({ ...expected, via: 'header', columns: [] })
    expect(asked).toEqual([])
    const blobs = all.blobCount.by === 'proven' ? all.blobCount.count : null
    expect(events).toEqual([
      { kind: 'block', slot, root, blobs },
      { kind: 'done', report: all },
    ])
  })
})

describe('data that is asked for', () => {
  const columns = giving('columns', MOST, () => 'true', firstOf.columns)

  it.each<[string, SampledHeader, string[]]>([
    // Where these tell nothing, the block may.
    ['sidecars of blobs before Fulu', headerOf(at(firstOf.blobs)), ['sidecars', 'block']],
    ['columns since', headerOf(at(firstOf.columns)), ['columns', 'block']],
    [
      'columns where as many blobs as there can be are proven',
      vouched(at(firstOf.columns), MOST),
      ['columns'],
    ],
  ])('is %s', async (_, header, expected) => {
    const { report, asked } = sample({ header })
    await report
    expect([...new Set(asked.map(({ what }) => what))]).toEqual(expected)
  })

  it.each([1, 2])('is of as many blobs as its columns say, as long as none are proven: %i', async (blobs) => {
    const header = headerOf(at(firstOf.columns))
    const { report } = sample({
      header,
      chain: { node: giving('columns', blobs, () => 'true', firstOf.columns) },
    })
    expect((await report).blobCount).toEqual({ count: blobs, by: 'committed' })
  })

  it('is what the bytes of a report are, and where the time went', async () => {
    time.begin()
    await time.pass(40)
    const node: typeof columns = async (question) => {
      await turn(200)
      return await columns(question)
    }
    const header = headerOf(at(firstOf.columns))
    const resolve = (): Promise<Resolution> => turn(30).then(() => ({ status: 'found', header }))
    const all = await time.until(sample({ chain: { node, resolve } }).report)
    expect(all.timings).toEqual({ headerMs: 30, fetchMs: 200, verifyMs: 0, totalMs: 230 })
    expect(all.bytes).toBeGreaterThan(0)
    expect(all.bytes).toBe(all.endpoints[0]!.bytes)
  })
})

describe('what nobody has verified', () => {
  const block = { ...at(firstOf.bids), blobs: 0 }
  const always = ['proposer-signature', 'columns-not-sampled', 'independence-of-endpoints'] as const
  const told = ({ notVerified }: SampleReport): string[] => [...notVerified]

  it.each<string[]>([[], ['header'], ['sync-committee'], ['checkpoint']])(
    'of its header is what a light client has not verified: %s',
    async (...names) => {
      const links = Object.fromEntries(names.map((name) => [name, 'trusted']))
      const { report } = sample({ header: vouched(block, null, links), chain: { blocks: [block] } })
      const count = names.includes('header') ? ['blob-count'] : []
      expect(new Set(told(await report))).toEqual(new Set([...names, ...count, ...always]))
    },
  )

  it.each([4, 64])('of its data is what a cache vouches for, were it one column of %i', async (size) => {
    const header = headerOf(at(firstOf.columns))
    for (const truth of ['true', 'known'] as const) {
      let given = 0
      const node = giving('columns', MOST, () => (given++ === 0 ? truth : 'true'), firstOf.columns)
      const report = await sample({ header, chain: { node }, sizes: [size] }).report
      expect(report.verdict).toBe('available')
      expect(told(report).includes('kzg')).toBe(truth === 'known')
      expect(report.confidence.assumption.includes('cache')).toBe(truth === 'known')
      expect(report.confidence.certain).toBe(size === 64)
    }
    const nothing = giving('columns', MOST, () => 'lacking')
    expect(told(await sample({ header, chain: { node: nothing } }).report)).not.toContain('kzg')
  })

  it('of its data is what was not sampled, where the rest does not follow from it', async () => {
    const header = headerOf(at(firstOf.columns))
    const node = giving('columns', MOST, (index) => (index < 64 ? 'true' : 'lacking'), firstOf.columns)
    const few = giving('columns', MOST, (index) => (index < 9 ? 'true' : 'lacking'), firstOf.columns)
    for (const [sizes, chain, isSaid] of [
      [[4], { node }, true],
      [[64], { node }, false],
      [[128], { node: few }, false],
    ] as const) {
      const report = await sample({ header, chain, sizes: [...sizes] }).report
      expect(told(report).includes('columns-not-sampled')).toBe(isSaid)
      expect(told(report)).toContain('blob-count')
    }
  })
})
