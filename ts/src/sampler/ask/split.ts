/**
 * An answer, split into sidecars by index. That it can be split is all that is known then; what a sidecar is worth is the
 * verifier's business. Throws `BeaconFailure` where it cannot.
 */
import { BeaconFailure } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import type { Portable } from '../../bytes/portable.ts'
import type { Pool } from '../../pool/pool.ts'
import type { SidecarKind } from './kinds.ts'

/** One entry of an answer. */
export interface Entry {
  /** What it says that it is; null where it says nothing that could be an index. */
  readonly index: number | null
  /** SSZ; or what JSON said that is none, which the verifier will refuse, with its reason. */
  readonly sidecar: Uint8Array | Portable
  readonly bytes: number
}

/** Entries of an answer about so many blobs at most. JSON is read in a worker. */
export async function splitAnswer(
  kind: SidecarKind,
  answer: BeaconAnswer,
  blobs: number,
  pool: Pool,
): Promise<Entry[]> {
  const maxBytes = kind.maxBytes(blobs)
  const sidecars =
    answer.form === 'ssz' ? splitSsz(kind, answer.body) : await readJson(kind, answer.body, pool)
  return sidecars.map((sidecar) => {
    const index = indexOf(sidecar)
    const bytes = sidecar instanceof Uint8Array ? sidecar.length : 0
    // Nor would the verifier take it; but nothing so long is to be carried about.
    if (bytes > maxBytes) throw new BeaconFailure('too-large', `a sidecar of ${bytes} bytes`)
    return { index: index !== null && index < kind.count ? index : null, sidecar, bytes }
  })
}

function indexOf(sidecar: Uint8Array | Portable): number | null {
  if (sidecar instanceof Uint8Array) {
    if (sidecar.length < 8) return null
    return Number(new DataView(sidecar.buffer, sidecar.byteOffset).getBigUint64(0, true))
  }
  if (typeof sidecar !== 'object' || sidecar === null || Array.isArray(sidecar)) return null
  const { index } = sidecar
  return typeof index === 'string' && /^[0-9]{1,4}$/.test(index) ? Number(index) : null
}

function splitSsz(kind: SidecarKind, body: Uint8Array): Uint8Array[] {
  if (body.length === 0) return []
  return kind.delivery === 'blob-sidecar'
    ? splitFixed(body, kind.maxBytes(1))
    : splitByOffsets(body, kind.count)
}

function splitFixed(body: Uint8Array, length: number): Uint8Array[] {
  if (body.length % length !== 0) throw malformed('an SSZ list of sidecars that ends within one')
  return Array.from({ length: body.length / length }, (_, at) =>
    body.subarray(at * length, (at + 1) * length),
  )
}

/** `List[DataColumnSidecar]`: a table of offsets, then the sidecars, without gaps. */
function splitByOffsets(body: Uint8Array, maxCount: number): Uint8Array[] {
  if (body.length < 4) throw malformed('an SSZ list that is shorter than an offset')
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  const first = view.getUint32(0, true)
  if (first === 0 || first % 4 !== 0 || first > 4 * maxCount || first > body.length)
    throw malformed('an SSZ list with an impossible first offset')
  const offsets = Array.from({ length: first / 4 }, (_, at) => view.getUint32(4 * at, true))
  return offsets.map((offset, at) => {
    const end = offsets[at + 1] ?? body.length
    if (offset > end || end > body.length) throw malformed('an SSZ list with offsets out of order')
    return body.subarray(offset, end)
  })
}

async function readJson(
  { count, delivery }: SidecarKind,
  body: Uint8Array<ArrayBuffer>,
  pool: Pool,
): Promise<Portable[]> {
  const list = await pool.attemptTwice((api) => api.parse(delivery, body, Math.min(count, 128)))
  if (list === null) throw new BeaconFailure('crashed', 'two workers in a row crashed on it')
  // What is no answer at all comes as one entry without anything.
  if (list.some((entry) => indexOf(entry) === null)) throw malformed('JSON that is no list of sidecars')
  return list
}

function malformed(detail: string): BeaconFailure {
  return new BeaconFailure('malformed', detail)
}
