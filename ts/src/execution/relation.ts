/** How headers of the execution layer hang together, and with beacon blocks: pure functions over headers that are trusted. */
import type { ExecutionHeader } from './execution.ts'

/** Whether one block is the parent of another, by the hash that the other names. */
export function isParentOf(parent: ExecutionHeader, child: ExecutionHeader): boolean {
  return child.parentHash === parent.hash && child.number === parent.number + 1
}

/** What of a network says when its slots are. */
export interface SlotTimes {
  /** Unix time in seconds. */
  readonly genesisTime: number
  readonly secondsPerSlot: number
}

/**
 * The slot of the beacon block that a payload belongs to: the one it names (EIP-7843), and before Amsterdam the one whose time it has, since
 * `process_execution_payload` (specs/bellatrix/beacon-chain.md) wants no other. Null where that is no time of a slot: the block is none of
 * this network after the Merge.
 */
export function slotOfHeader(
  header: ExecutionHeader,
  { genesisTime, secondsPerSlot }: SlotTimes,
): number | null {
  if (header.slotNumber !== null) return header.slotNumber
  const slot = (header.timestamp - genesisTime) / secondsPerSlot
  return Number.isInteger(slot) && slot >= 0 ? slot : null
}

/** A beacon block that a header names (EIP-4788). */
export interface NamedBeaconBlock {
  /** `hash_tree_root` of the beacon block that is the parent of the child's: 32 bytes as 0x hex. */
  readonly root: string
  /** The slot of the beacon block that `parent` belongs to. */
  readonly slot: number
}

/**
 * What the header of a child says of the beacon block of its parent; null where `parent` is not its parent, or where it is of before Cancun.
 * The block of `root` is the one that `parent` belongs to if and only if it is of `slot`. Where it is of a later slot, it is a block of Gloas
 * whose payload never came: the block that is looked for is then an ancestor of it, at `slot`.
 */
export function beaconBlockOfParent(
  parent: ExecutionHeader,
  child: ExecutionHeader,
  times: SlotTimes,
): NamedBeaconBlock | null {
  const slot = slotOfHeader(parent, times)
  if (!isParentOf(parent, child) || child.parentBeaconBlockRoot === null || slot === null) return null
  return { root: child.parentBeaconBlockRoot, slot }
}
