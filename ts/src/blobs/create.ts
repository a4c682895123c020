/** From options to a blob source. */
import { readUrls } from '../beacon/endpoints.ts'
import { platformFetch } from '../beacon/request.ts'
import { readFiles } from '../block-data/files.ts'
import { readMs } from '../block-data/options.ts'
import { readParts } from '../block-data/read-parts.ts'
import { createExecutionSource } from '../execution/source.ts'
import { notify } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
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
      const { onProgress, signal } = read
      signal?.throwIfAborted()
      return await getBlobs(parts, read, (progress) => notify(onProgress, progress, signal))
    },
  }
}

/** What a source is made of. Each option is read once. */
function readOptions(options: BlobSourceOptions): {
  readonly parts: SourceParts
  readonly deadlineMs: number
} {
  const {
    beacon,
    headers,
    verifier,
    execution,
    archives,
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
  const read = readParts({ verifier, headers, beacon, now, fetch, timeoutMs, requestsPerEndpoint })
  const parts: SourceParts = {
    ...read.parts,
    archives: read.archivesOf(archives, 'archives'),
    files: readFiles(files, 'files'),
    cache: readCache(cache),
    execution:
      execution === undefined ? null : createExecutionSource(readUrls(execution, 'execution'), read.terms),
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
