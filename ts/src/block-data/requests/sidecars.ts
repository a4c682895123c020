/**
 * What endpoints are asked for: columns, and before Fulu blobs, both with the branch that ties them to a header; and answers, split
 * into sidecars by index. That an answer can be split is all that is known then; what a sidecar is worth is for the verifier to say.
 */
import type { Route } from '../../beacon/endpoint.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { CRASHED } from '../../runtime/errors.ts'
import type { SidecarName } from '../../verifier/checks/protocol.ts'
import { blobSidecar, columnBytes, isGloasColumn } from '../../beacon/ssz/layout.ts'
import type { Portable } from '../../util/portable.ts'
import type { VerifierPool } from '../../verifier/worker/protocol.ts'
import { isWholeColumn } from '../sidecar-bytes.ts'
import { splitColumns, splitFixed } from '../../beacon/ssz/layout.ts'

/** One of the two kinds of sidecars. */
export interface SidecarKind {
  readonly delivery: SidecarName
  /** How many indices there can be. */
  readonly count: number
  /** The longest SSZ of a sidecar of a block with so many blobs, in bytes. */
  maxBytes(blobs: number): number
  /** An answer in SSZ, split; null where it is none of this kind. */
  split(answer: Uint8Array): Uint8Array[] | null
  /** Whether an answer has them in the order of their indices. That of columns may be any (beacon-APIs, debug/data_column_sidecars.yaml). */
  readonly isInOrder: boolean
  /** Whether SSZ that was split off is a sidecar to its last byte, as far as its lengths tell. */
  isWhole(sidecar: Uint8Array): boolean
  /** Whether SSZ is in the container that Gloas has for this kind, and no fork before. */
  isOfGloas(sidecar: Uint8Array): boolean
  /** The question for these indices of a block. */
  route(root: string, indices: readonly number[], blobs: number): Route
}

/** `DataColumnSidecar` (specs/fulu/das-core.md), as long as its block has blobs. */
export const dataColumns: SidecarKind = {
  delivery: 'data-column-sidecar',
  count: COLUMNS,
  maxBytes: columnBytes,
  // Some nodes answer for all blocks of a slot, of which a proposer may have made two.
  split: (answer) => splitColumns(answer, 2 * COLUMNS),
  isInOrder: false,
  isWhole: isWholeColumn,
  isOfGloas: isGloasColumn,
  route: (root, indices, blobs) => routes.dataColumns(root, indices, 4 + columnBytes(blobs)),
}

/** `BlobSidecar` (specs/deneb/p2p-interface.md), of fixed size. */
export const blobSidecars: SidecarKind = {
  delivery: 'blob-sidecar',
  count: MAX_BLOB_COMMITMENTS_PER_BLOCK,
  maxBytes: () => blobSidecar.end,
  split: (answer) => splitFixed(answer, blobSidecar.end),
  isInOrder: true,
  isWhole: (sidecar) => sidecar.length === blobSidecar.end,
  isOfGloas: () => false,
  route: (root, indices) => routes.blobSidecars(root, indices),
}

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
  /**
   * Whether a longer answer, cut between two entries, would look the same: SSZ whose entries follow each other from its first byte on, without
   * a table of offsets. Then what was asked for and may come after the last entry may have been cut off, and is to be asked for by itself. An
   * answer without any entry is taken at its word: whether it was cut before the first byte cannot be told, unless by its `content-length`
   * (beacon/request.ts).
   */
  readonly mayBeCut: boolean
  /** The status of the answer: what one of another than 200 lacks, as of 206 (partial content), it does not deny. */
  readonly status: number
}

/**
 * Splits an answer about a block of so many blobs at most; `isBySchedule`: as far as the network's config tells, which may be older than the
 * block. JSON is read in a worker. Throws `BeaconFailure` where the answer is no list of sidecars, and where all are too long.
 */
export async function splitAnswer(
  kind: SidecarKind,
  answer: BeaconAnswer,
  blobs: number,
  pool: VerifierPool,
  isBySchedule: boolean = false,
): Promise<Entries> {
  const maxBytes = kind.maxBytes(blobs)
  const sidecars =
    answer.form === 'ssz' ? readSsz(kind, answer.body) : await readJson(kind, answer.body, pool)
  const decoded = sidecars.filter((sidecar) => !(sidecar instanceof Uint8Array) || kind.isWhole(sidecar))
  const isLong = (sidecar: Uint8Array | Portable): boolean =>
    sidecar instanceof Uint8Array && sidecar.length > maxBytes
  if (isBySchedule && decoded.some(isLong))
    throw new BeaconFailure('unsupported-fork', "a sidecar of more blobs than the network's config allows")
  // What is too long is of another block of the slot, or of none; nor would the verifier take it, and nothing so long is to be carried about.
  const whole = decoded.filter((sidecar) => !isLong(sidecar))
  if (whole.length === 0 && decoded.length > 0)
    throw new BeaconFailure('too-large', `sidecars of more than ${maxBytes} bytes`)
  const entries = whole.map((sidecar): Entry => {
    const index = indexOf(sidecar)
    const bytes = sidecar instanceof Uint8Array ? sidecar.length : 0
    return { index: index !== null && index < kind.count ? index : null, sidecar, bytes }
  })
  const cut = sidecars.length - whole.length
  const [first] = answer.form === 'ssz' ? sidecars : []
  const isCut = decoded.length < sidecars.length
  const detail = `${cut} of ${sidecars.length} sidecars ${isCut ? 'do not decode' : 'are too long'}`
  return {
    entries,
    incomplete: cut === 0 ? null : malformed(detail),
    mayBeCut: first instanceof Uint8Array && first.byteOffset === answer.body.byteOffset,
    status: answer.status ?? 200,
  }
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
  const list = await pool.attemptTwice((api) => api.parse(delivery, body, Math.min(count, COLUMNS)))
  if (list === CRASHED) throw new BeaconFailure('crashed', 'two workers in a row crashed on it')
  // What is no answer at all comes as one entry without anything.
  if (list.some((entry) => indexOf(entry) === null)) throw malformed('JSON that is no list of sidecars')
  return list
}

function malformed(detail: string): BeaconFailure {
  return new BeaconFailure('malformed', detail)
}
