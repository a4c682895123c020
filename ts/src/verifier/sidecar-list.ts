/** What an answer of the Beacon API lists. */
import { COLUMNS } from '../beacon/constants.ts'
import { blobSidecar, splitColumns, splitFixed } from '../beacon/ssz/layout.ts'
import { attachedView, isBytes, tagged } from '../util/bytes.ts'
import type { SidecarName } from './checks/protocol.ts'
import { SourcedSidecar } from './sourced-sidecar.ts'

/**
 * The items of an answer of the Beacon API: an array as it is; the `data` of a JSON answer; the sidecars of an answer in SSZ. What cannot be
 * split is one item, which the checks will refuse. Throws `TypeError` for what is none of these, is detached, or cannot be read.
 *
 * @internal
 */
export function sidecarsOf(kind: SidecarName, answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (isBytes(answer)) {
    const bytes = attachedView(answer)
    const list = kind === 'blob-sidecar' ? splitFixed(bytes, blobSidecar.end) : splitColumns(bytes, COLUMNS)
    return list ?? [bytes]
  }
  // What JSON can say is an endpoint's fault; the rest is the caller's, as is one sidecar of `fromSource` that is in no array.
  if (!SourcedSidecar.open(answer) && / (Object|Null|Number|Boolean)/.test(tagged(answer))) {
    const list = (answer as { data?: unknown } | null)?.data
    return Array.isArray(list) ? list : [{}]
  }
  throw new TypeError(
    'sidecars must be an array, a Beacon API answer (its text or { data: [...] }), or the bytes of an SSZ list',
  )
}
