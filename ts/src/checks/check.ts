/**
 * The first station, in a worker: everything about a delivery that is cheap to know. What leaves it is well formed, is
 * tied to its anchor, and has a digest of exactly the bytes that KZG will verify.
 */
import { encodeHex } from '../bytes/hex.ts'
import { pack } from '../bytes/concat.ts'
import type { Checked, CheckRequest, Delivery, Unit } from './delivery.ts'
import { type Links, noLinks } from '../verdict/verdict.ts'
import type { Core } from '../wasm/core.ts'
import { Refused } from './fields.ts'
import { checkBlob, checkCell } from './item.ts'
import { checkBlobSidecar, checkDataColumnSidecar } from './sidecar.ts'
import { checkTransaction } from './transaction.ts'

/** A delivery that passed, before its units have digests. */
type Passed =
  { readonly links: Links; readonly unit: Uint8Array } | { readonly links: Links; readonly refused: Refused }

export function check(core: Core, request: CheckRequest): Checked[] {
  const passed = request.deliveries.map((delivery) => checkOne(core, delivery, request))
  const units = passed.flat().flatMap((entry) => ('unit' in entry ? [entry.unit] : []))
  const digests = digestUnits(core, units)[Symbol.iterator]()
  const finish = (entry: Passed): Checked => {
    if ('refused' in entry) return { links: entry.links, refusal: entry.refused.refusal }
    const digest: string = digests.next().value ?? ''
    // A copy of its own, so that it can be transferred; a report is a view with a code in front.
    return { links: entry.links, unit: { digest, bytes: new Uint8Array(entry.unit) } satisfies Unit }
  }
  return passed.map((entry) => {
    if (!Array.isArray(entry)) return finish(entry)
    const blobs = entry.map(finish)
    return { links: noLinks, digest: transactionDigest(core, blobs), blobs }
  })
}

/** One entry, or for a transaction one for each blob. */
function checkOne(core: Core, { kind, item }: Delivery, request: CheckRequest): Passed | Passed[] {
  try {
    switch (kind) {
      case 'blob':
        return checkBlob(core, item, request.anchor)
      case 'cell':
        return checkCell(core, item, request.anchor)
      case 'blob-sidecar':
        return checkBlobSidecar(core, item, request)
      case 'data-column-sidecar':
        return checkDataColumnSidecar(core, item, request)
      case 'transaction':
        return checkTransaction(core, item, request)
    }
  } catch (error) {
    if (error instanceof Refused) return { links: noLinks, refused: error }
    throw error
  }
}

/** Digests in hex, hashed four at a time where lengths agree. */
function digestUnits(core: Core, units: readonly Uint8Array[]): string[] {
  if (units.length === 0) return []
  const { bytes, lengths } = pack(units)
  const digests = core.exports.digests(bytes, lengths)
  return units.map((_, at) => encodeHex(digests.subarray(at * 32, at * 32 + 32)))
}

/** A transaction's digest: that of its blobs' digests, behind a kind byte that no unit has. */
function transactionDigest(core: Core, blobs: readonly Checked[]): string {
  const digests = blobs.map((blob) => ('unit' in blob ? blob.unit.digest : ''))
  return digestUnits(core, [new TextEncoder().encode(`\u0004${digests.join()}`)])[0] ?? ''
}
