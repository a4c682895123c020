/** A block, decoded, with all of its SSZ and the type of that: for whoever hands it on. */
import type { VettedNetwork } from '../vetted-network.ts'
import { type BlockFork, containers } from './fork.ts'
import { presetOf } from './preset.ts'
import type { SszType } from './ssz-type.ts'
import type { Exports } from './module.ts'
import { blockSsz, blockType, readBlockParts } from './read-block.ts'

/** A block that was decoded, and is well formed throughout. */
export interface WholeBlock {
  readonly fork: BlockFork
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly header: Uint8Array
  /** 32 bytes. */
  readonly root: Uint8Array
  /** `BeaconBlock` in SSZ: the block without its signature, at which nobody has looked. */
  readonly message: Uint8Array
  /** The type `BeaconBlock` of its fork. */
  readonly type: SszType
}

/** In front of a signed block's message: its offset, which is this very number, and the signature. */
const SIGNED_PREFIX = 4 + 96
/** In a message: where the offset of its body is, and what that is. */
const [BODY_OFFSET_AT, BODY_OFFSET] = [80, 84]

/**
 * Decodes a block, signed or not, in any of its forms. `told`: the consensus version beside it, where there is one. Throws `SszError`, and `TypeError` for
 * what has no form of a block at all.
 */
export function readWholeBlock(
  exports: Exports,
  block: unknown,
  network: VettedNetwork,
  told: string | null = null,
): WholeBlock {
  const { ssz, fork } = blockSsz(exports, block, network, undefined, told)
  const { header, root } = readBlockParts(exports, ssz, network, fork)
  return {
    ...{ fork, header, root },
    message: isSigned(ssz) ? ssz.subarray(SIGNED_PREFIX) : ssz,
    type: blockType(exports, containers[fork], presetOf(network)),
  }
}

/** As the module tells signed blocks from others (`message` in crates/block/src/block.rs). */
function isSigned(ssz: Uint8Array): boolean {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return (
    view.getUint32(0, true) === SIGNED_PREFIX &&
    view.getUint32(SIGNED_PREFIX + BODY_OFFSET_AT, true) === BODY_OFFSET
  )
}
