/** What can be wrong with an endpoint's answer: a closed union, since reports count by it; and what is thrown where none can be used. */
import { printable } from '../util/printable.ts'

/**
 * - `network`: no connection, or none that the browser lets us read (CORS).
 * - `timeout`: no complete answer in time.
 * - `truncated`: the answer ended before it was complete.
 * - `too-large`: longer than any honest answer; the rest was not read.
 * - `not-found`: 404, or 410. Nodes forget what is old, and many serve no light clients. A server that knows nothing of the whole route
 *   gives the same status, and cannot be told from one that has nothing for this block.
 * - `no-route`: 405, or 501, or a method that JSON-RPC does not have there: the server does not serve this route, as one of another age, or without the debug routes. Nothing is known
 *   about what was asked for, and no one is accused.
 * - `rate-limited`: 429.
 * - `server-error`: 5xx.
 * - `refused`: any other status than 2xx, redirects among them: none is followed.
 * - `malformed`: complete, and not what was asked for; or a `fetch` of the caller's gave what is no `Response`, or one without a body that can be
 *   read.
 * - `invalid`: well formed, and false: the protocol refused it.
 * - `unsupported-fork`: of a fork that this version does not know, by its consensus version or its slot, or of one that by the
 *   network's config has not begun in that slot, or of more blobs than it allows; or a light client's object in an older form than that of Gloas
 *   where by the config Gloas has begun, which may have been put off since; or its update with a fork digest that is not
 *   known, which is not good by the fork of its slot either, as those of another network are. No one is accused. Where another endpoint's
 *   answer shows that the block is of no such fork, whoever said so has a failure `malformed` as well.
 * - `behind`: true, and no news: older than what is known already, or than what other endpoints know, or of a block that is none of the chain.
 * - `few-signatures`: by its own word signed by less than two thirds of the sync committee: not enough to follow. It may be false: its signature
 *   was not looked at.
 * - `ahead`: signed later than our clock says it is, or a header of such a slot. One of the two clocks is wrong; no one is accused.
 * - `crashed`: our own workers crashed on it, twice, or could not confirm what was wrong. Nothing is known about it.
 */
export type FailureKind =
  | 'network'
  | 'timeout'
  | 'truncated'
  | 'too-large'
  | 'not-found'
  | 'no-route'
  | 'rate-limited'
  | 'server-error'
  | 'refused'
  | 'malformed'
  | 'invalid'
  | 'unsupported-fork'
  | 'behind'
  | 'few-signatures'
  | 'ahead'
  | 'crashed'

/** The longest detail that is kept, in UTF-16 units. */
const MAX_DETAIL = 200
/** One failed request to one endpoint. Some of its message may be the endpoint's words: they are made fit for a terminal. */
export class BeaconFailure extends Error {
  override readonly name = 'BeaconFailure'
  readonly kind: FailureKind
  /** What the endpoint asks us to wait before the next request, in milliseconds (`Retry-After`): an hour at most. */
  readonly retryAfterMs: number
  constructor(kind: FailureKind, detail: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(printable(detail.slice(0, MAX_DETAIL)), options)
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** Failures that say nothing about the next attempt: the same request may succeed a moment later. */
export function isTransient(kind: FailureKind): boolean {
  return (
    kind === 'network' ||
    kind === 'timeout' ||
    kind === 'truncated' ||
    kind === 'rate-limited' ||
    kind === 'server-error'
  )
}

/** Failures of an answer that came, and cannot be read: whoever gave it may have what was asked for. */
export function isUnreadable(kind: FailureKind): boolean {
  return kind === 'malformed' || kind === 'too-large'
}

/** Failures by which a server refuses a request, whatever it is about: it says nothing of what it has. */
export function isRefusal(kind: FailureKind): boolean {
  return kind === 'refused' || kind === 'no-route'
}

/**
 * No endpoint gave an answer that could be used, so that nothing is known of what was asked. It accuses no one by itself.
 *
 * @example
 * ```ts
 * import { BeaconUnavailableError } from 'blobcheck/light-client'
 *
 * await client.sync({ signal }).catch((error: unknown) => {
 *   if (error instanceof BeaconUnavailableError) console.warn(error.message) // what each endpoint did
 *   throw error
 * })
 * ```
 */
export class BeaconUnavailableError extends Error {
  override readonly name: string = 'BeaconUnavailableError'
  /** What each endpoint did last: its name as in reports, the kind of its failure, and details for people. */
  readonly failures: readonly {
    readonly endpoint: string
    readonly kind: FailureKind
    readonly detail: string
  }[]
  constructor(failures: BeaconUnavailableError['failures'], layer: 'beacon' | 'execution' = 'beacon') {
    super(`no ${layer} endpoint gave an answer that can be used: ${failuresInWords(failures)}`)
    this.failures = failures
  }
}

/** What endpoints did, for people. Whoever failed twice in the same way is named once. */
export function failuresInWords(failures: BeaconUnavailableError['failures']): string {
  const list = failures.map(({ endpoint, kind, detail }) => `${endpoint}: ${kind} (${detail})`)
  return [...new Set(list)].join('; ')
}
