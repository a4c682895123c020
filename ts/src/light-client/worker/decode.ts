/**
 * From an endpoint's answer to light-client objects in SSZ, whatever form the answer has, with the fork whose containers each is
 * written in. From here on there is one form, and one parser, that of crates/beacon.
 */
import { parseJson, readFields, Undecodable } from '../../beacon/answer.ts'
import { forkOfVersion, UNKNOWN_VERSION } from '../../beacon/consensus-version.ts'
import type { Fork } from '../../beacon/forks.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { recordOf, uint64Of } from '../../beacon/ssz/fields.ts'
import {
  branchDepths,
  type ForkIndex,
  GLOAS,
  type ObjectKind,
  objectSsz,
} from '../../beacon/ssz/light-client-json.ts'
import type { Portable } from '../../util/portable.ts'
import type { ByteArray } from '../../util/platform-types.ts'

/** An object in the containers of its fork, not yet looked into. */
export interface LightClientObject {
  readonly fork: ForkIndex
  readonly ssz: ByteArray
  /** Whether it came with a fork digest that is not known, so that `fork` is that of its slot: what is false by it may be true by another one. */
  readonly isInDoubt?: boolean
}

/** The one object of an answer. Throws `Undecodable`. */
export function decodeObject(kind: ObjectKind, answer: BeaconAnswer, forks: Forks): LightClientObject {
  if (answer.form === 'json')
    return readFields(() => versioned(kind, parseJson(answer), answer.version, forks))
  const { version, body: ssz } = answer
  return version === null
    ? { fork: forkOfObject(kind, ssz, forks), ssz }
    : announced(kind, forkIndexOf(version), ssz, forks)
}

/** The updates of an answer up to the first that cannot be read, and why that one cannot. */
export interface ReadableUpdates {
  readonly updates: readonly LightClientObject[]
  readonly rest: Undecodable | null
}

/**
 * The updates of an answer, the first `maxCount` where it has more: Lighthouse sent others behind those that were asked for (Lighthouse 9472, 7759).
 * Throws `Undecodable` where not even the first can be read.
 */
export function decodeUpdates(answer: BeaconAnswer, maxCount: number, forks: Forks): ReadableUpdates {
  if (answer.form === 'ssz') {
    return whileReadable(splitStream(answer.body, maxCount), (chunk) => {
      const fork = forks.ofDigest(chunk.digest)
      const ssz = new Uint8Array(chunk.ssz)
      return fork === null ? { ...inDoubt(ssz, forks), ssz } : announced('update', fork, ssz, forks)
    })
  }
  return readFields(() => {
    const list = parseJson(answer)
    if (!Array.isArray(list)) throw new Undecodable('not a list of updates')
    return whileReadable(list.slice(0, maxCount), (entry) =>
      readFields(() => versioned('update', entry as Portable, null, forks)),
    )
  })
}

/**
 * The fork of an update whose fork digest is not known: that of its slot. Digests change where a fork does not, with the limit of blobs
 * (EIP-7892), of which the network's config may know nothing yet.
 */
function inDoubt(ssz: Uint8Array, forks: Forks): Omit<LightClientObject, 'ssz'> {
  try {
    return { fork: forkOfObject('update', ssz, forks), isInDoubt: true }
  } catch (error) {
    throw error instanceof Undecodable
      ? new Undecodable(unknownDigest + error.message, 'unsupported-fork')
      : error
  }
}

/** How the detail begins where an update with a fork digest that is not known is not good by the fork of its slot. */
export const unknownDigest = 'a fork digest that is not known, and by the fork of its slot: '

function whileReadable<T>(entries: readonly T[], read: (entry: T) => LightClientObject): ReadableUpdates {
  const updates: LightClientObject[] = []
  for (const entry of entries) {
    try {
      updates.push(read(entry))
    } catch (error) {
      if (!(error instanceof Undecodable) || updates.length === 0) throw error
      return { updates, rest: error }
    }
  }
  return { updates, rest: null }
}

function versioned(kind: ObjectKind, json: Portable, told: string | null, forks: Forks): LightClientObject {
  const { version = told, data = null } = recordOf(json, 'bad-json')
  if (typeof version !== 'string') throw new Undecodable('an object without a version')
  const named = forkIndexOf(version)
  const field = recordOf(data, 'bad-json')[kind === 'bootstrap' ? 'header' : 'attested_header']
  const header = recordOf(field, 'bad-json')
  const { slot } = recordOf(header['beacon'], 'bad-json')
  const leading = {
    isGloas: header['execution_block_hash'] !== undefined,
    fork: forks.atSlot(uint64Of(slot)),
  }
  const fork = forkOfForm(named, leading)
  if (isOnOtherSide(fork, leading.fork)) throw new Undecodable(otherForm, 'unsupported-fork')
  return { fork, ssz: objectSsz(kind, fork, data) }
}

/**
 * An object that comes with the fork in whose containers it is: that of the header that leads it (beacon-APIs, and the contexts of
 * specs/altair/light-client/p2p-interface.md). Throws `Undecodable` where that cannot be by the network's config.
 */
function announced(kind: ObjectKind, named: ForkIndex, ssz: ByteArray, forks: Forks): LightClientObject {
  const fork = forkOfNamed(kind, named, ssz, forks)
  if (isOfOtherForm(kind, fork, ssz, forks)) throw new Undecodable(otherForm, 'unsupported-fork')
  return { fork, ssz }
}

/** One chunk of the stream. */
export interface Chunk {
  /** 4 bytes. */
  readonly digest: Uint8Array
  readonly ssz: Uint8Array
}

/**
 * Splits the stream of updates in SSZ into its first chunks, at most `maxCount`: for each update its length as a uint64, little-endian, then
 * so many bytes, which are a fork digest of four and the object (beacon-APIs, getLightClientUpdatesByRange). The parts are views on it.
 */
export function splitStream(stream: Uint8Array, maxCount: number): Chunk[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const chunks: Chunk[] = []
  let at = 0
  while (at < stream.length && chunks.length < maxCount) {
    if (stream.length - at < 8) throw new Undecodable('the stream ends within a length', 'truncated')
    const length = view.getBigUint64(at, true)
    at += 8
    if (length < 4n) throw new Undecodable('a chunk without a fork digest')
    if (length > BigInt(stream.length - at))
      throw new Undecodable('the stream ends within a chunk', 'truncated')
    const end = at + Number(length)
    chunks.push({ digest: stream.subarray(at, at + 4), ssz: stream.subarray(at + 4, end) })
    at = end
  }
  return chunks
}

/** What the module knows of the forks of a network's slots; null for what is none of them. */
export interface SlotForks {
  atSlot(slot: bigint): ForkIndex | null
  /** SYNC_COMMITTEE_SIZE. */
  readonly committeeSize: number
}

/** What it knows of all of its forks. */
export interface Forks extends SlotForks {
  ofDigest(digest: Uint8Array): ForkIndex | null
}

const forkIndices: Readonly<Record<Fork, ForkIndex>> = {
  altair: 0,
  bellatrix: 0,
  capella: 1,
  deneb: 2,
  electra: 3,
  fulu: 4,
  gloas: GLOAS,
}

/** The fork that `Eth-Consensus-Version` or the JSON field `version` names, as the module numbers it. Throws `Undecodable`. */
export function forkIndexOf(version: string): ForkIndex {
  const fork = forkOfVersion(version)
  if (fork === null) throw new Undecodable(UNKNOWN_VERSION + version.slice(0, 32), 'unsupported-fork')
  if (fork === 'phase0') throw new Undecodable('of phase0, which has no light clients')
  return forkIndices[fork]
}

/** What is wrong with an object that came before Gloas, by the network's config, in the form of Gloas; or after it in the form of an older fork. */
export const otherForm = "not in the form that objects of its slot have by the network's config"

/**
 * Whether an object in the containers of a fork is on the other side of Gloas than the slot of the header that leads it, by the network's config.
 * It is true, perhaps, on a chain that comes to Gloas at another time than the config has, and can be verified by a config with the right one alone.
 * So much is said only of what is in a form that is known.
 */
export function isOfOtherForm(kind: ObjectKind, fork: ForkIndex, ssz: Uint8Array, forks: SlotForks): boolean {
  const { isGloas, fork: ofSlot } = leadingHeader(kind, ssz, forks)
  return isGloas !== null && isOnOtherSide(fork, ofSlot)
}

/**
 * Whether a proof of the execution layer that did not hold may be the fault of a config that has Gloas at another time than the chain: where a header
 * of the object, also the finalized one, is on the other side of Gloas than its slot by the network's config. In an object of Gloas, the branch of an
 * older header begins with zeros (`upgrade_lc_header_to_gloas`), and that of one of Gloas with the root of a block. It says whom not to accuse, and
 * nothing of what to believe.
 */
export function isOfOtherDate(kind: ObjectKind, fork: ForkIndex, ssz: Uint8Array, forks: SlotForks): boolean {
  if (isOfOtherForm(kind, fork, ssz, forks)) return true
  if (fork !== GLOAS || (kind !== 'update' && kind !== 'finality-update')) return false
  // Behind the finalized header are its branch and what was signed.
  const [, finalityDepth] = branchDepths(GLOAS)
  const header = ssz.subarray(-GLOAS_HEADER - 32 * finalityDepth - signedLength(forks.committeeSize))
  const slot = new DataView(header.buffer, header.byteOffset).getBigUint64(0, true)
  const isOlder = header.subarray(GLOAS_BRANCH, GLOAS_BRANCH + 32).every((byte) => byte === 0)
  // Where there is none, and of the genesis block, it is empty.
  return slot > 0n && isOnOtherSide(isOlder ? 4 : GLOAS, forks.atSlot(slot))
}

/** Whether the containers of a fork are on the other side of Gloas than a slot's, whose fork is null where it has none that is known. */
function isOnOtherSide(fork: ForkIndex, ofSlot: ForkIndex | null): boolean {
  return ofSlot !== null && (fork === GLOAS) !== (ofSlot === GLOAS)
}

/** What an object says of its fork by itself. */
interface LeadingHeader {
  /** Whether it is in the form of Gloas, or in that of an older fork; null where it is in none that is known. */
  readonly isGloas: boolean | null
  /** The fork, by the network's config, of the slot of the header that leads it; null where it has none that is known. */
  readonly fork: ForkIndex | null
}

/**
 * From Capella to Fulu headers are of variable length, so that each kind of object in SSZ begins with the offset of its first one; before and
 * after, with the header itself. Objects of Altair and of Gloas are known by their lengths, which none of another fork has.
 */
function leadingHeader(kind: ObjectKind, ssz: Uint8Array, forks: SlotForks): LeadingHeader {
  if (ssz.length < 8) return { isGloas: null, fork: null }
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.byteLength)
  const isGloas = ssz.length === fixedLength(kind, forks.committeeSize, GLOAS_HEADER, GLOAS)
  const isAltair = ssz.length === fixedLength(kind, forks.committeeSize, BEACON_HEADER, 0)
  const offset = isGloas || isAltair ? 0 : view.getUint32(0, true)
  const hasOffset = offset > 0 && offset + 8 <= ssz.length
  return {
    isGloas: isGloas || (isAltair || hasOffset ? false : null),
    fork: forks.atSlot(view.getBigUint64(hasOffset ? offset : 0, true)),
  }
}

/**
 * The fork as which an object is read that comes with the name of one. Where its form is that of its slot by the network's config, and the name
 * alone is of the other side of Gloas, it is the slot's: at the fork Lighthouse names that of the slot in which an object was signed. Whether
 * the object is true is seen when it is verified.
 */
function forkOfForm(named: ForkIndex, { isGloas, fork }: LeadingHeader): ForkIndex {
  return fork !== null && isGloas === (fork === GLOAS) && isOnOtherSide(named, fork) ? fork : named
}

/** The same for an object in SSZ. */
export function forkOfNamed(
  kind: ObjectKind,
  named: ForkIndex,
  ssz: Uint8Array,
  forks: SlotForks,
): ForkIndex {
  return forkOfForm(named, leadingHeader(kind, ssz, forks))
}

/**
 * The fork of an SSZ object that does not say: browsers hide the header where the server does not expose it. It is that
 * of the slot of the header that leads the object. Throws `Undecodable`.
 */
export function forkOfObject(kind: ObjectKind, ssz: Uint8Array, forks: SlotForks): ForkIndex {
  if (ssz.length < 8) throw new Undecodable('shorter than a slot', 'truncated')
  const { isGloas, fork } = leadingHeader(kind, ssz, forks)
  if (fork === null)
    throw new Undecodable('of a slot whose fork has no light clients, or is not known', 'unsupported-fork')
  if ((isGloas ?? false) === (fork === GLOAS)) return fork
  throw isGloas === null
    ? new Undecodable('not as long as an object of its slot')
    : new Undecodable(otherForm, 'unsupported-fork')
}

/** The bytes of a `BeaconBlockHeader`: all of a light client's header in Altair. */
const BEACON_HEADER = 112
/** Where the execution branch begins in a light client's header of Gloas: behind the beacon header and the hash of the execution block. */
const GLOAS_BRANCH = BEACON_HEADER + 32
/** All of that header: the branch has 11 nodes (specs/gloas/light-client/sync-protocol.md). */
const GLOAS_HEADER = GLOAS_BRANCH + 32 * 11

/** The length of what stands at the end of each update: who signed, their signature, and its slot. */
function signedLength(committeeSize: number): number {
  return committeeSize / 8 + 96 + 8
}

/** The length of an object of a fork whose headers have a fixed one, `header`, for committees of so many keys. */
function fixedLength(kind: ObjectKind, committeeSize: number, header: number, fork: ForkIndex): number {
  const [committeeDepth, finalityDepth] = branchDepths(fork)
  const committee = 48 * (committeeSize + 1) + 32 * committeeDepth
  const signed = signedLength(committeeSize)
  const finality = header + 32 * finalityDepth
  if (kind === 'bootstrap') return header + committee
  if (kind === 'update') return header + committee + finality + signed
  return kind === 'finality-update' ? header + finality + signed : header + signed
}
