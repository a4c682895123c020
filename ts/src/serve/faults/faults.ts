/** How a server is to be bad: rules that are read at each request, and drawn for it from one seed. */
import type { Context } from '../../vendor/hono.ts'
import { type MethodName, methodNames } from '../execution/method-names.ts'
import { seededRandom } from '../random.ts'

/** The names of the Beacon API's routes that faults can be limited to. */
export const beaconRouteNames = [
  'version',
  'health',
  'syncing',
  'spec',
  'fork_schedule',
  'genesis',
  'headers',
  'blocks',
  'execution_payload_envelopes',
  'blob_sidecars',
  'blobs',
  'data_column_sidecars',
  'finality_checkpoints',
  'bootstrap',
  'updates',
  'finality_update',
  'optimistic_update',
  'events',
] as const

/** A route of the Beacon API, named by the last word of its path that is one of these. */
type BeaconRouteName = (typeof beaconRouteNames)[number]

/**
 * A route of the Beacon API, named by the last word of its path that is one of these: `headers`, `blobs`, `data_column_sidecars`, …; or a method
 * of the JSON-RPC: `eth_getBlockByHash`, …
 */
export type RouteName = BeaconRouteName | MethodName

/** The names of all routes and methods that faults can be limited to. */
export const routeNames: readonly RouteName[] = [...beaconRouteNames, ...methodNames]

/** The parts of a sidecar that can be falsified. */
export const corruptParts = ['cell', 'proof', 'commitment', 'branch', 'header', 'index'] as const

/**
 * The part of a sidecar that is falsified. What is put there is well formed, so that it is refused by the proof or the branch that it
 * breaks, and not as malformed. `cell` changes a field element of the first cell (of the blob, in a blob sidecar), `proof` and
 * `commitment` put another point of G1 there, `branch` changes a node of the inclusion branch, `header` changes the header’s state root,
 * and `index` makes it say that it is the next one.
 */
export type CorruptPart = (typeof corruptParts)[number]

/** What a server of the execution layer can lie about. */
export const lies = [
  'header',
  'other-block',
  'missing-transaction',
  'versioned-hashes',
  'other-transaction',
  'moved-transaction',
  'other-index',
  'proof',
] as const

/**
 * What a server of the execution layer lies about. What it says is well formed, and true but for that. `header` changes a field of headers,
 * as JSON and as RLP, and leaves the hash; `other-block` answers with the block before, true to itself; `missing-transaction` leaves out the last
 * transaction of blocks; `versioned-hashes` puts those of a transaction in the opposite order, and changes one that is alone;
 * `other-transaction` answers with another transaction, true to itself; `moved-transaction` says that a transaction is in the block before, and
 * `other-index` that it is in the next place; `proof` changes the last node of a proof.
 */
export type ExecutionLie = (typeof lies)[number]

/** A lie about the execution layer. */
export interface LieFault {
  readonly kind: 'lie'
  readonly about: ExecutionLie
  /** For `header`: the field, by its name in the JSON-RPC; default `stateRoot`. */
  readonly field?: string
}

/** What a server withholds of its data, or falsifies in it. */
export type DataFault =
  /** Leaves out columns, as a node that does not custody them: those of a list, or so many of each block, which the block’s root decides. */
  | { readonly kind: 'withhold'; readonly columns: number | readonly number[] }
  /** Answers as if blocks had no blobs: with empty lists of sidecars, blobs and columns. */
  | { readonly kind: 'hide-blobs' }
  /** Falsifies one part of blob sidecars, blobs and columns: of all of them, or of those with these indices. */
  | { readonly kind: 'corrupt'; readonly part: CorruptPart; readonly indices?: readonly number[] }

/** What is wrong with the answers of the JSON-RPC. */
export type RpcFault =
  /** Says something false of the execution layer. */
  | LieFault
  /** Answers null to every call of the JSON-RPC, as if there were nothing. */
  | { readonly kind: 'no-result' }
  /** Answers every call of the JSON-RPC with this error, and the status 200. */
  | { readonly kind: 'rpc-error'; readonly code: number; readonly message?: string }
  /** Answers calls of the JSON-RPC with the id of another call. */
  | { readonly kind: 'wrong-id' }

/**
 * What befalls an answer on its way, whatever is in it. Of `drip`, `truncate` and `oversized` only the first one counts, since a body can be
 * sent in one way only.
 */
export type TransportFault =
  /** Answers so many milliseconds late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Sends the body in pieces of so many bytes, one every `everyMs` milliseconds (a “slow loris”). */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Breaks off after this part of the body, from 0 to 1, and before its last byte, although `Content-Length` promises all of it. */
  | { readonly kind: 'truncate'; readonly at: number }
  /** Answers with another `Content-Type`. */
  | { readonly kind: 'content-type'; readonly value: string }
  /** Sends so many bytes, zeros, after the end of the body, without a `Content-Length`. */
  | { readonly kind: 'oversized'; readonly bytes: number }
  /** Answers 302 with this `Location`. */
  | { readonly kind: 'redirect'; readonly to: string }
  /**
   * Answers with this status, and with `Retry-After` where it is given; without a body where the status has none (204, 205, 304). It must
   * be from 200 to 599, since no `Response` can have another one.
   */
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number }
  /** Answers 429, with `Retry-After: 1`, to all requests beyond so many in a second of the clock. */
  | { readonly kind: 'rate-limit'; readonly perSecond: number }

/** One way in which a server misbehaves. A request may get several. */
export type Fault = DataFault | RpcFault | TransportFault

/** A fault, and the requests that get it. */
export interface FaultRule {
  /** What goes wrong. */
  readonly fault: Fault
  /** The routes whose requests may get it; default: all. */
  readonly routes?: readonly RouteName[]
  /** How likely each of these requests gets it, from 0 to 1; default 1. */
  readonly probability?: number
}

/**
 * The faults of a server: an object that the server reads at each request, so that `rules` may be replaced while it runs. A rule with a name
 * that there is not, or with a number out of its range, is a `TypeError` where the app is made, which says which rule and what of it; where it is
 * set later, requests are answered with 500 and these words.
 *
 * @example
 * ```ts
 * import { createBeaconApp, type Faults, makeChain } from 'blobcheck/serve'
 *
 * const faults: Faults = { rules: [{ fault: { kind: 'withhold', columns: 65 }, probability: 0.5 }] }
 * const app = createBeaconApp({ chain: await makeChain({ slots: 8 }), faults })
 * faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: ['headers'] }] // from the next request on
 * ```
 */
export interface Faults {
  /** The seed from which chance is drawn: the same requests in the same order get the same faults. Default 1. */
  readonly seed?: number
  /** The rules that hold for the next request; each of them is applied on its own. */
  rules: readonly FaultRule[]
}

/** The route of a path: the last word in it that is one. */
export function routeOf(path: string): RouteName | null {
  const words = path.split('/')
  return beaconRouteNames.findLast((route) => words.includes(route)) ?? null
}

/** Draws the faults of each request, in order, from one seed. */
export class FaultDraw {
  readonly #faults: Faults
  readonly #random: () => number

  constructor(faults: Faults) {
    this.#faults = faults
    this.#random = seededRandom(faults.seed ?? 1)
  }

  /** The rules that hold for a request of these routes: there are several in a batch of calls. */
  draw(own: readonly RouteName[]): FaultRule[] {
    return this.#faults.rules.filter((rule) => {
      const { probability = 1 } = rule
      // Drawn whether it matters or not, so that a rule for one route changes nothing for the others.
      const isDrawn = probability >= 1 || this.#random() < probability
      return isDrawn && (rule.routes === undefined || own.some((route) => isFor(rule, route)))
    })
  }
}

function isFor({ routes }: FaultRule, route: RouteName | null): boolean {
  return routes === undefined || (route !== null && routes.includes(route))
}

const drawn = new WeakMap<Request, readonly FaultRule[]>()

/**
 * Keeps the rules that hold for a request, for its handler.
 *
 * @internal
 */
export function keepRules(context: Context, rules: readonly FaultRule[]): void {
  drawn.set(context.req.raw, rules)
}

/**
 * The faults of a request; of one call in it where a method is given, or null for a method that there is not.
 *
 * @internal
 */
export function faultsOf(context: Context, method?: MethodName | null): readonly Fault[] {
  const rules = drawn.get(context.req.raw) ?? []
  return rules.filter((rule) => method === undefined || isFor(rule, method)).map(({ fault }) => fault)
}
