/** Blobs that come without a proof, as `/eth/v1/beacon/blobs` answers them: held against their commitment, or its versioned hash. */
import { BLOB_BYTES, POINT_BYTES } from '../../beacon/ssz/layout.ts'
import { boundedBytesOf, malformed } from '../../beacon/ssz/fields.ts'
import type { Core } from './core.ts'
import { noLinks } from '../../verdict/verdict.ts'
import { concatAll } from '../../util/bytes.ts'
import type { Portable } from '../../util/portable.ts'
import { has } from '../../util/has.ts'
import {
  bytesOfDigits,
  commitmentLinks,
  listLinks,
  notInAnchor,
  readVersionedHash,
  versionedHashesOf,
} from './anchor.ts'
import type { CheckRequest } from './protocol.ts'
import type { UnitChecked, UnitWriter } from './unit.ts'

type Item = Readonly<Record<string, Portable>>

/** A `BlobItem` without `proof`. Of a blob that only versioned hashes are known of, the commitment is computed where KZG runs. */
export function checkBareBlob(
  core: Core,
  item: Item,
  at: number,
  request: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  const named = namedBy(core, item, at, request)
  const blob = boundedBytesOf(item['blob'], BLOB_BYTES)
  if (has(named, 'hashes')) {
    const hashes = concatAll(named.hashes.map(bytesOfDigits))
    const unit = writer.write(core, (into) => core.exports.bareBlobUnit(hashes, true, blob, into))
    // Which entry it is nobody knows yet; any entry of a block's list is in that block.
    const isNamed = request.anchor.kind !== 'commitments' && ({ 'versioned-hash': 'verified' } as const)
    return { unit, links: noLinks, linksIfValid: { ...listLinks(request.anchor), ...isNamed } }
  }
  const { commitment } = named
  const unit = writer.write(core, (into) => core.exports.bareBlobUnit(commitment, false, blob, into))
  return { unit, links: commitmentLinks(core, request.anchor, commitment, item['versionedHash']) }
}

/**
 * What is known of the commitment: the commitment, or a list of versioned hashes of which its own must be one. Where the item says
 * nothing itself, it is the entry of the anchor's list at its place; or, where the list is of another length than the call, as after a
 * query for some of a block's blobs, any entry.
 */
function namedBy(
  core: Core,
  item: Item,
  at: number,
  { anchor, count }: CheckRequest,
): { readonly commitment: Uint8Array } | { readonly hashes: readonly string[] } {
  if (item['commitment'] !== undefined) return { commitment: boundedBytesOf(item['commitment'], POINT_BYTES) }
  const wanted = item['versionedHash'] === undefined ? undefined : readVersionedHash(item['versionedHash'])
  if (anchor.kind === 'commitments') {
    const { commitments } = anchor
    const hashes = (): readonly string[] => versionedHashesOf(core, commitments)
    // Beyond the list where there is no such entry.
    const entry = wanted !== undefined ? hashes().indexOf(wanted) : commitments.length === count ? at : -1
    const commitment = commitments[entry]
    if (commitment !== undefined) return { commitment: bytesOfDigits(commitment) }
    if (wanted !== undefined || commitments.length === 0) throw notInAnchor('commitments')
    return { hashes: hashes() }
  }
  if (anchor.kind === 'versioned-hashes') {
    const { hashes } = anchor
    if (wanted === undefined ? hashes.length === 0 : !hashes.includes(wanted))
      throw notInAnchor('versioned-hashes')
    if (wanted !== undefined) return { hashes: [wanted] }
    return { hashes: hashes.length === count ? hashes.slice(at, at + 1) : hashes }
  }
  if (wanted === undefined) throw malformed('commitment-missing')
  return { hashes: [wanted] }
}
