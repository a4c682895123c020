/**
 * The text of a Beacon API answer, split into sidecars where parsing it does no harm: in a worker. A block's worth of
 * JSON would hold up a page's main thread for longer than anything else does.
 */
import { copying, type Portable, portable } from '../bytes/portable.ts'
import type { Delivery } from './delivery.ts'
import { Refused } from './fields.ts'
import { blobSidecarSsz, dataColumnSidecarSsz } from './sidecar-json.ts'

/** Sidecars as SSZ; what is no sidecar comes as it is, for the checks to refuse. Text that is no answer is one such item. */
export function parseAnswer(
  kind: Delivery['kind'],
  text: string,
  maxItems: number = Number.POSITIVE_INFINITY,
): Portable[] {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return [{}]
  }
  const list = Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(list) || list.length > maxItems) return [{}]
  return list.map((entry: unknown) => {
    const item = portable(entry, copying)
    try {
      return (
        kind === 'blob-sidecar' ? blobSidecarSsz(item) : dataColumnSidecarSsz(item)
      ) as Uint8Array<ArrayBuffer>
    } catch (error) {
      if (error instanceof Refused) return item
      throw error
    }
  })
}
