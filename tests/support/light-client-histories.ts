/** Histories of a light client: calls, how nodes and storage behave, what the clock does, in any order. */
import * as fc from 'fast-check'
import { type Abort, abortOf } from './aborts.ts'
import { chance } from './chance.ts'
import { type StorageMode, storageModes } from './failing-storage.ts'
import { deliveries, lieNames, type Manner } from './light-client-nodes.ts'

/** What happens next. */
export type Step =
  | { readonly do: 'sync'; readonly abort: Abort; readonly isAwaited: boolean }
  | { readonly do: 'start'; readonly abort: Abort }
  | { readonly do: 'look back'; readonly by: number; readonly abort: Abort } // from what is final for the client
  | { readonly do: 'tie'; readonly from: number; readonly gap: boolean }
  | { readonly do: 'follow'; readonly finality: 'finalized' | 'optimistic'; readonly abort: Abort }
  | { readonly do: 'manner'; readonly node: number; readonly manner: Manner }
  | { readonly do: 'storage'; readonly mode: StorageMode; readonly chance: number }
  | { readonly do: 'clock'; readonly skew: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'go on' | 'end' }

const abort = abortOf(4, [0, 1, 300, 1_100, 2_500, 9_000], 40)
const node = fc.nat(4)

const manner: fc.Arbitrary<Manner> = fc.record({
  lie: fc.option(fc.constantFrom(...lieNames, 'another parent', 'another parent'), { freq: 2 }),
  behind: fc.constantFrom(0, 0, 0, 1, 2, 6, -1),
  delivery: fc.oneof({ weight: 2, arbitrary: fc.constant('plain' as const) }, fc.constantFrom(...deliveries)),
  chance,
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sync' as const), abort, isAwaited: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('manner' as const), node, manner }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('go on' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), abort }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('look back' as const),
      by: fc.oneof(fc.integer({ min: -3, max: 6 }), fc.integer({ min: -3, max: 24 })),
      abort,
    }),
  },
  fc.record({ do: fc.constant('tie' as const), from: fc.nat(19), gap: fc.boolean() }),
  fc.record({
    do: fc.constant('follow' as const),
    finality: fc.constantFrom('finalized', 'optimistic'),
    abort,
  }),
  fc.record({ do: fc.constant('storage' as const), mode: fc.constantFrom(...storageModes), chance }),
  fc.record({
    do: fc.constant('clock' as const),
    skew: fc.constantFrom(0, 0, 1, -2, 100, -400, 9_000, -20_000, 10 ** 7),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 3_000, 40_000, 4_000_000) }),
  fc.record({ do: fc.constant('end' as const) }),
)

/** A history. */
export const history = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }),
  /** How the nodes are to begin with. */
  nodes: fc.array(manner, { minLength: 1, maxLength: 5, size: 'max' }),
  /** The moment in which it begins. */
  from: fc.constantFrom(0, 1, 3, 4, 6, 6),
  /** Whether the last node is honest all the time. */
  isSteady: fc.boolean(),
  trustCache: fc.boolean(),
  /** Whether what is old is refused. */
  isLimited: fc.boolean(),
})
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never
