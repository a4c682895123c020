/**
 * The first step, in a worker: everything about a delivery that is cheap to know. What leaves it is well formed, is
 * tied to its anchor, and has a digest of exactly the bytes that KZG will verify.
 */
import { encodeHex } from '../../util/hex.ts'
import { has } from '../../util/has.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from './core.ts'
import { hashBodies, identify, type UnitChecked, UnitWriter } from './unit.ts'
import { type Checked, type CheckRequest, TRANSACTION, type UncheckedItem } from './protocol.ts'
import { Refused } from '../../beacon/ssz/fields.ts'
import { checkBlob, checkCell, checkBlobSidecar, checkDataColumnSidecar } from './items.ts'
import { checkTransaction } from './transaction.ts'

/** A delivery that passed, before its unit has a digest, or why it did not. */
type Passed = UnitChecked | { readonly links: Links; readonly refused: Refused }

/** A macrotask at the most where hashes are computed elsewhere meanwhile; otherwise there is nothing to wait for. */
export async function check(core: Core, request: CheckRequest): Promise<Checked[]> {
  const hashing = hashBodies(core)
  const writer = new UnitWriter(request.unitBuffer)
  // The hash of a unit is begun before the next delivery is looked at.
  const passed = request.items.map((delivery) => {
    const entry = checkOne(core, delivery, request, writer)
    for (const one of Array.isArray(entry) ? entry : [entry]) if (has(one, 'unit')) hashing.begin(one.unit)
    return entry
  })
  const hashes = (await hashing.finish())[Symbol.iterator]()
  const same = new Map<string, Links>()
  /** Links that are equal are one object, which a message holds once. */
  const shared = (links: Links): Links => {
    const key = Object.values(links).join()
    same.set(key, same.get(key) ?? links)
    return same.get(key) ?? links
  }
  const finish = (entry: Passed): Checked => {
    const links = shared(entry.links)
    if (has(entry, 'refused')) return { links, refusal: entry.refused.refusal }
    const { signedHeader, linksIfValid } = entry
    const unit = identify(core, entry.unit, hashes.next().value)
    return { links, unit, ...(linksIfValid && { linksIfValid }), ...(signedHeader && { signedHeader }) }
  }
  return passed.map((entry) => {
    if (!Array.isArray(entry)) return finish(entry)
    const blobs = entry.map(finish)
    return { links: noLinks, digest: transactionDigest(core, blobs), blobs }
  })
}

/** One entry, or for a transaction one for each blob. */
function checkOne(
  core: Core,
  { kind, at, item }: UncheckedItem,
  request: CheckRequest,
  writer: UnitWriter,
): Passed | Passed[] {
  try {
    switch (kind) {
      case 'blob':
        return checkBlob(core, item, at, request, writer)
      case 'cell':
        return checkCell(core, item, request.anchor, writer)
      case 'blob-sidecar':
        return checkBlobSidecar(core, item, request, writer)
      case 'data-column-sidecar':
        return checkDataColumnSidecar(core, item, request, writer)
      case 'transaction':
        return checkTransaction(core, item, request, writer)
    }
  } catch (error) {
    if (error instanceof Refused) return { links: noLinks, refused: error }
    throw error
  }
}

/** A transaction's digest: that of its blobs' digests, behind a kind byte that no unit has. */
function transactionDigest(core: Core, blobs: readonly Checked[]): string {
  const digests = blobs.map((blob) => (has(blob, 'unit') ? blob.unit.digest : ''))
  const text = new TextEncoder().encode(String.fromCharCode(TRANSACTION) + digests.join())
  return encodeHex(
    core.exports.digest(text.subarray(0, 1), core.exports.bodyHashes(text, Uint32Array.of(text.length))),
  )
}
