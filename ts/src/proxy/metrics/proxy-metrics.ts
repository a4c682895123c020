/** What a proxy counts, for Prometheus. Names of endpoints are their origins: paths and queries, where providers put keys, are in none. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { BlobsResult } from '../../blobs/result.ts'
import type { LogEntry } from '../access-log.ts'
import type { EndpointCounts } from '../headers/endpoint-counts.ts'
import type { HeadersStatus } from '../headers/known-header.ts'
import { type Counter, type Histogram, Registry } from './registry.ts'

/** In seconds. */
const LATENCY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]
/** How often the event loop is looked at, in milliseconds. */
const RESOLUTION_MS = 10

/** What is read when somebody asks for the metrics. */
export interface Readings {
  /** Whether `/health` is 200. */
  readonly isHealthy: () => boolean
  readonly headers: () => HeadersStatus
  /** What each endpoint did that was asked for old headers and for blocks. */
  readonly lookups: () => readonly EndpointCounts[]
  readonly memoryBytes: () => number
  readonly blocksUnderWay: () => number
  /** Null where there is no cache on disk. */
  readonly disk: () => { readonly size: number; readonly bytes: number } | null
}

/** What is counted of a request that was answered. */
export type Answered = Pick<LogEntry, 'route' | 'status' | 'reason' | 'bytes' | 'ms'>

/** The metrics of one proxy. */
export class ProxyMetrics {
  readonly #registry = new Registry()
  readonly #requests: Counter
  readonly #bytes: Counter
  readonly #latency: Histogram
  readonly #blobs: Counter
  readonly #results: Counter
  readonly #upstreamRequests: Counter
  readonly #upstreamBytes: Counter
  readonly #upstreamFailures: Counter
  readonly #upstreamFalse: Counter
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #inFlight = 0

  constructor(readings: Readings) {
    const registry = this.#registry
    const name = (rest: string): string => `blobcheck_proxy_${rest}`
    this.#requests = registry.counter(
      name('requests_total'),
      'Requests that were answered; `reason` as in the log, empty where it has none.',
    )
    this.#bytes = registry.counter(
      name('response_bytes_total'),
      'Bytes of the bodies of answers: none of HEAD.',
    )
    this.#latency = registry.histogram(
      name('request_duration_seconds'),
      'Time from a request to the beginning of its answer.',
      LATENCY_BOUNDS,
    )
    registry.gauge(name('healthy'), '1 while /health is 200, and 0 while it is 503.', () => [
      [{}, Number(readings.isHealthy())],
    ])
    registry.gauge(name('requests_in_flight'), 'Requests that are being answered.', () => [
      [{}, this.#inFlight],
    ])
    this.#blobs = registry.counter(
      name('blobs_total'),
      'Blobs in answers, by where they came from: memory, or a blob source, which verifies what its cache and its endpoints give.',
    )
    this.#results = registry.counter(name('source_results_total'), 'Results of the blob source.')
    const upstream = (rest: string, help: string): Counter => registry.counter(name(`upstream_${rest}`), help)
    this.#upstreamRequests = upstream(
      'requests_total',
      'Requests for data to endpoints, archives and the cache.',
    )
    this.#upstreamBytes = upstream('bytes_total', 'Bytes of their answers.')
    this.#upstreamFailures = upstream(
      'failures_total',
      'Requests for data that failed, by the kind of failure.',
    )
    this.#upstreamFalse = upstream('false_total', 'Things that they gave that are false.')
    this.#addHeaders(readings, name)
    registry.gauge(name('memory_blob_bytes'), 'Bytes of verified blobs in memory.', () => [
      [{}, readings.memoryBytes()],
    ])
    registry.gauge(name('blocks_under_way'), 'Blocks whose blobs are being fetched, or wait for it.', () => [
      [{}, readings.blocksUnderWay()],
    ])
    const disk = (read: (disk: { size: number; bytes: number }) => number) => () => {
      const there = readings.disk()
      return there === null ? [] : [[{}, read(there)] as const]
    }
    registry.gauge(
      name('disk_blobs'),
      'Blobs in the cache on disk.',
      disk(({ size }) => size),
    )
    registry.gauge(
      name('disk_bytes'),
      'Bytes of blobs in the cache on disk.',
      disk(({ bytes }) => bytes),
    )
    registry.gauge(
      name('event_loop_delay_seconds'),
      'How late the event loop was since the last time this was asked for.',
      () => this.#delays(),
    )
    registry.gauge(name('resident_memory_bytes'), 'Memory of the process.', () => [
      [{}, process.memoryUsage.rss()],
    ])
    registry.counted(name('cpu_seconds_total'), 'Time on processors of all threads.', () => {
      const { user, system } = process.cpuUsage()
      return [[{}, (user + system) / 1e6]]
    })
    this.#delay.enable()
  }

  /** All of them in Prometheus' text format. */
  text(): string {
    return this.#registry.text()
  }

  began(): void {
    this.#inFlight++
  }

  ended(): void {
    this.#inFlight--
  }

  /** `reason`: one of those that the code names, never words of others. */
  answered({ bytes, ms, reason, route, status }: Answered): void {
    this.#requests.add({ route, status, reason: reason ?? '' })
    this.#bytes.add({ route }, bytes)
    this.#latency.observe({ route }, ms / 1000)
  }

  gaveBlobs(from: 'memory' | 'source', count: number): void {
    this.#blobs.add({ from }, count)
  }

  /** What a blob source did. */
  sourced({ verdict, reason, report }: BlobsResult): void {
    this.#results.add({ verdict, reason })
    for (const { source, role, requests, bytes, refused, failures } of report.sources) {
      const labels = { endpoint: source, role }
      this.#upstreamRequests.add(labels, requests)
      this.#upstreamBytes.add(labels, bytes)
      this.#upstreamFalse.add(labels, refused.length)
      for (const { kind } of failures) this.#upstreamFailures.add({ ...labels, kind })
    }
  }

  /** Lets go of the timer. */
  dispose(): void {
    this.#delay.disable()
  }

  #addHeaders(
    { headers: status, lookups }: Pick<Readings, 'headers' | 'lookups'>,
    name: (rest: string) => string,
  ): void {
    const registry = this.#registry
    registry.gauge(name('current_slot'), 'The slot that it is by the clock.', () => [
      [{}, status().currentSlot],
    ])
    registry.gauge(name('known_slot'), 'Slots of the newest headers that are known.', () => {
      const { head, finalized } = status()
      return [
        ...(head === null ? [] : [[{ header: 'head' }, head.slot] as const]),
        ...(finalized === null ? [] : [[{ header: 'finalized' }, finalized.slot] as const]),
      ]
    })
    registry.counted(
      name('store_failures_total'),
      'How often what the light client verified could not be read from its store, or kept there.',
      () => [[{}, status().storeFailures]],
    )
    const asked = (): [string, EndpointCounts][] => [
      ...status().endpoints.map((counts): [string, EndpointCounts] => ['light-client', counts]),
      ...lookups().map((counts): [string, EndpointCounts] => ['headers-and-blocks', counts]),
    ]
    registry.counted(
      name('header_requests_total'),
      'Requests for light-client objects, headers and blocks, by endpoint.',
      () =>
        asked().map(
          ([what, endpoint]) => [{ endpoint: endpoint.name, for: what }, endpoint.requests] as const,
        ),
    )
    registry.counted(
      name('header_failures_total'),
      'Those of them that failed, by the kind of failure.',
      () =>
        asked().flatMap(([what, { name: endpoint, failures }]) =>
          Object.entries(failures).map(([kind, count]) => [{ endpoint, for: what, kind }, count] as const),
        ),
    )
  }

  /** In seconds. The histogram counts how long the pauses between its own timers were, of which their length is none of ours. */
  #delays(): (readonly [{ readonly quantile: string }, number])[] {
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
    const found = [0.5, 0.99].map(
      (quantile) => [{ quantile: String(quantile) }, late(this.#delay.percentile(100 * quantile))] as const,
    )
    const max = [{ quantile: '1' }, late(this.#delay.max)] as const
    this.#delay.reset()
    return [...found, max]
  }
}
