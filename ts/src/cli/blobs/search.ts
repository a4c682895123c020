/** A blob source of one search, with headers that are followed meanwhile. */
import { createBlobSource } from '../../blobs/create.ts'
import type { BlobQuery } from '../../blobs/options.ts'
import type { BlobsResult } from '../../blobs/result.ts'
import { openHeaders } from '../../proxy/headers/open-headers.ts'
import { joinSignals } from '../../util/signals.ts'
import { MAX_TIMER_MS } from '../../util/timers.ts'
import { createVerifier } from '../../verifier/create.ts'
import { wordedFetch } from '../options/fetch.ts'
import { openStore } from '../options/store.ts'
import type { BlobsCommandOptions } from './options.ts'
import { PatientHeaders } from './patient-headers.ts'
import type { BlobsPrinter } from './printers.ts'

/** What was found, and what keeps headers from being known, or null. */
export interface Found {
  readonly result: BlobsResult
  readonly trouble: string | null
}

/** Finds the blobs of a query. Rejects as `BlobSource.get` does, and with what the light client cannot start from. */
export async function search(
  query: BlobQuery,
  options: Omit<BlobsCommandOptions, 'now'> & { readonly now: () => number },
  printer: BlobsPrinter,
  signal: AbortSignal,
): Promise<Found> {
  const { network, checkpoint, beacon, execution, archive, allowStale, history, now } = options
  const timeoutMs = Math.min(options.timeout * 1000, MAX_TIMER_MS)
  const ways = { fetch: wordedFetch, now, timeoutMs }
  const onNews = (text: string, isTrouble: boolean): void => printer.news(text, isTrouble)
  const { headers } = openHeaders({
    ...{ network, checkpoint: checkpoint ?? null, beacon, allowStale, history, ...ways },
    store: await openStore(options, onNews),
    onNews,
  })
  const verifier = await createVerifier({ network, cache: false })
  const end = new AbortController()
  const { either, release } = joinSignals([signal, end.signal])
  const following = headers.follow(either)
  try {
    const patient = new PatientHeaders(headers, (what) => printer.waiting(what))
    const source = createBlobSource({
      ...{ verifier, beacon, ...ways },
      headers: patient,
      ...(execution && { execution }),
      ...(archive && { archives: archive }),
    })
    const finding = source.get({
      ...{ ...query, signal: either, deadlineMs: options.deadline * 1000 },
      onProgress: (progress) => printer.progress(progress),
    })
    // It ends by itself only where the checkpoint will not do.
    const result = await Promise.race([finding, following.then(() => finding)])
    return { result, trouble: result.reason === 'no-header' ? patient.trouble : null }
  } finally {
    end.abort()
    release()
    await following.catch(() => {})
    await verifier.dispose()
  }
}
