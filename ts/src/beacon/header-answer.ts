/**
 * The header in an answer of `/eth/v1/beacon/headers/{block_id}`, with the root that it has: computed here, whatever the answer says.
 * Apart from `answer.ts`, since it hashes: the light client leaves that to its module.
 */
import { encodeHex } from '../util/hex.ts'
import { decodeHeader, parseJson, readFields, Undecodable } from './answer.ts'
import { BeaconFailure } from './failure.ts'
import { headerRoot } from './hashes.ts'
import type { BeaconAnswer } from './request.ts'
import { recordOf } from './ssz/fields.ts'

/** A header as an endpoint gave it: `parent_root` tells whether slots between two headers were empty. */
export interface AnsweredHeader {
  /** `hash_tree_root(BeaconBlockHeader)`, 32 bytes as 0x hex. */
  readonly root: string
  readonly slot: number
  /** In decimal digits. */
  readonly proposer_index: string
  /** 32 bytes as 0x hex, as the two after it. */
  readonly parent_root: string
  readonly state_root: string
  readonly body_root: string
}

/**
 * Reads the header. Throws `BeaconFailure` where there is none. Whether it is the header that was asked for, and of the chain, is for
 * the asker to say.
 */
export function headerIn(answer: BeaconAnswer): AnsweredHeader {
  const ssz = headerBytesIn(answer)
  const slot = new DataView(ssz.buffer).getBigUint64(0, true)
  // Its root may be right, so that whoever made that block is to blame; it is none of a chain.
  if (slot > BigInt(Number.MAX_SAFE_INTEGER)) throw new BeaconFailure('malformed', 'a slot of no time')
  return {
    root: `0x${encodeHex(headerRoot(ssz))}`,
    slot: Number(slot),
    proposer_index: new DataView(ssz.buffer).getBigUint64(8, true).toString(),
    parent_root: `0x${encodeHex(ssz.subarray(16, 48))}`,
    state_root: `0x${encodeHex(ssz.subarray(48, 80))}`,
    body_root: `0x${encodeHex(ssz.subarray(80, 112))}`,
  }
}

/**
 * The header in an answer, if it is the one that was asked for (by `head`, `finalized`, a slot, or a root), and its slot has come by the
 * clock, or is the next one. Throws `BeaconFailure`. Whether it is of the chain remains the endpoint's word.
 */
export function headerAskedFor(
  answer: BeaconAnswer,
  id: string | number,
  currentSlot: number,
): AnsweredHeader {
  const header = headerIn(answer)
  const { root, slot } = header
  const asked = String(id).toLowerCase()
  if (asked.startsWith('0x') ? asked !== root : /^\d/.test(asked) && Number(asked) !== slot)
    throw new BeaconFailure('invalid', 'another header than the one asked for')
  if (slot > currentSlot + 1)
    throw new BeaconFailure('ahead', `a header of slot ${slot}, where by the clock it is slot ${currentSlot}`)
  return header
}

/** What an endpoint says of a header that it gives: null where it does not say. Nothing in the header shows it. */
export interface HeaderStanding {
  /** Whether the block is of the chain. */
  readonly canonical: boolean | null
  readonly finalized: boolean | null
}

/** What is said of the header in an answer from which one was read. */
export function standingIn(answer: BeaconAnswer): HeaderStanding {
  const said = readFields(() => recordOf(parseJson(answer), 'bad-json'))
  const { canonical } = readFields(() => recordOf(said['data'], 'bad-json'))
  const { finalized } = said
  const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
  return { canonical: flag(canonical), finalized: flag(finalized) }
}

/** The same header as SSZ: 112 bytes, whose root is for the caller to look at. Throws `BeaconFailure` where there is none. */
export function headerBytesIn(answer: BeaconAnswer): Uint8Array<ArrayBuffer> {
  try {
    return decodeHeader(answer)
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    throw new BeaconFailure(error.kind, `no header: ${error.message}`)
  }
}
