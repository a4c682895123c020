/**
 * The header in an answer of `/eth/v1/beacon/headers/{block_id}`, with the root that it has: computed here, whatever the answer says.
 * Apart from `answer.ts`, since it hashes: the light client leaves that to its module.
 */
import { encodeHex } from '../util/hex.ts'
import { decodeHeader, Undecodable } from './answer.ts'
import { BeaconFailure } from './failure.ts'
import { headerRoot } from './hashes.ts'
import type { BeaconAnswer } from './request.ts'

/** A header as an endpoint gave it: `parent_root` tells whether slots between two headers were empty. */
export interface AnsweredHeader {
  /** `hash_tree_root(BeaconBlockHeader)`, 32 bytes as 0x hex. */
  readonly root: string
  readonly slot: number
  /** 32 bytes as 0x hex. */
  readonly parent_root: string
}

/**
 * Reads the header. Throws `BeaconFailure` where there is none. Whether it is the header that was asked for, and of the chain, is for
 * the asker to say.
 */
export function headerIn(answer: BeaconAnswer): AnsweredHeader {
  const ssz = read(answer)
  const slot = new DataView(ssz.buffer).getBigUint64(0, true)
  // Its root may be right, so that whoever made that block is to blame; it is none of a chain.
  if (slot > BigInt(Number.MAX_SAFE_INTEGER)) throw new BeaconFailure('malformed', 'a slot of no time')
  return {
    root: `0x${encodeHex(headerRoot(ssz))}`,
    slot: Number(slot),
    parent_root: `0x${encodeHex(ssz.subarray(16, 48))}`,
  }
}

function read(answer: BeaconAnswer): Uint8Array<ArrayBuffer> {
  try {
    return decodeHeader(answer)
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    throw new BeaconFailure(error.kind, `no header: ${error.message}`)
  }
}
