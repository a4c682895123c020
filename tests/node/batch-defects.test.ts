/** One batch where something is not as it should be that is no crash: an answer that lacks something, memory that is shared, a baseline that half of it lacks. */
import { describe, expect, it } from 'vitest'
import { BLOB, crashed, HASHED, NAMED, others, right, runBatch, valid } from '../support/batch-run.ts'
import { range } from '../support/make.ts'

describe('an answer that lacks an outcome', () => {
  it('leaves what it is of without a verdict, whoever is verified beside it', async () => {
    const { outcomes } = await runBatch({
      all: valid(5),
      kind: (at) => (at % 2 === 0 ? NAMED : HASHED),
      forgets: (call, [at]) => call === 'verify' && at === 3,
    })
    expect(outcomes).toEqual(['valid', 'valid', 'valid', crashed, 'valid'])
  })

  it('is none after a crash, either', async () => {
    const { outcomes, counters } = await runBatch({
      ...{ all: valid(3), workers: 1 },
      dies: ({ places }) => places.length === 3,
      forgets: (_, places) => `${places}` === '1',
    })
    expect(outcomes).toEqual(['valid', crashed, 'valid'])
    expect(counters.retries).toBe(3)
  })

  it('of the baseline confirms nothing', async () => {
    const { outcomes, counters } = await runBatch({
      all: others(4, { 1: 'false', 2: 'malformed' }),
      kernel: 'relaxed-simd',
      forgets: (call, [at]) => call === 'confirm' && at === 1,
    })
    expect(outcomes).toEqual(['valid', crashed, ...right(['malformed']), 'valid'])
    expect(counters.confirmations).toBe(1)
  })
})

describe('what shares memory', () => {
  it.each([
    ['blobs of hashes and of commitments', (at: number) => (at % 3 === 1 ? HASHED : NAMED)],
    ['blobs of hashes', () => HASHED],
    ['blobs of commitments', () => NAMED],
    ['blobs with proofs', () => BLOB],
  ])('is verified in several tasks all the same: %s', async (_, kind) => {
    const all = others(9, { 4: 'false', 7: 'malformed' })
    const { outcomes, counters, asked } = await runBatch({ all, kind, isOneBuffer: true })
    expect(outcomes).toEqual(right(all))
    // Nothing was lost on the way, as memory is that is sent twice.
    expect(counters.retries).toBe(0)
    expect(asked.length).toBeGreaterThan(1)
  })
})

describe('one unit', () => {
  it('with a proof is one call, however many workers there are', async () => {
    const { calls } = await runBatch({ all: valid(1), workers: 4 })
    expect(calls).toEqual(['verify'])
  })
})

it('points that one group has still to test are tested in parts, by all workers', async () => {
  const { outcomes, asked } = await runBatch({ all: valid(9), tested: (places) => !places.includes(4) })
  expect(outcomes).toEqual(right(valid(9)))
  expect(asked.slice(3)).toEqual(
    range(3).map((part) => ({ call: 'close', places: range(9), part: [part, 3] })),
  )
})

it.each([0, 1])(
  'what is too much for one group is closed by itself where there are %i workers',
  async (workers) => {
    const { outcomes, asked } = await runBatch({ all: valid(3), length: 5 << 20, workers, tested: false })
    expect(outcomes).toEqual(right(valid(3)))
    expect(asked.filter(({ call }) => call !== 'close').length).toBeGreaterThan(1)
    expect(asked.filter(({ call }) => call === 'close')).toEqual([
      { call: 'close', places: range(3), part: [0, 1] },
    ])
  },
)

it('a batch is not closed with a commitment of which a part was lost', async () => {
  const { calls, counters } = await runBatch({
    ...{ all: valid(6), kind: () => NAMED },
    dies: ({ call, part }) => call === 'commitPart' && part![0] === 1,
  })
  expect(calls.filter((call) => call.startsWith('closeBare'))).toEqual([])
  expect(counters.retries).toBe(6)
})

it('blobs without proofs are asked of no baseline that is not to be had for them, though it is for others', async () => {
  const world = { all: others(4, { 1: 'false' }), kernel: 'relaxed-simd', isBareAlone: true } as const
  const bare = await runBatch({ ...world, kind: () => NAMED })
  expect(bare.outcomes).toEqual(['valid', crashed, 'valid', 'valid'])
  expect(bare.calls).not.toContain('confirm')
  const proven = await runBatch(world)
  expect(proven.outcomes).toEqual(right(world.all))
})

describe('who listens', () => {
  it('is told of each task before it begins: which units it is about, and whether it closes', async () => {
    const told = new Map<object, string>()
    const begun: (string | undefined)[] = []
    const all = others(9, { 4: 'false' })
    await runBatch({
      all,
      trace: {
        verify: (task, stage, units) => {
          const digests = units.map(({ owner }) => (owner as { unit: { digest: string } }).unit.digest)
          told.set(task, `${stage} ${digests.join('')}`)
        },
      },
      onTask: (task) => begun.push(told.get(task)),
    })
    expect(begun.slice(0, 4)).toEqual(['kzg 012', 'kzg 345', 'kzg 678', 'close 012345678'])
    expect(begun.slice(4).sort()).toEqual(['close 012', 'close 345', 'close 678', 'kzg 345'])
  })

  it('is not told that units were closed that a crash took before', async () => {
    const told: string[] = []
    await runBatch({
      all: valid(9),
      dies: ({ call, places }) => call.startsWith('collect') && places.includes(3),
      trace: { verify: (_, stage, units) => void told.push(`${stage} of ${units.length}`) },
    })
    expect(told.filter((text) => text.startsWith('close'))).toEqual(['close of 6'])
  })
})
