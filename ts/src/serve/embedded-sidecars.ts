/** The sidecars of the real block that comes with the package, fetched in a page. */
import type { PlatformSignal } from '../util/platform-types.ts'
import { embeddedSidecarsUrl } from './networks.ts'

/**
 * Fetches the sidecars of the real block that comes with the package: Holesky’s of slot 1409759, with six blobs. Resolves with the JSON
 * text that `realChain` takes; rejects where the file cannot be fetched, and with the signal’s reason. For pages and service workers: in
 * Node, `readEmbeddedSidecars` of `blobcheck/serve/node` reads it.
 *
 * @example
 * ```ts browser
 * import { fetchEmbeddedSidecars } from 'blobcheck/serve'
 *
 * const { data } = JSON.parse(await fetchEmbeddedSidecars()) as { data: object[] }
 * console.log(data.length === 6) // true
 * ```
 */
export async function fetchEmbeddedSidecars({
  signal,
}: { readonly signal?: PlatformSignal | undefined } = {}): Promise<string> {
  const response = await fetch(embeddedSidecarsUrl, { signal: signal ?? null })
  if (!response.ok) throw new Error(`${embeddedSidecarsUrl.href}: ${response.status} ${response.statusText}`)
  // Not by its own stream: not every `fetch` has one, and what comes without would be an empty text.
  const body = new Blob([await response.arrayBuffer()]).stream()
  return await new Response(body.pipeThrough(new DecompressionStream('gzip'))).text()
}
