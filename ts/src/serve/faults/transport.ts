/** Faults of an answer on its way, whatever is in it: late, cut off, too long, refused, sent elsewhere. */
import type { Context, MiddlewareHandler } from '../../vendor/hono.ts'
import { sleep } from '../../util/timers.ts'
import { errorResponse } from '../routes/http.ts'
import { checkFaults } from './check.ts'
import {
  FaultDraw,
  type Fault,
  type Faults,
  faultsOf,
  keepRules,
  type RouteName,
  type TransportFault,
} from './faults.ts'

/**
 * Draws a request's faults, keeps those of the data for the handlers, and sees to the others. `routesOf` tells which routes a request is of. Throws
 * `TypeError` for rules that are none; where they are set later, the next request is answered with 500 and these words.
 */
export function applyFaults(
  faults: Faults,
  routesOf: (context: Context) => readonly RouteName[] | Promise<readonly RouteName[]>,
): MiddlewareHandler {
  checkFaults(faults)
  const faultDraw = new FaultDraw(faults)
  const limiters = new WeakMap<TransportFault, Limiter>()
  return async (context, next) => {
    // They may have been replaced since.
    checkFaults(faults)
    keepRules(context, faultDraw.draw(await routesOf(context)))
    const own = faultsOf(context).filter(isOfTransport)
    for (const fault of own) {
      if (fault.kind === 'delay') await sleep(fault.ms, context.req.raw.signal).catch(() => {})
      const instead = replacementFor(fault, limiters)
      if (instead !== null) return instead
    }
    await next()
    // Events are no body with an end.
    if (context.req.path.endsWith('/events')) return
    for (const fault of [...own.filter(isAt('label')), ...own.filter(isAt('shape')).slice(0, 1)]) {
      const changed = await transformed(fault, context.res, cutterOf(context))
      if (changed !== null) context.res = changed
    }
  }
}

/**
 * When a fault has its turn: before there is an answer, at its label, which says what the body is, or at the body's shape. A body takes one
 * shape: of several faults the first one counts, since none could read what another has broken off.
 */
type Turn = 'before' | 'label' | 'shape'

const turns: Readonly<Record<TransportFault['kind'], Turn>> = {
  delay: 'before',
  status: 'before',
  redirect: 'before',
  'rate-limit': 'before',
  'content-type': 'label',
  truncate: 'shape',
  oversized: 'shape',
  drip: 'shape',
}

const isOfTransport = (fault: Fault): fault is TransportFault => Object.hasOwn(turns, fault.kind)

const isAt =
  (turn: Turn) =>
  ({ kind }: TransportFault): boolean =>
    turns[kind] === turn

/** Statuses whose answers have no body: no `Response` of theirs can have one. Source: the Fetch Standard, "null body status". */
const BODILESS: readonly number[] = [204, 205, 304]

/** An answer that takes the place of what there is to say. */
function replacementFor(fault: TransportFault, limiters: WeakMap<TransportFault, Limiter>): Response | null {
  switch (fault.kind) {
    case 'status': {
      const { code, retryAfterSeconds } = fault
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds.toString() }
      if (BODILESS.includes(code)) return new Response(null, { status: code, headers })
      return errorResponse(code, 'a fault that was asked for', headers)
    }
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: fault.to } })
    case 'rate-limit': {
      const limiter = limiters.get(fault) ?? new Limiter()
      limiters.set(fault, limiter)
      return limiter.admits(fault.perSecond)
        ? null
        : errorResponse(429, 'too many requests', { 'retry-after': '1' })
    }
    case 'delay':
    case 'content-type':
    case 'truncate':
    case 'oversized':
    case 'drip':
      return null
  }
}

/** What becomes of an answer, or null where the fault leaves it alone. */
async function transformed(
  fault: TransportFault,
  response: Response,
  cut: (() => void) | null,
): Promise<Response | null> {
  switch (fault.kind) {
    case 'content-type': {
      const headers = new Headers(response.headers)
      headers.set('content-type', fault.value)
      return new Response(response.body, { status: response.status, headers })
    }
    case 'truncate':
      return withBody(response, (body) => truncated(body, fault.at, cut), true)
    case 'oversized':
      return withBody(response, (body) => oversized(body, fault.bytes), false)
    case 'drip':
      return withBody(response, (body) => drip(body, fault.bytes, fault.everyMs), true)
    case 'delay':
    case 'status':
    case 'redirect':
    case 'rate-limit':
      return null
  }
}

type Body = Uint8Array<ArrayBuffer>

async function withBody(
  response: Response,
  change: (body: Body) => ReadableStream<Body>,
  promisesLength: boolean,
): Promise<Response | null> {
  if (BODILESS.includes(response.status)) return null
  const body = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  if (promisesLength) headers.set('content-length', body.length.toString())
  return new Response(change(body), { status: response.status, headers })
}

/** Counts the requests of the current second. */
class Limiter {
  #second = -1
  #count = 0

  admits(perSecond: number): boolean {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#count = 0
    }
    return ++this.#count <= perSecond
  }
}

/**
 * Breaks off after a part of the whole, in [0, 1). `cut` ends the connection, where there is one that can be ended: a server
 * might say something of its own about a stream that fails.
 */
function truncated(body: Body, at: number, cut: (() => void) | null): ReadableStream<Body> {
  const kept = body.subarray(0, Math.min(Math.floor(body.length * at), Math.max(body.length - 1, 0)))
  let isSent = kept.length === 0
  return new ReadableStream<Body>({
    pull(controller) {
      if (!isSent) controller.enqueue(kept)
      else if (cut !== null) cut()
      else controller.error(new Error('broken off, as was asked for'))
      isSent = true
    },
  })
}

const PIECE = 65_536

/** Goes on after its end, with zeros. */
function oversized(body: Body, bytes: number): ReadableStream<Body> {
  let left = bytes
  return new ReadableStream<Body>({
    start: (controller) => controller.enqueue(body),
    pull(controller) {
      if (left <= 0) return controller.close()
      const length = Math.min(PIECE, left)
      left -= length
      controller.enqueue(new Uint8Array(length))
    },
  })
}

/** So many bytes every so many milliseconds. */
function drip(body: Body, bytes: number, everyMs: number): ReadableStream<Body> {
  const step = Math.max(bytes, 1)
  let at = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Body>(
    {
      pull: (controller) =>
        new Promise<void>((resolve) => {
          timer = setTimeout(() => {
            if (at >= body.length) controller.close()
            else controller.enqueue(body.slice(at, at + step))
            at += step
            resolve()
          }, everyMs)
        }),
      cancel: () => clearTimeout(timer),
    },
    // What nobody reads, as for HEAD, waits for nothing.
    { highWaterMark: 0 },
  )
}

/** What `@hono/node-server` puts beside a request: Node's `ServerResponse`, as far as it is needed here. */
interface Outgoing {
  readonly destroyed: boolean
  readonly headersSent: boolean
  readonly writableLength: number
  destroy(): void
}

/** How often it is looked whether all has been sent. */
const LOOK_MS = 5

/** Ends the connection of a request once what was written to it is sent; null where there is none, as in a page. */
function cutterOf(context: Context): (() => void) | null {
  const { outgoing } = (context.env ?? {}) as { readonly outgoing?: Outgoing }
  if (outgoing === undefined) return null
  return () => {
    const timer = setInterval(() => {
      const isSent = outgoing.headersSent && outgoing.writableLength === 0
      if (!isSent && !outgoing.destroyed) return
      clearInterval(timer)
      outgoing.destroy()
    }, LOOK_MS)
  }
}
