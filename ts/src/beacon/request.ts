/** One request: bounded in time and in size, and every way in which it can fail has a name. */
import { concatAll, isBytes } from '../util/bytes.ts'
import { isResponse } from '../util/response.ts'
import { within } from '../util/timers.ts'
import { BeaconFailure, type FailureKind } from './failure.ts'
import type { ByteArray, PlatformResponse, PlatformSignal } from '../util/platform-types.ts'

/** What a `Fetch` is called with, beside the address: as much of the platform's `RequestInit` as is used here. */
export interface FetchInit {
  /** Left out where it is GET. */
  readonly method?: 'POST'
  readonly headers: { readonly [name: string]: string }
  /** JSON; left out where the method is GET. */
  readonly body?: string
  readonly credentials: 'omit'
  readonly referrerPolicy: 'no-referrer'
  readonly cache: 'no-store'
  readonly redirect: 'manual'
  readonly signal: PlatformSignal
}

/**
 * The part of the platform's `fetch` that is needed here, so that another one can be put in its place. Each call needs a `Response` of its own,
 * whose body can be read once: a stream, or `arrayBuffer()` where there is none. What is none is a failure, `malformed`.
 */
export type Fetch = (url: string, init: FetchInit) => PlatformResponse | Promise<PlatformResponse>

/** The platform's own, looked up with each request: it may be replaced after this module was loaded. */
export const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/** SSZ is half as long as JSON, and quicker to read. Safelisted by CORS: it costs no preflight request. */
const ACCEPT_ANY = 'application/octet-stream;q=1, application/json;q=0.9'
const ACCEPT_JSON = 'application/json'

/** An answer as it came over the wire. */
export interface BeaconAnswer {
  /** From 200 to 299; as 200 where it is left out, since it came over no wire. What an answer lacks is denied by 200 alone. */
  readonly status?: number
  readonly form: 'ssz' | 'json'
  /** `Eth-Consensus-Version`, or null: browsers hide it where the server does not expose it. */
  readonly version: string | null
  readonly body: ByteArray
}

/** How one request is made. */
export interface RequestOptions {
  readonly fetch: Fetch
  /** From the request to the last byte of its answer. */
  readonly timeoutMs: number
  /** Longest body that is read. */
  readonly maxBytes: number
  readonly jsonOnly: boolean
  /** Milliseconds of Unix time: what a date in `Retry-After` is held against. */
  readonly now: () => number
  /** JSON that is posted; left out for a GET. */
  readonly body?: string
  readonly signal: PlatformSignal | undefined
}

/** The answer to a GET, or to a POST of JSON that changes nothing: it may be sent twice. Rejects with `BeaconFailure`, or with the signal's reason once it is aborted. */
export async function request(url: string, terms: RequestOptions): Promise<BeaconAnswer> {
  const { fetch, timeoutMs, signal } = terms
  signal?.throwIfAborted()
  const controller = new AbortController()
  let begun = false
  const exchange = async (): Promise<BeaconAnswer> => {
    const accept = terms.jsonOnly ? ACCEPT_JSON : ACCEPT_ANY
    const init: FetchInit = {
      ...(terms.body === undefined
        ? { headers: { accept } }
        : { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body: terms.body }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // Whoever is named for an answer gave it; and no endpoint sends us to where only we can go.
      redirect: 'manual',
      signal: controller.signal,
    }
    // One of the caller's may throw, and need not give a promise.
    const ask = async (): Promise<unknown> => await fetch(url, init)
    const response = await ask().catch((error: unknown) => {
      if (!isReset(error) || controller.signal.aborted) throw error
      return ask()
    })
    begun = true
    if (!isResponse(response)) throw unusable('what fetch resolved to is no Response')
    if (!response.ok) {
      cancel(streamOf(response))
      throw ofStatus(response, url, terms.now)
    }
    const body = await readBody(response, terms.maxBytes, controller.signal)
    const type = response.headers.get('content-type')?.toLowerCase() ?? ''
    // An empty list in SSZ has no bytes, and denies that there is data. What does not say that it is SSZ denies nothing.
    if (body.length === 0 && !(response.status === 200 && type.includes('octet-stream')))
      throw new BeaconFailure(
        'malformed',
        `an empty answer, of status ${response.status} and type ${type || 'unknown'}`,
      )
    const version = response.headers.get('eth-consensus-version') ?? null
    return { status: response.status, form: formOf(type, body), version, body }
  }
  const late = (): BeaconFailure => new BeaconFailure('timeout', `no complete answer in ${timeoutMs} ms`)
  try {
    // A race: what stands in for `fetch` may not know of signals.
    return await within(exchange(), timeoutMs, late, signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof BeaconFailure) throw cause
    throw begun
      ? new BeaconFailure('truncated', 'the connection ended before the answer did', { cause })
      : new BeaconFailure('network', messageOf(cause, url), { cause })
  } finally {
    controller.abort() // whatever was not read is not wanted
  }
}

/** What the caller's `fetch` gave cannot be read. It would be the same the next time. */
function unusable(words: string): BeaconFailure {
  return new BeaconFailure('malformed', words)
}

/**
 * The body of an answer, to its end. Rejects with `BeaconFailure` `too-large` beyond `maxBytes`, and with `truncated` where there is less
 * than `content-length` promised: a `fetch` of the caller's, or one of a lenient browser's, may end there without a word. An answer that was
 * cut by a proxy that then gave the length of what was left cannot be told from a whole one here. What is left of it is cancelled when `end`
 * is aborted: a `fetch` that ignores its signal would go on receiving, and keep the connection open. Where there is no stream, the body comes
 * as a whole: longer than `content-length` says, it is refused once it is there. Rejects with `malformed` where there are no bytes to be had:
 * no body is not an empty one, which may deny that there is data.
 */
async function readBody(response: Response, maxBytes: number, end: AbortSignal): Promise<ByteArray> {
  const tooLarge = (): BeaconFailure =>
    new BeaconFailure('too-large', `the answer is longer than ${maxBytes} bytes`)
  const stream = streamOf(response)
  if (response.bodyUsed || stream?.locked === true)
    throw unusable('the body of the Response was read before: each call needs one of its own')
  const reader = stream?.getReader()
  const leave = (): void => cancel(reader)
  if (end.aborted) leave()
  else end.addEventListener('abort', leave, { once: true })
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (declared > maxBytes) throw tooLarge()
  const parts: Uint8Array[] = []
  let length = 0
  const take = (part: unknown): void => {
    if (!isBytes(part)) throw unusable('the body of the Response gave what is no bytes')
    length += part.length
    if (length > maxBytes) throw tooLarge()
    parts.push(part)
  }
  if (reader === undefined) take(await wholeBody(response))
  else for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value)
  if (length < declared && isUncompressed(response))
    throw new BeaconFailure('truncated', `${length} bytes of ${declared}`)
  return concatAll(parts)
}

/** The stream of a body, where there is one: not every `fetch` has streams, and some have streams of another kind. */
function streamOf({ body }: Response): ReadableStream | null {
  return typeof body?.getReader === 'function' ? body : null
}

/** A body without a stream. */
async function wholeBody(response: Response): Promise<Uint8Array> {
  if (typeof response.arrayBuffer !== 'function')
    throw unusable('the Response has no body: neither a stream nor arrayBuffer()')
  const buffer = (await response.arrayBuffer()) as ArrayBuffer | null | undefined
  const bytes = new Uint8Array(buffer ?? [])
  // Of another realm it is no instance of ours; and of what is none, nothing or anything may have been made.
  if (bytes.length !== buffer?.byteLength) throw unusable('arrayBuffer() of the Response gave no ArrayBuffer')
  return bytes
}

/** Says that no more is wanted. What the caller's `fetch` answers with may throw here: nobody would catch that. */
function cancel(source: { cancel(): Promise<void> } | null | undefined): void {
  const cancelled = async (): Promise<void> => await source?.cancel()
  cancelled().catch(() => {})
}

/**
 * Whether a body is known to be as it was sent, so that its length can be compared: `content-length` is that of compressed bytes. Across
 * origins (`cors`) browsers show that header alone, and hide whether the body was compressed.
 */
function isUncompressed({ headers, type }: Response): boolean {
  return type !== 'cors' && (headers.get('content-encoding') ?? 'identity') === 'identity'
}

/** What an answer says that it is, by its content type in small letters; what says nothing is looked at. */
export function formOf(type: string, body: Uint8Array): 'ssz' | 'json' {
  if (type.includes('octet-stream')) return 'ssz'
  if (type.includes('json')) return 'json'
  if (type !== '' && !type.startsWith('text/plain'))
    throw new BeaconFailure('malformed', `an answer of type ${type}`)
  // White space of JSON alone: SSZ begins with numbers, and those are full of other small bytes.
  const at = body.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
  // A sidecar's index may be the very number of a bracket; zeros follow on it, of which text has none.
  const isOpening = body[at] === 0x7b || body[at] === 0x5b
  return isOpening && body[at + 1] !== 0 ? 'json' : 'ssz'
}

function ofStatus(response: Response, url: string, now: () => number): BeaconFailure {
  const { status, type } = response
  const location = response.headers.get('location')
  // Browsers hide all else of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && location !== null))
    return new BeaconFailure('refused', redirectWords(location, url), { cause: status })
  // In seconds, or a date. Nobody is left alone for longer than an hour: it may have been a mistake.
  const again = response.headers.get('retry-after') ?? '0'
  const wait = Math.min(Number.isFinite(+again) ? +again * 1000 : Date.parse(again) - now(), 3_600_000)
  const retryAfterMs = wait > 0 ? wait : 0
  const words = wait > 0 ? `, and to be asked again in ${Math.ceil(wait / 1000)} s` : ''
  return new BeaconFailure(kindOf(status), `status ${status}${words}`, { cause: status, retryAfterMs })
}

/** Where it leads to is said by its origin alone: providers put keys into the rest. */
function redirectWords(location: string | null, url: string): string {
  const origin = location !== null && URL.canParse(location, url) ? new URL(location, url).origin : null
  const to = origin === null ? '' : ` to ${origin === new URL(url).origin ? 'another path' : origin}`
  return `it redirects${to}, which is not followed: give the address where it leads`
}

/** What a status other than 2xx says. A route that a server has never had, or has no more, looks as these statuses do (failure.ts). */
function kindOf(status: number): FailureKind {
  switch (status) {
    case 404:
    case 410:
      return 'not-found'
    case 405:
    case 501:
      return 'no-route'
    case 429:
      return 'rate-limited'
    default:
      return status >= 500 ? 'server-error' : 'refused'
  }
}

/**
 * Whether a connection ended before there was any answer, as one that was kept alive does that its server has just closed. It is
 * nobody's failure: browsers ask once more by themselves, on a connection of its own, and Node's `fetch` does not.
 */
function isReset(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET'
}

/** `fetch` says "failed" and hides why in the cause. Either may quote the URL, and providers put keys there. */
function messageOf(error: unknown, url: string): string {
  const { origin, pathname, search } = new URL(url)
  const cause = error instanceof Error ? error.cause : undefined
  const told = cause instanceof Error && cause.message !== '' ? cause : error
  const message = told instanceof Error ? told.message : String(told)
  const path = pathname + search
  const shorter = message.replaceAll(url, origin)
  // A path that is no more than a slash is in all URLs, and says nothing.
  return path === '/' ? shorter : shorter.replaceAll(path, '/…')
}
