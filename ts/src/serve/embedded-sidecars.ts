/** The sidecars of the real block that comes with the package, fetched in a page. */
import { embeddedSidecarsUrl } from './networks.ts'

/** What a file that is compressed with gzip begins with (RFC 1952). */
const GZIP = [0x1f, 0x8b]

/**
 * Fetches the sidecars of the real block that comes with the package: Holesky’s of slot 1409759, with six blobs. Resolves with the JSON
 * text that `realChain` takes; rejects where the file cannot be fetched, and with the signal’s reason. For pages and service workers: in
 * Node, `readEmbeddedSidecars` of `blobcheck/serve/node` reads it.
 *
 * @example
 * ```ts
 * import { fetchEmbeddedSidecars, realChain } from 'blobcheck/serve'
 *
 * const chain = await realChain({ sidecars: await fetchEmbeddedSidecars() })
 * console.log(chain.head.slot) // 1409759
 * ```
 */
export async function fetchEmbeddedSidecars({
  signal,
}: { readonly signal?: AbortSignal } = {}): Promise<string> {
  const response = await fetch(embeddedSidecarsUrl, { signal: signal ?? null })
  if (!response.ok) throw new Error(`${embeddedSidecarsUrl.href}: ${response.status} ${response.statusText}`)
  const bytes = await response.arrayBuffer()
  // Some servers take the name of the file for the encoding of their answer, and then the browser has decompressed it already.
  const isCompressed = GZIP.every((byte, at) => new Uint8Array(bytes)[at] === byte)
  if (!isCompressed) return new TextDecoder().decode(bytes)
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}
