/** A block of Gloas, by what its bid and the next block say: whether its data is asked for at all, and where the time went. */
import type { Resolution, SampleReport } from 'blobcheck/sampler'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleBlock } from '../../dist/sampler/sample.js'
import { range } from '../support/make.ts'
import { errorOf } from '../support/sample-context.ts'
import { type Block, chainParts, firstOf, headerOf, MOST, word } from '../support/sampled-chain.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
afterEach(() => time.end())

const lacking = (): Uint8Array<ArrayBuffer> => new Uint8Array(0)
const block = (blobs: number): Block => ({ slot: firstOf.bids, root: word(1), promised: 7, blobs })
const child: Block = { slot: firstOf.bids + 1, root: word(2), parentRoot: word(1), builtOn: 7 }

/** Samples the first of blocks, of which the others are the next ones; whoever is asked for a block takes so long, and for columns so long. */
async function sample(
  [first, ...others]: readonly Block[],
  blockMs = 0,
  columnsMs = 0,
  resolve = (slot: number): Promise<Resolution> | Resolution => {
    const found = others.find((one) => one.slot === slot)
    return found === undefined ? { status: 'no-block' } : { status: 'found', header: headerOf(found) }
  },
  now = firstOf.bids + 3,
) {
  time.begin()
  await time.pass(40)
  const after = <T>(ms: number, value: T): Promise<T> =>
    new Promise((resolve) => setTimeout(() => resolve(value), ms))
  const { parts, asked } = chainParts({
    ...{ resolve, blocks: [first!, ...others], now },
    giveBlock: () => after(blockMs, new Uint8Array(5)),
    node: () => after(columnsMs, lacking()),
  })
  const report: SampleReport = await time.until(
    sampleBlock(parts, {
      ...{ id: first!.slot, header: headerOf(first!), deadlineMs: 60_000, signal: undefined },
      ...{ reconstruct: false, notify: () => {} },
      plan: { sizes: [2], errors: [errorOf(0)], maxError: 0.5 },
    }),
  )
  return { report, asked: asked.map(({ what }) => what) }
}

describe('a block of Gloas', () => {
  it('without blobs has none, whatever became of its payload, which nobody asks for', async () => {
    const { report, asked } = await sample([block(0), child])
    expect(report).toMatchObject({
      ...{ verdict: 'no-blobs', reason: 'proven-empty', commitments: [] },
      ...{ payload: { status: 'unknown', blockHash: word(7), child: null } },
      blobCount: { count: 0, by: 'committed' },
    })
    expect(asked).toEqual(['block'])
  })

  it('with as many blobs as there can be is asked for, and with more it is of rules that are not known', async () => {
    const most = await sample([block(MOST), child])
    expect(most.report).toMatchObject({ verdict: 'unavailable', payload: { status: 'full' } })
    expect(most.asked).toContain('columns')
    const more = await sample([block(MOST + 1), child])
    expect(more.report).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', payload: null })
    expect(more.asked).toEqual(['block'])
  })

  it('takes the time for itself, for the next one, and for its columns', async () => {
    const { report } = await sample([block(1), child], 100, 30)
    // Twice for its columns, which nobody has: what is beyond the sample is asked for, too.
    expect(report.timings).toEqual({ headerMs: 0, fetchMs: 260, verifyMs: 0, totalMs: 260 })
    expect(report.bytes).toBe(2 * 5)
  })

  it('of which nobody has columns is not accused where the next one is not there to tell', async () => {
    const { report } = await sample([block(1)])
    expect(report).toMatchObject({
      ...{ verdict: 'unknown', reason: 'may-have-no-payload', payload: { status: 'unknown', child: null } },
    })
    const { report: withheld } = await sample([block(1), { ...child, builtOn: 6 }])
    expect(withheld).toMatchObject({ verdict: 'payload-not-revealed', payload: { status: 'empty' } })
  })

  it.each<[of: string, next: Partial<Block>, status: string, lookedUp: number]>([
    ['that one', {}, 'full', 1],
    ['that one, which builds on another payload,', { slot: firstOf.bids + 3, builtOn: 6 }, 'empty', 3],
    ['one of another branch', { slot: firstOf.bids + 3, parentRoot: word(3) }, 'unknown', 3],
    ['the last one that is looked for', { slot: firstOf.bids + 9 }, 'full', 9],
    ['one that is too far away', { slot: firstOf.bids + 10 }, 'unknown', 9],
  ])(
    'has the next one looked for where its source of headers knows %s alone',
    async (_of, next, status, lookedUp) => {
      const known: Block = { ...child, ...next }
      const slots: number[] = []
      const resolve = (slot: number): Resolution => {
        slots.push(slot)
        return slot === known.slot
          ? { status: 'found', header: headerOf(known) }
          : { status: 'unknown', detail: 'status 404' }
      }
      const { report } = await sample([block(1), known], 0, 0, resolve, firstOf.bids + 20)
      expect(report.payload?.status).toBe(status)
      expect(slots).toEqual(range(lookedUp).map((at) => firstOf.bids + 1 + at))
    },
  )

  it('is not held up by a source of headers that says nothing of the next one, and knows no signals', async () => {
    const { report, asked } = await sample([block(1)], 0, 0, () => new Promise<never>(() => {}))
    expect(report).toMatchObject({ reason: 'may-have-no-payload', payload: { status: 'unknown' } })
    expect(asked).toContain('columns')
  })
})
