/** The items of a call on their way through the workers' checks: in which pieces they travel, how many at once, and what a crash costs. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CRASHED } from '../../dist/runtime/errors.js'
import { newCounters } from '../../dist/verifier/stats.js'
import * as checkSteps from '../../dist/verifier/check-items.js'
import type { Checked, CheckRequest } from '../../dist/verifier/checks/protocol.js'
import type { CheckAnswer } from '../../dist/verifier/worker/protocol.js'
import { expose, transfer, wrap } from '../../dist/vendor/comlink.js'
import { type BufferPool, bufferPoolFor, CallItems } from '../support/internals.ts'
import { range } from '../support/make.ts'
import { turns } from '../support/virtual-time.ts'

/** The part of `CheckContext` that is looked at here; the declarations of the package leave out what is internal. */
interface Context {
  readonly pool: { attempt(task: (api: object) => unknown, how: object): Promise<unknown> }
  readonly buffers: BufferPool
  readonly trace?: object | undefined
  readonly callItems: CallItems
  readonly counters: ReturnType<typeof newCounters>
  readonly rules: object
}
const { checkItemAgain, checkItems } = checkSteps as unknown as {
  checkItems(
    context: Context,
    signal: AbortSignal | undefined,
    onDone: (count: number) => void,
  ): Promise<(Checked | null)[]>
  checkItemAgain(context: Context, at: number): Promise<Checked | null>
}

const KIB = 1 << 10
const MIB = 1 << 20
/** The length of the buffers that a pool keeps: Node's pieces, and the rest of an item. */
const pooled = 2 * MIB + 256 * KIB

/** What a worker says to a request: an answer, or nothing where it dies of it. */
type Worker = (request: CheckRequest) => Promise<CheckAnswer | typeof CRASHED>

/** An answer that says of each item where it was in the call. */
const answerTo = ({ items, buffer, taken, unitBuffer }: CheckRequest): CheckAnswer => ({
  ...{ buffer, taken, unitBuffer: null },
  checked: items.map(({ at }) => ({
    links: at as never,
    unit: { bytes: new Uint8Array(unitBuffer) } as never,
  })),
})

let requests: CheckRequest[]
let options: object[]
beforeEach(() => {
  requests = []
  options = []
})
const sizes = (): number[] => requests.map(({ items }) => items.length)

/** What items are checked with, by workers that all do the same. */
function contextOf(
  items: readonly unknown[],
  workers: number,
  worker: Worker = async (request) => answerTo(request),
  isTransferred = false,
): Context {
  const pool = {
    workers,
    attempt: async (task: (api: object) => unknown, how: object) => {
      options.push(how)
      const check = async (request: CheckRequest) => {
        requests.push(request)
        return await worker(request)
      }
      return await task({ check })
    },
  }
  return {
    ...{ pool, buffers: bufferPoolFor(pool), counters: newCounters(), call: {}, trace: undefined },
    callItems: new CallItems('transaction', items, isTransferred),
    rules: {
      anchor: { kind: 'none' },
      ...{ count: 7, network: new BigUint64Array(1), fork: 1, wantsHeaders: true },
    },
  }
}

const check = async (context: Context, signal?: AbortSignal): Promise<number[]> => {
  const done: number[] = []
  await checkItems(context, signal, (count) => done.push(count))
  return done
}
const placesOf = (checked: readonly (Checked | null)[]): unknown[] => checked.map((one) => one?.links)
const items = (count: number, bytes = 10): Uint8Array[] => range(count).map(() => new Uint8Array(bytes))

describe('items', () => {
  it.each([
    ['128 at a time, by one worker', 300, 10, 1, [128, 128, 44]],
    ['and by the calling thread', 300, 10, 0, [128, 128, 44]],
    ['a fair share of a few for each of several', 300, 10, 4, [75, 75, 75, 75]],
    ['one for each of more than there are', 3, 10, 8, [1, 1, 1]],
    // Node's pieces are of two megabytes, and four may be copied at once.
    ['two megabytes and the rest of an item', 5, MIB, 1, [2, 2, 1]],
    ['less for each of four', 8, 600 * KIB, 4, [2, 2, 2, 2]],
    ['none', 0, 10, 2, []],
  ])('travel %s', async (_, count, bytes, workers, expected) => {
    const context = contextOf(items(count, bytes), workers)
    expect(await check(context)).toEqual(expected)
    expect(sizes()).toEqual(expected)
    expect(options).toEqual(expected.map(() => ({})))
  })

  it('come back in their order, checked by the rules of their call', async () => {
    const worker: Worker = async (request) => {
      // The first one is the slowest.
      await turns(request.items[0]!.at === 0 ? 9 : 1)
      return answerTo(request)
    }
    const context = contextOf(items(300), 2, worker)
    const checked = await checkItems(context, undefined, () => {})
    expect(placesOf(checked)).toEqual(range(300))
    for (const request of requests) expect(request).toMatchObject(context.rules)
  })

  it('are copied for each worker, and once more, but no further ahead', async () => {
    const waiting: (() => void)[] = []
    const worker: Worker = async (request) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return answerTo(request)
    }
    const checked = checkItems(contextOf(items(128 * 6), 2, worker), undefined, () => {})
    await turns(9)
    expect(sizes()).toEqual([128, 128, 128])
    waiting.shift()!()
    await turns(9)
    expect(requests).toHaveLength(4)
    for (; requests.length < 6 || waiting.length > 0; await turns(9)) waiting.shift()?.()
    expect(placesOf(await checked)).toEqual(range(128 * 6))
  })

  it('are copied at once for each worker, and for the next one when the page has had its turn', async () => {
    const never: Worker = async () => await new Promise<never>(() => {})
    void checkItems(contextOf(items(128 * 6), 2, never), undefined, () => {})
    for (let step = 0; step < 20; step++) await Promise.resolve()
    expect(sizes()).toEqual([128, 128])
    await turns(2)
    expect(sizes()).toEqual([128, 128, 128])
  })

  it('are read no more once the call is aborted', async () => {
    const controller = new AbortController()
    const worker: Worker = async (request) => {
      controller.abort()
      return answerTo(request)
    }
    const long = contextOf(items(128 * 9), 1, worker)
    const read = vi.spyOn(long.callItems, 'read')
    await checkItems(long, controller.signal, () => {})
    expect(requests.length).toBeLessThan(4)
    expect(read.mock.calls.length).toBeLessThan(4)
    // What waited for a worker until then is not sent.
    requests = []
    const late = new AbortController()
    const context = contextOf(items(3), 1)
    const { attempt } = context.pool
    context.pool.attempt = async (task, how) => {
      late.abort()
      return await attempt(task, how)
    }
    expect(await check(context, late.signal)).toEqual([3])
    expect(requests).toEqual([])
  })
})

describe('a crash', () => {
  it('costs the item that it is of, and each of its neighbours another look', async () => {
    const worker: Worker = async (request) =>
      request.items.some(({ at }) => at === 2) ? CRASHED : answerTo(request)
    const context = contextOf(items(5), 1, worker)
    expect(placesOf(await checkItems(context, undefined, () => {}))).toEqual([0, 1, undefined, 3, 4])
    expect(sizes()).toEqual([5, 1, 1, 1, 1, 1])
    expect(requests.slice(1).map((request) => request.items[0]!.at)).toEqual([0, 1, 2, 3, 4])
    expect(context.counters.retries).toBe(5)
    expect(options.slice(1)).toEqual(range(5).map(() => ({ urgent: true, pingFirst: true })))
  })

  it('costs what was lost with it', async () => {
    // The memory of a worker that dies stays away.
    const worker: Worker = async ({ taken }) => {
      structuredClone(taken, { transfer: taken as ArrayBuffer[] })
      return CRASHED
    }
    const context = contextOf(items(2), 1, worker, true)
    expect(await checkItems(context, undefined, () => {})).toEqual([null, null])
    expect(sizes()).toEqual([2])
    expect(await checkItemAgain(context, 1)).toBeNull()
    expect(sizes()).toEqual([2])
  })

  it('an answer without the item is none', async () => {
    const context = contextOf(items(2), 1, async (request) => ({ ...answerTo(request), checked: [] }))
    expect(await checkItemAgain(context, 1)).toBeNull()
    expect(sizes()).toEqual([1])
  })

  it('what is thrown otherwise reaches whoever waits, and nobody else', async () => {
    const cause = new Error('disposed of')
    const worker: Worker = async () => await Promise.reject(cause)
    await expect(checkItems(contextOf(items(300), 1, worker), undefined, () => {})).rejects.toBe(cause)
  })
})

describe('memory', () => {
  it('of units is their own where they are little, and else is of the pool, and goes back', async () => {
    const bytesOf = async (...all: unknown[]): Promise<number> => {
      requests = []
      await checkItems(contextOf(all, 1), undefined, () => {})
      return requests[0]!.unitBuffer.byteLength
    }
    expect(await bytesOf(new Uint8Array(1_000))).toBe(1_256)
    expect(await bytesOf(new Uint8Array(1_000), '0x'.padEnd(2_002, '0'))).toBe(1_256 + 1_001 + 256)
    expect(await bytesOf({ a: new Uint8Array(10), b: [new Uint8Array(20), '0000'], c: null, d: 7 })).toBe(288)
    expect(await bytesOf(null)).toBe(256)
    expect(await bytesOf(new Uint8Array(320 * KIB - 257))).toBe(320 * KIB - 1)
    expect(await bytesOf(new Uint8Array(320 * KIB - 256))).toBe(pooled)

    const context = contextOf(items(2, MIB), 1, async (request) => ({
      ...answerTo(request),
      unitBuffer: request.unitBuffer,
    }))
    requests = []
    for (let at = 0; at < 3; at++) await checkItems(context, undefined, () => {})
    // That of the items, and that of the units.
    expect(new Set(requests.flatMap(({ buffer, unitBuffer }) => [buffer, unitBuffer])).size).toBe(2)
  })

  it('of items is moved to a worker, rather than copied once more, and is moved back', async () => {
    const { port1, port2 } = new MessageChannel()
    try {
      const left: number[] = []
      const context = contextOf(items(3, 400 * KIB), 1)
      const take = vi.spyOn(context.buffers, 'take')
      const back = vi.spyOn(context.buffers, 'giveBack')
      const check = (request: CheckRequest): CheckAnswer => {
        left.push(...take.mock.results.map(({ value }) => (value as ArrayBuffer).byteLength))
        const { buffer } = request
        return transfer({ ...answerTo(request), checked: [] }, [buffer!])
      }
      expose({ check }, port2)
      const remote = wrap(port1)
      context.pool.attempt = async (task) => await task(remote)
      await checkItems(context, undefined, () => {})
      // That of the items, and that of the units.
      expect(left).toEqual([0, 0])
      expect(back.mock.calls.map(([buffer]) => buffer?.byteLength)).toEqual([pooled, undefined])
    } finally {
      port1.close()
      port2.close()
    }
  })

  it('of a cell, a column or a blob that comes by itself is about as long as they are', async () => {
    for (const length of [2_048, 13_168, 131_928]) {
      requests = []
      await checkItems(contextOf(items(1, length), 1), undefined, () => {})
      const { buffer, unitBuffer } = requests[0]!
      expect(buffer!.byteLength + unitBuffer.byteLength).toBeLessThan(4 * length)
    }
  })

  it('is kept for each worker, for what is ready for the next one, and for the units of 64 blobs', () => {
    for (const workers of [0, 1, 2, 4]) {
      const buffers = bufferPoolFor({ workers })
      const all = range(20).map(() => buffers.take(1e6))
      buffers.giveBackAll(all)
      const again = new Set(range(20).map(() => buffers.take(1e6)))
      const units = (64 * 131_072) / (all[0]!.byteLength - 256 * KIB)
      expect(all.filter((one) => again.has(one))).toHaveLength(Math.max(workers, 1) + 1 + units)
    }
  })

  it('that was taken over comes back, as far as the answer has it', async () => {
    const moved = new ArrayBuffer(10)
    const worker: Worker = async (request) => ({ ...answerTo(request), taken: [moved] })
    const context = contextOf(items(2), 1, worker, true)
    const { taken } = context.callItems.read(0, 2, 1e6, context.buffers)
    const second = taken[1]!.buffer
    await checkItems(context, undefined, () => {})
    expect(requests[0]!.taken).toHaveLength(2)
    expect(taken.map(({ buffer }) => buffer)).toEqual([moved, second])
    expect(taken[0]!.buffer).toBe(moved)
    expect(taken[1]!.buffer).toBe(second)
  })
})

it('who listens is told of each piece before it is sent, and of whose call it is', async () => {
  const told: [task: object, call: object, places: number[]][] = []
  const context = {
    ...contextOf(items(130), 1),
    trace: {
      check: (task: object, call: object, all: CheckRequest['items']) =>
        told.push([task, call, all.map(({ at }) => at)]),
    },
  }
  const { attempt } = context.pool
  context.pool.attempt = async (task, how) => {
    expect(told.map(([first]) => first)).toContain(task)
    return await attempt(task, how)
  }
  await checkItems(context as never, undefined, () => {})
  const { call } = context as unknown as { call: object }
  expect(told.map(([, , places]) => places)).toEqual([range(128), [128, 129]])
  expect(told.every(([, whose]) => whose === call)).toBe(true)
})
