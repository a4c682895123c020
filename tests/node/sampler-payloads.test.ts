/** Payloads of Gloas: which blocks are sampled again for what newer heads tell of them, how often, and what is forgotten. */
import type { SampleReport } from 'blobcheck/sampler'
import { beforeEach, describe, expect, it } from 'vitest'
import { type EarlyReport, type SampledPayload, SampledPayloads } from '../../dist/sampler/payloads.js'
import { ReportedSlots } from '../../dist/sampler/slots.js'

const SLOT = 5

let reported: ReportedSlots
let payloads: SampledPayloads
beforeEach(() => {
  reported = new ReportedSlots(64)
  payloads = new SampledPayloads(reported)
  newHead(SLOT, 'block')
})

function newHead(slot: number, root: string): void {
  reported.begin(slot)
  reported.note(slot, root)
  payloads.begin(slot)
}

/** A sample's report on the block of that slot, with what it says of the payload. */
const reportOf = (
  verdict: SampleReport['verdict'],
  payload: { status: string; child: { slot: number; root: string } | null } | null,
  root = 'block',
): SampleReport => ({ verdict, payload, block: { slot: SLOT, root } }) as unknown as SampleReport

const undecided = reportOf('unknown', { status: 'unknown', child: null })
/** As told by a block in the slot after it. */
const toldBy = (root: string): SampleReport =>
  reportOf('unavailable', { status: 'full', child: { slot: SLOT + 1, root } })

/** Samples the block; what is returned notes the report. */
const sample = (before?: SampledPayload): ReturnType<SampledPayloads['watch']> =>
  payloads.watch({ kind: 'look-up', slot: SLOT, again: before !== undefined }, before)

/** The block, which is to be sampled again now. */
function take(): SampledPayload {
  const { task, before } = payloads.take() ?? {}
  expect(task).toMatchObject({ slot: SLOT, again: true })
  return before!
}

describe('a payload that nobody could tell of', () => {
  it('may be told of by the first head that is newer than its block', () => {
    sample()(undecided)
    expect(payloads.take()).toBeUndefined()
    // Another head, which is not newer: nothing builds on the block.
    payloads.begin(SLOT)
    expect(payloads.take()).toBeUndefined()
    newHead(SLOT + 1, 'next')
    take()
    expect(payloads.take()).toBeUndefined()
  })

  it('is asked for once more, and not again while the next block is the same', () => {
    sample()(undecided)
    newHead(SLOT + 1, 'next')
    sample(take())(undecided)
    expect(payloads.take()).toBeUndefined()
    newHead(SLOT + 2, 'after next')
    newHead(SLOT + 3, 'later')
    expect(payloads.take()).toBeUndefined()
  })

  it('is asked for again, once, where another block is the next one now, or has become known', () => {
    sample()(undecided)
    newHead(SLOT + 2, 'after next')
    sample(take())(undecided)
    reported.note(SLOT + 1, null)
    newHead(SLOT + 3, 'later')
    sample(take())(undecided)
    for (const root of ['other', 'third']) {
      newHead(SLOT + 1, root)
      sample(take())(undecided)
      newHead(SLOT + 2, `after ${root}`)
      expect(payloads.take()).toBeUndefined()
    }
  })

  it('is asked for again where another head came meanwhile', () => {
    sample()(undecided)
    newHead(SLOT + 1, 'next')
    const note = sample(take())
    newHead(SLOT + 2, 'after next')
    note(undecided)
    take()
  })

  it('is nobody’s where there is no block, or where its sample says enough', () => {
    sample()({ ...undecided, block: null })
    sample()(reportOf('no-blobs', { status: 'unknown', child: null }))
    sample()(reportOf('unknown', null))
    sample()(reportOf('unknown', { status: 'empty', child: null }))
    expect(payloads.size).toBe(0)
  })
})

describe('a payload that nobody could tell of when its data was found', () => {
  const available = reportOf('available', { status: 'unknown', child: null })
  const early: EarlyReport = { block: available.block!, payload: available.payload! }

  it('is looked for alone with the next head', () => {
    sample()(available)
    expect(payloads.take()).toBeUndefined()
    newHead(SLOT + 1, 'next')
    expect(take().early).toEqual(early)
    expect(payloads.size).toBe(0)
  })

  it('is looked for with each of the next heads, while nobody can tell, and not for ever', () => {
    sample()(available)
    for (let slot = SLOT + 1; slot < SLOT + 8; slot++) {
      newHead(slot, `${slot}`)
      sample(take())(available, early)
      expect(payloads.take()).toBeUndefined()
    }
    newHead(SLOT + 8, 'the last one')
    sample(take())(available, early)
    newHead(SLOT + 9, 'later')
    expect(payloads.take()).toBeUndefined()
    // Another block is the next one.
    newHead(SLOT + 1, 'other')
    expect(take().early).toEqual(early)
  })

  it('is left alone where the next block builds on it, and is looked for alone again where that one is replaced', () => {
    sample()(available)
    newHead(SLOT + 1, 'next')
    sample(take())({ ...toldBy('next'), verdict: 'available' }, early)
    newHead(SLOT + 2, 'after next')
    expect(payloads.take()).toBeUndefined()
    reported.note(SLOT + 1, 'other')
    expect(take().early).toEqual(early)
  })

  it('is sampled again as any other where the next block has told of it', () => {
    sample()(available)
    newHead(SLOT + 1, 'next')
    sample(take())(
      reportOf('payload-not-revealed', { status: 'empty', child: { slot: SLOT + 1, root: 'next' } }),
    )
    newHead(SLOT + 2, 'after next')
    reported.note(SLOT + 1, 'other')
    expect(take().early).toBeNull()
  })
})

describe('a payload that a block told of', () => {
  it('is sampled again as a whole where another one is in that block’s place, though its data was there', () => {
    sample()({ ...toldBy('next'), verdict: 'available' })
    newHead(SLOT + 1, 'other')
    newHead(SLOT + 2, 'after other')
    expect(take().early).toBeNull()
  })

  it('stays as it is while that block may be of the chain', () => {
    sample()(toldBy('next'))
    newHead(SLOT + 1, 'next')
    newHead(SLOT + 2, 'after next')
    expect(payloads.take()).toBeUndefined()
    expect(payloads.size).toBe(1)
  })

  it('may be told otherwise by another one in its place, and by an empty slot', () => {
    for (const place of ['other', null]) {
      sample()(toldBy('next'))
      newHead(SLOT + 2, 'after next')
      reported.note(SLOT + 1, place)
      take()
    }
  })

  it('is told once for the same other one, by sources that differ', () => {
    sample()(toldBy('next'))
    newHead(SLOT + 1, 'other')
    newHead(SLOT + 2, 'after other')
    sample(take())(toldBy('next'))
    newHead(SLOT + 3, 'later')
    expect(payloads.take()).toBeUndefined()
    // In doubt, which says nothing against the one that told.
    reported.begin(SLOT)
    payloads.begin(SLOT + 3)
    expect(payloads.take()).toBeUndefined()
    reported.note(SLOT + 1, 'third')
    take()
  })

  it('may be told otherwise by each block that comes first after its empty slot, also where it came back meanwhile', () => {
    sample()(toldBy('next'))
    for (const [at, root] of [
      [2, 'other'],
      [3, 'third'],
    ] as const) {
      newHead(SLOT + at, root)
      for (let empty = 1; empty < at; empty++) reported.note(SLOT + empty, null)
      sample(take())(toldBy('next'))
      payloads.begin(SLOT + at + 1)
      expect(payloads.take()).toBeUndefined()
      newHead(SLOT + 1, 'next')
      expect(payloads.take()).toBeUndefined()
    }
  })

  it('is told by another one, whose place is looked at anew', () => {
    sample()(toldBy('next'))
    newHead(SLOT + 1, 'other')
    newHead(SLOT + 2, 'after other')
    sample(take())(toldBy('third'))
    newHead(SLOT + 3, 'later')
    // What made the first one another one does the same for the third.
    take()
  })
})

it('blocks that are none of the chain any more are forgotten', () => {
  sample()(undecided)
  newHead(SLOT, 'in its place')
  expect(payloads.take()).toBeUndefined()
  expect(payloads.size).toBe(0)
})

it('roots are the same in any case', () => {
  sample()({ ...undecided, block: { slot: SLOT, root: 'BLOCK' } } as SampleReport)
  newHead(SLOT + 1, 'next')
  take()
})
