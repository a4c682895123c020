/**
 * The text of a Beacon API answer, split into what it lists where parsing it does no harm: in a worker. A block's worth of
 * JSON would hold up a page's main thread for longer than anything else does.
 */
import { copying, type Portable, portable } from '../../util/portable.ts'
import type { SidecarName } from './protocol.ts'
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { isBoundedJson } from '../../beacon/json-bounds.ts'
import { bytesOf, Refused } from '../../beacon/ssz/fields.ts'
import { blobSidecarSsz, dataColumnSidecarSsz } from '../../beacon/ssz/sidecar-json.ts'

/** What answers are lists of; blobs as hex. */
export type Listed = 'blob' | SidecarName

const read: { readonly [kind in Listed]: (entry: Portable) => Uint8Array } = {
  blob: bytesOf,
  'blob-sidecar': blobSidecarSsz,
  'data-column-sidecar': dataColumnSidecarSsz,
}

/**
 * Reads an answer, given as text or as its bytes in UTF-8. Sidecars as SSZ, blobs as bytes of whatever length; what is neither comes as it is, for the checks to refuse. Text that is no
 * answer, or of a shape that would fill memory, is one such item.
 */
export function parseAnswer(
  kind: Listed,
  text: string | Uint8Array,
  maxItems: number = MAX_BLOB_COMMITMENTS_PER_BLOCK,
): Portable[] {
  // Before it is parsed: a parser needs hundreds of bytes for a bracket.
  if (!isBoundedJson(text)) return [{}]
  let answer: unknown
  try {
    answer = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
  } catch {
    return [{}]
  }
  const list = Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(list) || list.length > maxItems) return [{}]
  return list.map((entry: unknown) => {
    const item = portable(entry, copying)
    try {
      return read[kind](item) as Uint8Array<ArrayBuffer>
    } catch (error) {
      if (error instanceof Refused) return item
      throw error
    }
  })
}
