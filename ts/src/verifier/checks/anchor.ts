/**
 * What the data is checked against. It is checked for each delivery, cheap as it is, so that a copy of good bytes with
 * a bad branch or of another block inherits nothing from the first.
 */
import { decodeHex, encodeHex } from '../../util/hex.ts'
import type { Anchor, AnchorBlock } from './protocol.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from './core.ts'
import { bytesOf, malformed, Refused } from '../../beacon/ssz/fields.ts'
import type { Portable } from '../../util/portable.ts'

/** The root that a sidecar's header must have, or no bytes where the anchor is of no block. */
export function anchorRoot(core: Core, anchor: Anchor): Uint8Array {
  const header = anchor.kind === 'header' ? anchor.header : blockOf(anchor)?.header
  if (header === undefined) return new Uint8Array(0)
  return header.length === 32 ? header : core.exports.headerRoot(header)
}

/** The block that an anchor's commitments are of, where it is known. */
const blockOf = (anchor: Anchor): AnchorBlock | undefined =>
  anchor.kind === 'commitments' ? anchor.block : undefined

/** The links of what is in an anchor's list of commitments: none where nobody knows which block the list is of. */
export function listLinks(anchor: Anchor): Partial<Links> {
  return blockOf(anchor)?.links ?? {}
}

/** Splits the commitments of a unit, 48 bytes each. */
export function commitmentsOf(core: Core, unit: Uint8Array): Uint8Array[] {
  const bytes = core.exports.unitCommitments(unit)
  return Array.from({ length: bytes.length / 48 }, (_, row) => bytes.subarray(row * 48, row * 48 + 48))
}

/** The bytes of an entry of an anchor's list, which is hex digits of our own making. */
export const bytesOfDigits = (digits: string): Uint8Array => decodeHex(`0x${digits}`) ?? new Uint8Array(0)

const hashed = new WeakMap<readonly string[], readonly string[]>()

/** The versioned hashes of an anchor's commitments, as digits: computed once for all items that are checked against the list. */
export function versionedHashesOf(core: Core, commitments: readonly string[]): readonly string[] {
  const known = hashed.get(commitments)
  if (known !== undefined) return known
  const hashes = commitments.map((digits) => encodeHex(core.exports.versionedHash(bytesOfDigits(digits))))
  hashed.set(commitments, hashes)
  return hashes
}

/** The links of a blob or a cell that says of which commitment it is: that is held against the versioned hash beside it, if any, and the anchor. */
export function commitmentLinks(
  core: Core,
  anchor: Anchor,
  commitment: Uint8Array,
  versionedHash?: Portable,
): Links {
  return {
    ...noLinks,
    ...checkVersionedHash(core, versionedHash, commitment),
    ...checkCommitments(core, anchor, [commitment], false),
  }
}

/** Refuses a commitment that is not of the versioned hash that came with it, if one did; otherwise returns the link gained. */
function checkVersionedHash(core: Core, value: Portable | undefined, commitment: Uint8Array): Partial<Links> {
  if (value === undefined) return {}
  if (encodeHex(core.exports.versionedHash(commitment)) !== readVersionedHash(value)) {
    throw new Refused({ status: 'invalid', stage: 'versioned-hash', reason: 'versioned-hash-mismatch' })
  }
  return { 'versioned-hash': 'verified' }
}

/** A versioned hash as hex digits without prefix, as the lists of anchors have them. */
export function readVersionedHash(value: Portable): string {
  const hash = bytesOf(value)
  if (hash.length !== 32) throw malformed('versioned-hash-length')
  return encodeHex(hash)
}

/** What the anchor's list lacks. */
export function notInAnchor(kind: 'commitments' | 'versioned-hashes'): Refused {
  const reason = kind === 'commitments' ? 'commitment-not-in-anchor' : 'versioned-hash-not-in-anchor'
  return new Refused({ status: 'invalid', stage: 'anchor', reason })
}

/**
 * Holds commitments against an anchor that lists commitments or versioned hashes, and returns the links gained.
 * `whole`: they must be the anchor's list, entry by entry (columns, transactions: rows have no other identity);
 * otherwise each must be in it.
 */
export function checkCommitments(
  core: Core,
  anchor: Anchor,
  commitments: readonly Uint8Array[],
  whole: boolean,
): Partial<Links> {
  if (anchor.kind === 'commitments') {
    if (!contains(anchor.commitments, commitments.map(encodeHex), whole)) {
      throw notInAnchor('commitments')
    }
  }
  if (anchor.kind === 'versioned-hashes') {
    const hashes = commitments.map((commitment) => encodeHex(core.exports.versionedHash(commitment)))
    if (!contains(anchor.hashes, hashes, whole)) {
      throw notInAnchor('versioned-hashes')
    }
    return { 'versioned-hash': 'verified' }
  }
  return listLinks(anchor)
}

function contains(list: readonly string[], entries: readonly string[], whole: boolean): boolean {
  if (whole) return list.length === entries.length && entries.every((entry, row) => entry === list[row])
  return entries.every((entry) => list.includes(entry))
}
