/** How a server is to be bad: rules that are read at each request, and drawn for it from one seed. */
import type { Context } from 'hono'
import { seededRandom } from '../random.ts'

/** The routes that faults can be limited to. */
export const routeNames = [
  'version',
  'health',
  'syncing',
  'spec',
  'genesis',
  'headers',
  'blocks',
  'blob_sidecars',
  'blobs',
  'data_column_sidecars',
  'bootstrap',
  'updates',
  'finality_update',
  'optimistic_update',
  'events',
] as const

/** A route, by the last word of its path that names one. */
export type RouteName = (typeof routeNames)[number]

/** What of a sidecar is false: one element of it, which stays well formed. `index` says that it is the next one. */
export type CorruptPart = 'cell' | 'proof' | 'commitment' | 'branch' | 'header' | 'index'

/** One way of being bad. Of `drip`, `truncate` and `oversized`, the first one that a request gets counts. */
export type Fault =
  /** Columns that it claims not to custody: these, or so many of each block, drawn with the seed. */
  | { readonly kind: 'withhold'; readonly columns: number | readonly number[] }
  /** Says that blocks have no blobs: empty lists. */
  | { readonly kind: 'hide-blobs' }
  /** Falsifies one part of sidecars and blobs: of all, or of those with these indices. */
  | { readonly kind: 'corrupt'; readonly part: CorruptPart; readonly indices?: readonly number[] }
  /** Answers late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Sends so many bytes every so often: a slow loris. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Breaks off after this part of the answer, in [0, 1), having promised all of it. */
  | { readonly kind: 'truncate'; readonly at: number }
  | { readonly kind: 'content-type'; readonly value: string }
  /** Sends so many bytes more than there are. */
  | { readonly kind: 'oversized'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number }
  /** Answers 429 to what is more than so many requests in a second. */
  | { readonly kind: 'rate-limit'; readonly perSecond: number }

/** When to be bad, and how. */
export interface FaultRule {
  readonly fault: Fault
  /** Default: all. */
  readonly routes?: readonly RouteName[]
  /** For each request; default 1. */
  readonly probability?: number
}

/** The rules of a server. Change `rules` whenever you like: the next request sees it. */
export interface Faults {
  /** The seed of the probabilities: the same requests in the same order get the same faults. Default 1. */
  readonly seed?: number
  rules: readonly FaultRule[]
}

/** The route of a path: the last word in it that is one. */
export function routeOf(path: string): RouteName | null {
  const words = path.split('/')
  return routeNames.findLast((route) => words.includes(route)) ?? null
}

/** Draws the faults of each request, in order, from one seed. */
export class FaultDraw {
  readonly #faults: Faults
  readonly #random: () => number

  constructor(faults: Faults) {
    this.#faults = faults
    this.#random = seededRandom(faults.seed ?? 1)
  }

  draw(path: string): Fault[] {
    const route = routeOf(path)
    return this.#faults.rules
      .filter(({ routes, probability = 1 }) => {
        // Drawn whether it matters or not, so that a rule for one route changes nothing for the others.
        const isDrawn = probability >= 1 || this.#random() < probability
        return isDrawn && (routes === undefined || (route !== null && routes.includes(route)))
      })
      .map(({ fault }) => fault)
  }
}

const drawn = new WeakMap<Request, readonly Fault[]>()

/** Keeps the faults of a request, for its handler. */
export function keepFaults(context: Context, faults: readonly Fault[]): void {
  drawn.set(context.req.raw, faults)
}

/** The faults of a request. */
export function faultsOf(context: Context): readonly Fault[] {
  return drawn.get(context.req.raw) ?? []
}
