/** How a server is to be bad: rules that are read at each request, so that they can change while it runs. */

/** The routes, by the last word of their paths. */
export type RouteName =
  | 'version'
  | 'health'
  | 'syncing'
  | 'spec'
  | 'genesis'
  | 'headers'
  | 'blocks'
  | 'blob_sidecars'
  | 'blobs'
  | 'data_column_sidecars'
  | 'bootstrap'
  | 'updates'
  | 'finality_update'
  | 'optimistic_update'
  | 'events'

/** What of a sidecar is false: one element of it, which stays well formed. `index` says that it is the next one. */
export type CorruptPart = 'cell' | 'proof' | 'commitment' | 'branch' | 'header' | 'index'

/** One way of being bad. Of `drip`, `truncate` and `oversized`, the first one that befalls a request counts. */
export type Fault =
  /** Columns that it claims not to custody: these, or so many of each block, drawn with the seed. */
  | { readonly kind: 'withhold'; readonly columns: number | readonly number[] }
  /** Says that blocks have no blobs: empty lists. */
  | { readonly kind: 'hide-blobs' }
  /** Spoils sidecars and blobs: all, or those of these indices. */
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
  /** What chance is drawn from: the same requests in the same order find the same faults. Default 1. */
  readonly seed?: number
  rules: readonly FaultRule[]
}
