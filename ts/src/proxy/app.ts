/** The proxy as an app: a Beacon API whose answers have been verified. It opens no port. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import type { BlobSource } from '../blobs/options.ts'
import { DisposedError, WasmUnavailableError } from '../runtime/errors.ts'
import { errorResponse } from '../serve/routes/http.ts'
import type { PlatformRequest, PlatformResponse } from '../util/platform-types.ts'
import { getPath, Hono, HTTPException, type MiddlewareHandler } from '../vendor/hono.ts'
import { printable } from '../util/printable.ts'
import { joinSignals, onAbort } from '../util/signals.ts'
import type { LogEntry } from './access-log.ts'
import { Blocks } from './block/blocks.ts'
import { BlockBlobs } from './blobs/block-blobs.ts'
import type { KnownHeaders } from './headers/known-header.ts'
import { ProxyMetrics } from './metrics/proxy-metrics.ts'
import { BusyError, Places } from '../util/places.ts'
import { type Note, type ProxyContext, type ProxyEnv, Refusal } from './routes/answers.ts'
import { addChainRoutes } from './routes/chain.ts'
import { addDataRoutes } from './routes/data.ts'
import { addNodeRoutes, healthOf } from './routes/node.ts'
import { Sidecars } from './sidecars.ts'

/** Options of `createProxyApp`. */
export interface ProxyOptions {
  readonly network: VettedNetwork
  /** CONFIG_NAME of the network; null where it has none. */
  readonly networkName: string | null
  /** Says which block is meant. */
  readonly headers: KnownHeaders
  /** Finds blobs and verifies them. */
  readonly source: BlobSource
  /** Where whole blocks are fetched from, for sidecars' branches and for those who want blocks: endpoints, none of them trusted. */
  readonly endpoints: BeaconEndpoints
  /** The cache on disk, for the metrics; null where there is none. */
  readonly disk: { readonly size: number; readonly bytes: number } | null
  /** How many bytes of verified blobs are kept in memory. */
  readonly memoryBytes: number
  /** How long a client waits for the beginning of an answer, in milliseconds; then it gets a 503. */
  readonly deadlineMs: number
  /** Requests that are answered at the same time, bodies that are being sent apart; as many again may wait. */
  readonly atOnce: number
  /** Requests that may be under way, bodies that are being sent among them; one more is refused with a 503. */
  readonly mostUnderWay: number
  /** Blocks whose blobs are fetched at the same time. */
  readonly blocksAtOnce: number
  /** This package's. */
  readonly version: string
  /** Told of each request that was answered. */
  readonly onAnswer: (entry: LogEntry) => void
  /** Told of faults of our own, which clients get as a 500 without a word. */
  readonly onFault: (error: Error) => void
}

/** What `createProxyApp` makes. */
export interface ProxyApp {
  /** Answers a request, whatever the host in its address. `underWay`: how many are under way with it, bodies that are being sent among them. */
  readonly fetch: (request: PlatformRequest, underWay: number) => Promise<PlatformResponse>
  /** Ends what is being answered: each request gets a 503 with the reason `stopping`, which nobody reads but the log where connections are cut off. */
  end(): void
  /** Ends what is being answered, and the threads that compute proofs; resolves when `onAnswer` has been told of each request. */
  dispose(): Promise<void>
}

/** Makes the app. */
export function createProxyApp(options: ProxyOptions): ProxyApp {
  const { network, networkName, headers, source, endpoints, version, atOnce } = options
  const blocks = new Blocks(endpoints, network)
  const sidecars = new Sidecars(blocks)
  const blobs = new BlockBlobs({
    ...{ source, headers },
    // A little before those who wait give up, so that they hear why.
    searchMs: Math.max(1, Math.floor(options.deadlineMs * 0.95)),
    memoryBytes: options.memoryBytes,
    atOnce: options.blocksAtOnce,
    room: atOnce,
    onResult: (result) => metrics.sourced(result),
  })
  /** Of each route that is answered with a fault, since something cannot be loaded, what that is; until it is answered again. */
  const unloaded = new Map<string, string>()
  const fault = (): string | null => unloaded.values().next().value ?? null
  const metrics = new ProxyMetrics({
    isHealthy: () => healthOf(headers.status(), fault()) === 'ok',
    headers: () => headers.status(),
    lookups: () => endpoints.report(),
    memoryBytes: () => blobs.memoryBytes,
    blocksUnderWay: () => blobs.underWay,
    disk: () => options.disk,
  })
  const app = new Hono<ProxyEnv>({ getPath: plainPath })
  const answered = (entry: LogEntry): void => {
    if (entry.status === 200) unloaded.delete(entry.route)
    options.onAnswer(entry)
  }
  app.use(observed(metrics, answered))
  const ending = new AbortController()
  const end = (): void => ending.abort(new DOMException(STOPPING, 'AbortError'))
  const answering = new Set<Promise<unknown>>()
  // What is about the process itself is answered however busy it is.
  const limited = bounded(new Places(atOnce, atOnce), ending.signal, options)
  for (const path of ['/eth/v1/beacon/*', '/eth/v2/beacon/*']) app.use(path, limited)
  addNodeRoutes(app, { network, networkName, headers, metrics, version, fault })
  addChainRoutes(app, headers, blocks)
  addDataRoutes(app, { network, headers, blobs, sidecars, metrics })
  app.notFound(({ req }) => new Refusal(404, 'no-route', `there is no route ${req.path}`).getResponse())
  app.onError((error, context) => {
    const refusal = ending.signal.aborted ? refusalAtEnd(error) : refusalFor(error, context)
    if (error instanceof WasmUnavailableError) unloaded.set(routeOf(context), error.message)
    return refused(error, refusal, context, options.onFault)
  })
  return {
    async fetch(request, underWay) {
      const answer = Promise.resolve(app.fetch(request, { underWay }))
      answering.add(answer)
      try {
        return await answer
      } finally {
        answering.delete(answer)
      }
    },
    end,
    async dispose() {
      end()
      await Promise.allSettled(answering)
      metrics.dispose()
      await sidecars.dispose()
    },
  }
}

/** Clients join a base address and a path as they like: `//eth/…` and a slash at the end mean the same route, whose 404 would be taken for a proof. */
function plainPath(request: Request): string {
  return getPath(request)
    .replace(/\/{2,}/g, '/')
    .replace(/(?!^)\/$/, '')
}

/** Counts requests, and tells of each how it was answered. */
function observed(metrics: ProxyMetrics, onAnswer: (entry: LogEntry) => void): MiddlewareHandler<ProxyEnv> {
  return async (context, next) => {
    const start = performance.now()
    const note: Note = { block: null, via: null, reason: null, detail: null, bytes: 0 }
    context.set('note', note)
    metrics.began()
    try {
      const { method } = context.req
      if (method === 'GET' || method === 'HEAD') await next()
      else context.res = errorResponse(405, 'only GET and HEAD are answered', { allow: 'GET, HEAD' })
    } finally {
      metrics.ended()
    }
    const { status } = context.res
    // An answer that passes, as a slot that is empty by now, is not to be kept by what stands in front.
    if (status !== 200 || context.var.isSettled !== true) context.res.headers.set('cache-control', 'no-store')
    const { method } = context.req
    // What HEAD asks for is the length alone; of others refusals are short, and are written in several places.
    if (method === 'HEAD') note.bytes = 0
    else if (status >= 400) note.bytes = (await context.res.clone().arrayBuffer()).byteLength
    const ms = performance.now() - start
    const entry = { route: routeOf(context), status, ms, ...note }
    metrics.answered(entry)
    onAnswer({ at: Date.now(), method, ...entry })
  }
}

/** The pattern of the route that answered: clients' own words would be as many labels as they like. */
function routeOf(context: ProxyContext): string {
  const matched = context.req.matchedRoutes.findLast(({ path }) => !path.includes('*'))
  return matched?.path.replace(':block_id', '{block_id}') ?? 'none'
}

const GONE = 'the client has gone'
const STOPPING = 'the proxy stops, and does not wait for this answer any longer'

/** Lets so many requests in at the same time, and ends what takes too long; at the end, all of them. */
function bounded(
  places: Places,
  ending: AbortSignal,
  { deadlineMs, headers, mostUnderWay }: Pick<ProxyOptions, 'deadlineMs' | 'headers' | 'mostUnderWay'>,
): MiddlewareHandler<ProxyEnv> {
  return async (context, next) => {
    if (context.env.underWay > mostUnderWay) throw new BusyError()
    // With an error of our own: the server's reason is a string, which nobody takes for one.
    const gone = new AbortController()
    const letGo = onAbort(context.req.raw.signal, () => gone.abort(new DOMException(GONE, 'AbortError')))
    const { either, release } = joinSignals([gone.signal, ending, AbortSignal.timeout(deadlineMs)])
    context.set('signal', either)
    try {
      await places.run(next, either)
      // On whose word it is that a block is of the chain: with --trust-endpoint clients can tell. Until a light client has started, there is none.
      const { links } = headers.status()
      if (links !== null)
        context.res.headers.set('blobcheck-headers', links.header === 'verified' ? 'verified' : 'on-trust')
    } finally {
      release()
      letGo()
    }
  }
}

/** The answer to a request that could not be answered; `refusal` is null for a fault of our own. */
function refused(
  error: Error,
  refusal: HTTPException | null,
  context: ProxyContext,
  onFault: (error: Error) => void,
): Response {
  if (refusal === null) {
    onFault(error)
    context.var.note.reason = 'fault'
    return errorResponse(500, 'this proxy has a fault of its own; its log says which')
  }
  context.var.note.detail = printable(refusal.message)
  if (refusal instanceof Refusal) context.var.note.reason = refusal.reason
  return refusal.getResponse()
}

/** Where all is called off, that is why, whatever it showed in: a signal, or what is disposed of. */
function refusalAtEnd(error: Error): HTTPException {
  return error instanceof HTTPException ? error : new Refusal(503, 'stopping', STOPPING)
}

/** Null for a fault of our own. */
function refusalFor(error: Error, context: ProxyContext): HTTPException | null {
  if (error instanceof HTTPException) return error
  if (error instanceof BusyError)
    return new Refusal(503, 'busy', 'too many requests are being answered already')
  if (error instanceof BeaconUnavailableError) return new Refusal(503, 'unreachable', error.message)
  // Nobody reads this one but the log.
  if (context.req.raw.signal.aborted) return new Refusal(503, 'gone', GONE)
  // The light client is being started anew.
  if (error instanceof DisposedError)
    return new Refusal(503, 'starting', 'the light client starts anew; ask again')
  if (error.name === 'TimeoutError')
    return new Refusal(503, 'timeout', 'it could not be found out in time; ask again')
  return null
}
