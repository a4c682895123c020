/** Tables that are kept: read back rather than worked out, believed for their hash alone, and never needed. */
import { DisposedError, loadProver, tableBytes, type TableStore, type Warning } from 'blobcheck/prover'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { flip } from '../support/bytes.ts'
import { never, range } from '../support/make.ts'
import { blobs } from '../support/prover-blobs.ts'
import { disposeAll, openProver } from '../support/provers.ts'
import { CountingStore, displaceTables, keyOf } from '../support/table-stores.ts'
import { watchThreads } from '../support/threads.ts'

afterEach(disposeAll)

const shape = { rows: 1, width: 4 } as const
const expected = (await loadProver()).computeCellsAndKzgProofs(blobs.noise)
const all = (origin: string): string[] => range(16).map(() => origin)

/** What the provers of a test said to `onWarning`. */
const warnings: Warning[] = []
afterEach(() => void warnings.splice(0))

/** A prover that keeps its tables there, with no tables to begin with. */
async function openKeeping(keep: TableStore, workers = 1): ReturnType<typeof openProver> {
  await displaceTables()
  const onWarning = (warning: Warning): void => void warnings.push(warning)
  return await openProver({ workers, precompute: { ...shape, keep }, onWarning })
}

/** That is said once, however often the store fails. */
function expectWarning(cause: string): void {
  expect(warnings).toEqual([
    {
      code: 'tables-not-kept',
      message: `the store of the prover’s tables failed: ${cause}; what it does not keep is worked out in each session. Give keep another store, or false`,
    },
  ])
}

/** The tables as a prover kept them, worked out once for all cases. */
const whole = new CountingStore()
beforeAll(async () => {
  await (await openKeeping(whole)).prepare()
  expect(whole.sets).toBe(16)
  await disposeAll()
})

/** A store that has all tables. */
function filledStore(): CountingStore {
  const store = new CountingStore()
  for (const [key, value] of whole.values) store.values.set(key, new Uint8Array(value))
  return store
}

describe.each([0, 1, 2])('a store that is given, %i workers', (workers) => {
  it('has the tables after the first time, and the second one reads them', async () => {
    const store = new CountingStore()
    const first = await openKeeping(store, workers)
    expect(first.tables).toEqual({ parts: all('absent'), failures: 0 })
    const steps: number[] = []
    await first.prepare({ onProgress: ({ done }) => steps.push(done) })
    expect(steps).toEqual(range(16).map((at) => at + 1))
    expect(first.tables).toEqual({ parts: all('worked-out'), failures: 0 })
    expect([...store.values.keys()].sort()).toEqual(range(16).map(keyOf).sort())
    for (const value of store.values.values()) expect(value).toHaveLength(tableBytes(shape) / 16)
    expect(await first.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    await first.dispose()

    const second = await openKeeping(store, workers)
    expect(await second.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    expect(second.tables).toEqual({ parts: all('kept'), failures: 0 })
    await second.prepare()
    // Asked once for each part by each of them, and written to by the first alone.
    expect([store.gets, store.sets]).toEqual([32, 16])
    expect(warnings).toEqual([])
  })
})

describe('what is not the table that it should be', () => {
  type Spoil = (good: Uint8Array, store: CountingStore) => Uint8Array | undefined
  const spoil: readonly [name: string, make: Spoil, proves?: true][] = [
    ['nothing', () => undefined],
    ['no bytes', () => new Uint8Array()],
    ['a bit that fell over', (good) => flip(good, 12_345)],
    ['the last byte missing', (good) => good.slice(0, -1)],
    ['half of it', (good) => new Uint8Array(good.length).fill(0).map((_, at) => (at < 9e4 ? good[at]! : 0))],
    // All of them points of G1, with which a prover would go on to prove something else.
    ['another part', (_good, store) => store.values.get(keyOf(4)), true],
    [
      'two multiples exchanged',
      (good) => Uint8Array.from([...good.slice(96, 192), ...good.slice(0, 96), ...good.slice(192)]),
      true,
    ],
  ]

  it.each(spoil)('%s: it is worked out, and replaced', async (_name, make, proves) => {
    const store = filledStore()
    const good = store.values.get(keyOf(3))!
    const bad = make(good, store)
    if (bad === undefined) store.values.delete(keyOf(3))
    else store.values.set(keyOf(3), bad)
    const prover = await openKeeping(store)
    await prover.prepare()
    if (proves) expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    expect(prover.tables).toEqual({
      parts: range(16).map((part) => (part === 3 ? 'worked-out' : 'kept')),
      failures: 0,
    })
    expect(warnings).toEqual([])
    expect(store.values.get(keyOf(3))).toEqual(good)
    expect(store.sets).toBe(1)
  })

  it('another shape, of the same length: it makes room', async () => {
    const store = new CountingStore()
    const other = { rows: 2, width: 4 } as const
    const same = { rows: 1, width: 5 } as const
    for (const [precompute, origin] of [
      [other, 'worked-out'],
      [same, 'worked-out'],
      [same, 'kept'],
    ] as const) {
      const prover = await openProver({ workers: 1, precompute: { ...precompute, keep: store } })
      await prover.prepare()
      expect(prover.tables?.parts).toEqual(all(origin))
      expect(store.values.size).toBe(16)
    }
  })
})

describe('a store that fails', () => {
  const refuse = (): never => {
    throw new Error('quota')
  }
  const rejecting = async (): Promise<never> => refuse()
  const nothing = async (): Promise<null> => null
  const accept = async (): Promise<void> => {}
  const noText = async (): Promise<never> => {
    throw Object.create(null)
  }
  const noString = async (): Promise<never> => {
    throw Object.assign(new Error(), { message: { replace: () => Symbol() } })
  }
  const talking = async (): Promise<never> => {
    throw new Error('no '.repeat(1e6))
  }
  const silent = 'it does not answer'
  const failing: readonly [name: string, store: TableStore, cause: string, proves?: true][] = [
    ['throws', { get: refuse, set: refuse }, 'quota', true],
    ['rejects', { get: rejecting, set: rejecting }, 'quota'],
    ['rejects with what is no text', { get: noText, set: noText }, 'it threw what cannot be read', true],
    ['rejects with words that are none', { get: noString, set: noString }, '[object Object]'],
    ['rejects with too many words', { get: talking, set: talking }, 'no '.repeat(67).slice(0, 200)],
    ['never answers', { get: never, set: never }, silent],
    [
      'returns what are no bytes',
      { get: async () => 'table' as never, set: accept },
      'it returned what are no bytes',
    ],
    ['is full', { get: nothing, set: rejecting }, 'quota'],
    ['never has done', { get: nothing, set: never }, silent],
  ]

  it.each(failing)('that %s costs no proof, and is given up', async (_name, store, cause, proves) => {
    const prover = await openKeeping(store)
    await prover.prepare()
    if (proves) expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    expect(prover.tables).toEqual({ parts: all('worked-out'), failures: 1 })
    expectWarning(cause)
  })

  it('twice, when it is written to and when it is read, is told of once', async () => {
    const store = filledStore()
    store.values.delete(keyOf(2))
    const get = async (key: string): Promise<Uint8Array | null> => {
      if (key === keyOf(9)) throw new Error('gone')
      return await store.get(key)
    }
    const prover = await openKeeping({ get, set: rejecting })
    await prover.prepare()
    const parts = range(16).map((part) => (part === 2 || part >= 9 ? 'worked-out' : 'kept'))
    expect(prover.tables).toEqual({ parts, failures: 2 })
    expectWarning('quota')
  })

  it('that is full is read all the same', async () => {
    const store = filledStore()
    store.values.delete(keyOf(2))
    const prover = await openKeeping({ get: (key) => store.get(key), set: rejecting })
    await prover.prepare()
    expect(prover.tables).toEqual({
      parts: range(16).map((part) => (part === 2 ? 'worked-out' : 'kept')),
      failures: 1,
    })
  })

  it('that changes what it returned, once it was hashed, changes nothing', async () => {
    const store = filledStore()
    let value = new Uint8Array()
    const get = async (key: string): Promise<Uint8Array> => (value = new Uint8Array(store.values.get(key)!))
    const { digest } = SubtleCrypto.prototype
    vi.spyOn(SubtleCrypto.prototype, 'digest').mockImplementation(async function (
      this: SubtleCrypto,
      ...given
    ) {
      const hash = await digest.apply(this, given)
      value.fill(0)
      return hash
    })
    try {
      const prover = await openKeeping({ get, set: accept }, 0)
      expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
      expect(prover.tables?.parts).toEqual(all('kept'))
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('that says undefined where there is nothing is as good as one that says null', async () => {
    const prover = await openKeeping({ get: async () => undefined as never, set: accept })
    await prover.prepare()
    expect(prover.tables).toEqual({ parts: all('worked-out'), failures: 0 })
  })
})

it('disposed of in the middle, it leaves whole parts behind, which the next one reads', async () => {
  const store = new CountingStore()
  const first = await openKeeping(store)
  const outcome = expect(
    first.prepare({ onProgress: ({ done }) => done === 3 && void first.dispose() }),
  ).rejects.toThrow(DisposedError)
  await outcome
  expect(store.values.size).toBeGreaterThanOrEqual(3)
  expect(store.values.size).toBeLessThan(16)
  for (const [key, value] of store.values) expect(value).toEqual(whole.values.get(key))
  const kept = range(16).map((part) => (store.values.has(keyOf(part)) ? 'kept' : 'worked-out'))
  const second = await openKeeping(store)
  await second.prepare()
  expect(second.tables?.parts).toEqual(kept)
})

it('a worker that takes the place of a dead one reads what the dead one had', async () => {
  const store = filledStore()
  const threads = await watchThreads()
  try {
    const prover = await openKeeping(store, 2)
    await prover.prepare()
    await threads.killAll()
    expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    expect(prover.tables).toEqual({ parts: all('kept'), failures: 0 })
    expect(store.sets).toBe(0)
    expect(store.gets).toBeGreaterThan(16)
  } finally {
    threads.stop()
  }
})

it('a worker that dies at its work has no tables any more, and those of the next one stay, however often that happens', async () => {
  const threads = await watchThreads()
  try {
    const prover = await openKeeping(filledStore(), 1)
    for (let round = 0; round < 3; round++) {
      await prover.prepare()
      expect(prover.tables?.parts).toEqual(all('kept'))
      let died: Promise<void> | undefined
      const onProgress = (): void => void (died ??= threads.killAll())
      expect(await prover.computeCellsAndKzgProofs(blobs.noise, { onProgress })).toEqual(expected)
      await died
      const { parts } = prover.tables!
      expect(new Set(parts)).toEqual(new Set(['absent', 'kept']))
    }
    expect(warnings.map(({ code }) => code)).toEqual(['worker-crashed'])
  } finally {
    threads.stop()
  }
})

it('tables that are not kept are worked out, and there are none where none are asked for', async () => {
  const prover = await openProver({ workers: 1, precompute: { ...shape, keep: false } })
  await prover.prepare()
  expect(prover.tables).toEqual({ parts: all('worked-out'), failures: 0 })
  expect((await openProver({ workers: 1 })).tables).toBe(null)
})
