/** Batches on workers that are told what to do: what they are asked, and of which units. */
import { expect } from 'vitest'
import { CRASHED } from '../../dist/runtime/errors.js'
import { ConfirmedKernel } from '../../dist/runtime/kernel/confirmation.js'
import { BatchRun } from '../../dist/verifier/batch/batch-run.js'
import type { BatchUnit } from '../../dist/verifier/batch/lent-buffers.js'
import { newCounters } from '../../dist/verifier/stats.js'
import { never, range } from './make.ts'

export type Truth = 'valid' | 'false' | 'malformed'
const truths: readonly Truth[] = ['valid', 'false', 'malformed']
export const said = {
  valid: 'valid',
  false: { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' },
  malformed: { status: 'malformed', stage: 'kzg', reason: 'proof-not-in-g1' },
} as const
export const crashed = { status: 'error', reason: 'worker-crashed' }
export const BLOB = 1
export const [NAMED, HASHED] = [5, 6]

/** What a worker is asked: the name of the call, and of units their places. */
export interface Asked {
  readonly call: string
  readonly places: readonly number[]
  readonly part?: readonly [part: number, parts: number]
  readonly urgent?: boolean
}
export interface World {
  readonly workers?: number
  /** Of each unit, in order. */
  readonly all: readonly Truth[]
  readonly kind?: (at: number) => number
  /** Whether the points of sums are known to be in G1. */
  readonly tested?: boolean | ((places: readonly number[]) => boolean)
  /** Whether the worker dies of a call. */
  readonly dies?: (asked: Asked, times: number) => boolean
  /** Whether the item can be had once more. */
  readonly remakes?: boolean | 'without memory'
  /** Whether nobody waits for a unit any more; `asked`: whether its item was asked for once more. */
  readonly isLeft?: (at: number, asked: boolean) => boolean
  readonly kernel?: 'simd128' | 'relaxed-simd'
  /** Units that the fast kernel takes for false. */
  readonly slandered?: readonly number[]
  /** Whether the baseline is not to be had. */
  readonly isAlone?: boolean
  /** Whether the baseline is not to be had for blobs without proofs alone. */
  readonly isBareAlone?: boolean
  /** Whether the baseline is there already. */
  readonly isThere?: boolean
  /** Whether it is there already for blobs without proofs. */
  readonly isBareThere?: boolean
  /** Whether a worker that is asked this forgets to answer. */
  readonly forgets?: (call: string, places: readonly number[]) => boolean
  /** Whether all units are in one buffer, as those of a call are. */
  readonly isOneBuffer?: boolean
  /** Is told of each task before it is begun. */
  readonly trace?: { verify(task: object, stage: string, units: readonly { readonly owner: object }[]): void }
  /** Is told of each task when it is begun. */
  readonly onTask?: (task: object) => void
  /** How long a unit is: a long one makes more groups. */
  readonly length?: number
}

/** Runs a batch of such units. */
export async function runBatch(world: World) {
  const { workers = 3, all, kind = () => BLOB, tested = true, dies = () => false, remakes = true } = world
  const { kernel: name = 'simd128', slandered = [], isAlone = false, length = 60 } = world
  const {
    isThere = false,
    isBareThere = true,
    isBareAlone = isAlone,
    isLeft = () => false,
    forgets = () => false,
    isOneBuffer = false,
    trace,
  } = world
  const asked: Asked[] = []
  const bytesOf = (at: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(length)
    bytes.set([kind(at), at, truths.indexOf(all[at]!)])
    return bytes
  }
  const shared = new Uint8Array(length * all.length)
  all.forEach((_, at) => shared.set(bytesOf(at), length * at))
  const batch = all.map((_, at): BatchUnit => {
    const bytes = isOneBuffer ? shared.subarray(length * at, length * (at + 1)) : bytesOf(at)
    const unit = { digest: `${at}`, kind: kind(at), bytes }
    let isAsked = false
    const remake = async (): Promise<Uint8Array<ArrayBuffer> | null> => {
      isAsked = true
      if (remakes === 'without memory') throw new RangeError('Array buffer allocation failed')
      return remakes ? bytesOf(at) : null
    }
    return {
      ...{ unit, remake },
      get isAbandoned() {
        return isLeft(at, isAsked)
      },
    }
  })
  const placesIn = (bytes: readonly Uint8Array[]): number[] => bytes.map((one) => one[1]!)
  const truthOf = (bytes: Uint8Array): Truth => truths[bytes[2]!]!
  const byFast = (bytes: Uint8Array): Truth =>
    name !== 'simd128' && slandered.includes(bytes[1]!) ? 'false' : truthOf(bytes)
  const note = (one: Asked): void => {
    const times = asked.filter(
      ({ call, places }) => call === one.call && `${places}` === `${one.places}`,
    ).length
    asked.push(one)
    if (dies(one, times)) throw new Error('it died')
  }
  /** As a message that transfers: who sends it has nothing left, and nobody has where a worker dies. */
  const moved = (units: readonly Uint8Array<ArrayBuffer>[]) => {
    const buffers = [...new Set(units.map(({ buffer }) => buffer))]
    const here = structuredClone(units, { transfer: buffers })
    return { here, returned: [...new Set(here.map(({ buffer }) => buffer))] }
  }
  const sumsOf = (units: readonly Uint8Array[]) => Uint8Array.from(units.flatMap((one) => [one[1]!, one[2]!]))
  const placesOfSums = (sums: readonly Uint8Array[]): number[] =>
    sums.flatMap((sum) => range(sum.length / 2).map((at) => sum[2 * at]!))
  const holds = (sums: readonly Uint8Array[]): boolean =>
    placesOfSums(sums).every((at) => all[at] === 'valid' && (name === 'simd128' || !slandered.includes(at)))
  let urgent: boolean | undefined
  const api = {
    verify: async (units: readonly Uint8Array<ArrayBuffer>[]) => {
      const { here, returned } = moved(units)
      note({ call: 'verify', places: placesIn(here), ...(urgent && { urgent }) })
      const answered = forgets('verify', placesIn(here)) ? [] : here
      return { outcomes: answered.map((one) => said[byFast(one)]), returned }
    },
    collect: async (units: readonly Uint8Array<ArrayBuffer>[], groups: number) => {
      const { here, returned } = moved(units)
      note({ call: `collect of ${groups}`, places: placesIn(here) })
      const summed = here.filter((one) => truthOf(one) !== 'malformed')
      const refusals = here.map((one) => (truthOf(one) === 'malformed' ? said.malformed : null))
      return {
        ...{ refusals, sums: sumsOf(summed), returned },
        tested: typeof tested === 'boolean' ? tested : tested(placesIn(here)),
      }
    },
    close: async (sums: readonly Uint8Array[], part: number, parts: number) => {
      note({ call: 'close', places: placesOfSums(sums), part: [part, parts] })
      // What is false shows in one of the parts.
      return holds(sums) || part !== parts - 1
    },
    commitPart: async (sums: readonly Uint8Array[], part: number, parts: number) => {
      note({ call: 'commitPart', places: placesOfSums(sums), part: [part, parts] })
      return Uint8Array.of(part)
    },
    closeBare: async (sums: readonly Uint8Array[], points: readonly Uint8Array[]) => {
      note({ call: `closeBare of ${points.map((point) => point?.[0]).join()}`, places: placesOfSums(sums) })
      return holds(sums)
    },
    confirm: async ([unit]: readonly Uint8Array[]) => {
      note({ call: 'confirm', places: placesIn([unit!]) })
      return forgets('confirm', placesIn([unit!])) ? [] : [said[truthOf(unit!)]]
    },
  }
  const attempt = async (
    task: (of: typeof api) => unknown,
    options?: { urgent?: boolean },
  ): Promise<unknown> => {
    world.onTask?.(task)
    try {
      urgent = options?.urgent
      return await task(api)
    } catch {
      return CRASHED
    }
  }
  const pool = {
    ...{ workers, attempt, onUnsound: async () => {}, replaceKernel: () => {} },
    attemptTwice: async (task: (of: typeof api) => unknown, options: { urgent?: boolean }) => {
      expect(options).toEqual({ urgent: true })
      const first = await attempt(task, options)
      return first === CRASHED ? await attempt(task, options) : first
    },
  }
  const compile = async (): Promise<never> =>
    isAlone ? await Promise.reject(new Error('offline')) : ({} as never)
  const kernel = new ConfirmedKernel(pool, { name, reason: '' }, compile)
  if (isThere)
    await kernel.confirm(
      async () => CRASHED,
      () => false,
    )
  const counters = newCounters()
  const context = { pool: pool as never, kernel, counters, trace: trace as never, onMissing: never }
  const isBare = all.some((_, at) => kind(at) !== BLOB)
  const given: string[] = []
  const commitments = {
    attempt: async (
      task: (of: typeof api) => unknown,
      run: (task: (of: typeof api) => unknown) => unknown,
      { current }: ConfirmedKernel,
    ) =>
      await run((api) => {
        given.push(current.name)
        return task(api)
      }),
    has: () => isBareThere,
    baseline: async () => (isBareAlone ? null : {}),
  }
  let letsIn = false
  const run = new BatchRun(context, isBare ? (commitments as never) : null, () => (letsIn = true))
  const outcomes = await run.outcomes(batch)
  return { outcomes, asked, counters, given, letsIn, calls: asked.map(({ call }) => call) }
}

export const valid = (count: number): Truth[] => range(count).map(() => 'valid')
export const others = (count: number, more: Readonly<Record<number, Truth>>): Truth[] =>
  range(count).map((at) => more[at] ?? 'valid')
export const right = (all: readonly Truth[]): unknown[] => all.map((truth) => said[truth])
