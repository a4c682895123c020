/** A job of an audit: a range of slots with their headers, and its form on the way to another machine. */
import type { SlotHeader } from './headers.ts'
import type { SlotRange } from './result.ts'

/** A range that is to be audited. */
export interface AuditJob extends SlotRange {
  /** What the headers rest on. */
  readonly trust: 'verified' | 'trusted'
  /** One for each slot of the range, in order. */
  readonly slots: readonly SlotHeader[]
  /**
   * The next block after the range, where it is known; else null. From Gloas on it says whether the payload of the range's last block was
   * revealed.
   */
  readonly next: SlotHeader | null
}

/** A slot in JSON: its number; the root of its block as 0x hex, or null for an empty slot; and where neither is known, why. */
export type PackedSlot =
  | readonly [slot: number, root: string | null]
  | readonly [slot: number, root: null, unknown: string]

/** A job in JSON. Of headers it has roots alone, which are the word of whoever sends it. */
export interface PackedJob extends SlotRange {
  readonly trust: 'verified' | 'trusted'
  readonly slots: readonly PackedSlot[]
  readonly next: PackedSlot | null
}

export function packJob({ from, to, trust, slots, next }: AuditJob): PackedJob {
  return { from, to, trust, slots: slots.map(packSlot), next: next && packSlot(next) }
}

export function unpackJob({ from, to, trust, slots, next }: PackedJob): AuditJob {
  return { from, to, trust, slots: slots.map(unpackSlot), next: next && unpackSlot(next) }
}

function packSlot(slot: SlotHeader): PackedSlot {
  return 'unknown' in slot ? [slot.slot, null, slot.unknown] : [slot.slot, slot.header?.root ?? null]
}

function unpackSlot([slot, root, unknown]: PackedSlot): SlotHeader {
  if (unknown !== undefined) return { slot, unknown }
  return { slot, header: root === null ? null : { slot, root } }
}
