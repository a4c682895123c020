/** A whole proxy: headers that are followed, a blob source with its cache, the app, and the port (Node only). */
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import { resolveNetwork } from '../beacon/vetted-network.ts'
import { type Fetch, platformFetch } from '../beacon/request.ts'
import { loadAhead } from '../block-data/load-ahead.ts'
import { createBlobSource } from '../blobs/create.ts'
import type { StoreOption } from '../light-client/store/record-store.ts'
import { MAX_TIMER_MS } from '../util/timers.ts'
import { createVerifier } from '../verifier/create.ts'
import type { LogEntry } from './access-log.ts'
import { createProxyApp } from './app.ts'
import { DiskCache } from './blobs/disk-cache.ts'
import type { HeadersStatus } from './headers/known-header.ts'
import { openHeaders } from './headers/open-headers.ts'
import { listenGracefully } from './listen.ts'
import type { OnNews } from './news.ts'

/** Requests for data that one endpoint gets at the same time. */
const REQUESTS_PER_ENDPOINT = 8
/** How long a client may read nothing of its answer, in milliseconds. */
const UNREAD_MS = 60_000

/** Options of `startProxy`. */
export interface StartProxyOptions {
  readonly network: NetworkName | NetworkConfig
  /** URLs of Beacon API endpoints, up to 16. None is trusted. */
  readonly beacon: readonly string[]
  /** URLs of blob archives, up to 16. None is trusted. */
  readonly archives?: readonly string[]
  /** Root of a finalized block that the user trusts; null: headers are taken on the endpoints' word. */
  readonly checkpoint: string | null
  /** Where the light client keeps what it verified. */
  readonly store: StoreOption
  /** Whether to stand on a checkpoint older than the weak-subjectivity period. */
  readonly allowStale: boolean
  /** The cache on disk; null for none. */
  readonly cache: { readonly folder: string; readonly bytes: number } | null
  /** How many bytes of verified blobs are kept in memory. */
  readonly memoryBytes: number
  /** How many slots before the finalized header are followed back. */
  readonly history: number
  /** How long an endpoint may take for one answer, in milliseconds. */
  readonly timeoutMs: number
  /** How long a client waits for the beginning of an answer, in milliseconds. */
  readonly deadlineMs: number
  readonly port: number
  readonly host: string
  /** Milliseconds of Unix time. */
  readonly now?: () => number
  readonly fetch?: Fetch
  /** This package's version. */
  readonly version: string
  /** Told of what goes wrong with the chain that is followed, or with the cache on disk, and of what comes right again. */
  readonly onNews: OnNews
  readonly onAnswer: (entry: LogEntry) => void
  readonly onFault: (error: Error) => void
}

/** A proxy that runs. */
export interface RunningProxy {
  /** Its address as `http://host:port`. */
  readonly url: string
  /**
   * Rejects with what the user has to mend (a checkpoint that is too old, options that make no sense). It is pending while the proxy runs,
   * whatever its endpoints do, and resolves when it is stopped.
   */
  readonly following: Promise<void>
  /** How far the headers are. */
  status(): HeadersStatus
  /** Blobs in the cache on disk; null where there is none. */
  readonly cached: number | null
  /** Stops: see `ProxyServer.stop`. Resolves when all is released, and `onAnswer` has been told of what was cut off, too. */
  stop(graceMs: number): Promise<number>
}

/**
 * Starts a proxy. It listens at once, and refuses what it does not know yet. Throws `TypeError` for options that make no sense, Node's error
 * where the port or the folder cannot be had, and `WasmUnavailableError`.
 */
export async function startProxy(options: StartProxyOptions): Promise<RunningProxy> {
  const { now = Date.now, fetch = platformFetch, beacon, archives = [], cache } = options
  const network = resolveNetwork(options.network)
  const timeoutMs = Math.min(options.timeoutMs, MAX_TIMER_MS)
  const ways = { fetch, now, timeoutMs }
  const { checkpoint, store, allowStale, history, onNews } = options
  const { headers, endpoints } = openHeaders({
    ...{ network: options.network, checkpoint, store, allowStale, history, onNews, beacon, ...ways },
  })
  const disk = cache && (await DiskCache.open(cache.folder, cache.bytes, onNews))
  // What it remembers are digests of what was verified in this process: blobs of the cache on disk cost a hash the second time.
  const verifier = await createVerifier({ network: options.network, cache: 'auto', trustCache: false })
  try {
    await loadAhead(verifier)
    const source = createBlobSource({
      ...{ verifier, headers, beacon, ...ways },
      ...(archives.length > 0 && { archives }),
      ...(disk && { cache: disk }),
      requestsPerEndpoint: REQUESTS_PER_ENDPOINT,
    })
    const app = createProxyApp({
      ...{ network, headers, source, endpoints, disk },
      networkName: typeof options.network === 'string' ? options.network : null,
      memoryBytes: options.memoryBytes,
      deadlineMs: Math.min(options.deadlineMs, MAX_TIMER_MS),
      atOnce: 256,
      // With those that wait for their turn, and as many that are being sent: each keeps its blobs.
      mostUnderWay: 1_024,
      blocksAtOnce: 8,
      version: options.version,
      onAnswer: options.onAnswer,
      onFault: options.onFault,
    })
    const end = new AbortController()
    try {
      const server = await listenGracefully(app.fetch, {
        port: options.port,
        host: options.host,
        quietMs: options.deadlineMs + UNREAD_MS,
      })
      const following = headers.follow(end.signal)
      // Whoever wants to know waits for it; nobody has to.
      following.catch(() => {})
      return {
        url: server.url,
        following,
        status: () => headers.status(),
        get cached() {
          return disk && disk.size
        },
        async stop(graceMs) {
          const cut = await server.stop(graceMs, () => app.end())
          end.abort(new DOMException('the proxy is stopped', 'AbortError'))
          await following.catch(() => {})
          await app.dispose()
          await verifier.dispose()
          return cut
        },
      }
    } catch (error) {
      await app.dispose()
      throw error
    }
  } catch (error) {
    await verifier.dispose()
    throw error
  }
}
