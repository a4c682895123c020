/** From options to a blob source. */
import type { EndpointOptions } from '../beacon/endpoint.ts'
import { BeaconEndpoints, readUrls } from '../beacon/endpoints.ts'
import { platformFetch } from '../beacon/request.ts'
import { readFiles } from '../block-data/files.ts'
import { readCount, readMs } from '../block-data/options.ts'
import { DataSchedule } from '../block-data/schedule.ts'
import { createExecutionSource } from '../execution/source.ts'
import { notify } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { internalsOf } from '../verifier/pipeline.ts'
import type { SourceParts } from './context.ts'
import { getBlobs } from './get.ts'
import type { BlobCache, BlobSource, BlobSourceOptions, GetBlobsOptions } from './options.ts'
import { readCall } from './query.ts'

const TIMEOUT_MS = 10_000
const DEADLINE_MS = 30_000

/**
 * Creates a blob source over a verifier, a source of headers, and endpoints. It starts no threads of its own and holds nothing that would
 * have to be released. Throws `TypeError` for options that make no sense.
 *
 * @example
 * ```ts
 * import { createBlobSource } from 'blobcheck/blobs'
 *
 * const source = createBlobSource({ verifier, headers: client, beacon: ['https://a.example', 'https://b.example'] })
 * const { verdict, blobs, report } = await source.get({ slot: 'finalized' })
 * for (const { index, blob, versionedHash } of blobs) console.log(index, versionedHash, blob.length)
 * if (verdict !== 'complete') console.log(verdict, report.sources)
 * ```
 */
export function createBlobSource(options: BlobSourceOptions): BlobSource {
  const { deadlineMs, parts } = reading(() => readOptions(options))
  return {
    async get(call: GetBlobsOptions) {
      const read = reading(() => readCall(call, deadlineMs))
      const { query, onProgress, signal } = read
      if ((query.kind === 'execution' || query.kind === 'transaction') && parts.execution === null)
        throw new TypeError('transaction and blockHash need the option execution')
      signal?.throwIfAborted()
      try {
        return await getBlobs(parts, read, (progress) => notify(onProgress, progress, signal))
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
  }
}

/** What a source is made of. Each option is read once. */
function readOptions(options: BlobSourceOptions): {
  readonly parts: SourceParts
  readonly deadlineMs: number
} {
  const {
    beacon: urls,
    headers,
    verifier,
    execution: executionUrls,
    archives: archiveUrls,
    files = [],
    cache,
    now = Date.now,
    deadlineMs = DEADLINE_MS,
    timeoutMs = TIMEOUT_MS,
    requestsPerEndpoint = 4,
    fetch = platformFetch,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  const { blocks, network, pool } = internalsOf(verifier)
  if (typeof headers !== 'object' || headers === null || !('resolve' in headers || 'headerAt' in headers))
    throw new TypeError('headers must be a LightClient or a HeaderSource')
  if (typeof now !== 'function') throw new TypeError('now must be a function')
  const ways: EndpointOptions = {
    ...{ fetch, now, random: Math.random },
    timeoutMs: readMs(timeoutMs, 'timeoutMs'),
    atOnce: readCount(requestsPerEndpoint, 'requestsPerEndpoint'),
  }
  const beacon = readUrls(urls)
  const parts: SourceParts = {
    ...{ verifier, pool, blocks, network, headers, now },
    endpoints: new BeaconEndpoints(beacon, ways),
    schedule: new DataSchedule(network),
    archives:
      archiveUrls === undefined ? null : new BeaconEndpoints(readUrls(archiveUrls, 'archives'), ways, beacon),
    files: readFiles(files, 'files'),
    cache: readCache(cache),
    execution:
      executionUrls === undefined ? null : createExecutionSource(readUrls(executionUrls, 'execution'), ways),
  }
  return { parts, deadlineMs: readMs(deadlineMs, 'deadlineMs') }
}

function readCache(cache: BlobCache | undefined): BlobCache | null {
  if (cache === undefined) return null
  if (typeof cache !== 'object' || cache === null) throw new TypeError('cache must be an object')
  if (typeof cache.get !== 'function' || typeof cache.put !== 'function')
    throw new TypeError('cache must have the methods get and put')
  return cache
}
