/**
 * An answer, split into sidecars by index. That it can be split is all that is known then; what a sidecar is worth is the
 * verifier's business. Throws `BeaconFailure` where it cannot.
 */
import { BeaconFailure } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { CRASHED } from '../../runtime/errors.ts'
import type { Portable } from '../../util/portable.ts'
import type { VerifierPool } from '../../verifier/worker/protocol.ts'
import type { SidecarKind } from './kinds.ts'

/** One entry of an answer. */
export interface Entry {
  /** What it says that it is; null where it says nothing that could be an index. */
  readonly index: number | null
  /** SSZ; or what JSON said that is none, which the verifier will refuse, with its reason. */
  readonly sidecar: Uint8Array | Portable
  readonly bytes: number
}

/**
 * What an answer holds. `incomplete` where a part of it does not decode, as where it was cut and nobody said so: then it is no
 * evidence that anything is missing, and what does decode is as good as ever.
 */
export interface Entries {
  readonly entries: readonly Entry[]
  readonly incomplete: BeaconFailure | null
}

/** Entries of an answer about so many blobs at most. JSON is read in a worker. */
export async function splitAnswer(
  kind: SidecarKind,
  answer: BeaconAnswer,
  blobs: number,
  pool: VerifierPool,
): Promise<Entries> {
  const maxBytes = kind.maxBytes(blobs)
  const sidecars =
    answer.form === 'ssz' ? readSsz(kind, answer.body) : await readJson(kind, answer.body, pool)
  const whole = sidecars.filter((sidecar) => !(sidecar instanceof Uint8Array) || kind.isWhole(sidecar))
  const entries = whole.map((sidecar): Entry => {
    const index = indexOf(sidecar)
    const bytes = sidecar instanceof Uint8Array ? sidecar.length : 0
    // Nor would the verifier take it; but nothing so long is to be carried about.
    if (bytes > maxBytes) throw new BeaconFailure('too-large', `a sidecar of ${bytes} bytes`)
    return { index: index !== null && index < kind.count ? index : null, sidecar, bytes }
  })
  const cut = sidecars.length - whole.length
  const detail = `${cut} of ${sidecars.length} sidecars do not decode`
  return { entries, incomplete: cut === 0 ? null : malformed(detail) }
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

function readSsz(kind: SidecarKind, body: Uint8Array): Uint8Array[] {
  const list = kind.split(body)
  if (list === null) throw malformed('no SSZ list of sidecars')
  return list
}

async function readJson(
  { count, delivery }: SidecarKind,
  body: Uint8Array<ArrayBuffer>,
  pool: VerifierPool,
): Promise<Portable[]> {
  const list = await pool.attemptTwice((api) => api.parse(delivery, body, Math.min(count, 128)))
  if (list === CRASHED) throw new BeaconFailure('crashed', 'two workers in a row crashed on it')
  // What is no answer at all comes as one entry without anything.
  if (list.some((entry) => indexOf(entry) === null)) throw malformed('JSON that is no list of sidecars')
  return list
}

function malformed(detail: string): BeaconFailure {
  return new BeaconFailure('malformed', detail)
}
