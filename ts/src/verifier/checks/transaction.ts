/** Blob transactions in network form (EIP-4844 and EIP-7594 wrappers), with the rules of their fork. */
import { encodeHex } from '../../util/hex.ts'
import type { Portable } from '../../util/portable.ts'
import { type CheckRequest, HASH_BYTES, MAX_TRANSACTION_BYTES } from './protocol.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from './core.ts'
import { checkCommitments, commitmentsOf, notInAnchor } from './anchor.ts'
import { bytesOf, malformed, Refused } from '../../beacon/ssz/fields.ts'
import type { UnitWriter } from './unit.ts'

/** One blob of a transaction: its unit, or why it is refused. Its neighbours are not affected. */
export type BlobChecked =
  | { readonly links: Links; readonly unit: Uint8Array<ArrayBuffer> }
  | { readonly links: Links; readonly refused: Refused }

/** Refuses a transaction whose structure is malformed, or whose fork is not known; otherwise says what each of its blobs is. */
export function checkTransaction(
  core: Core,
  item: Portable,
  { anchor, fork }: CheckRequest,
  writer: UnitWriter,
): BlobChecked[] {
  const bytes = bytesOf(item)
  // What is longer travels as its beginning (`CallItems`), which may be well-formed by itself.
  if (bytes.length > MAX_TRANSACTION_BYTES) throw malformed('rlp')
  if (fork === null) throw malformed('unsupported-fork')
  const report = writer.write(core, (into) => core.exports.transaction(bytes, fork, into))
  const entries = readReport(core, report)
  if (anchor.kind === 'versioned-hashes') {
    const hashes = entries.map((entry) => encodeHex(entry.versionedHash))
    if (hashes.join() !== anchor.hashes.join()) {
      throw notInAnchor('versioned-hashes')
    }
  }
  if (anchor.kind === 'commitments') {
    const commitments = entries.flatMap(({ unit }) => commitmentsOf(core, unit))
    checkCommitments(core, anchor, commitments, true)
  }
  return entries.map(({ refused, unit }) =>
    refused === null
      ? { unit, links: { ...noLinks, 'versioned-hash': 'verified' } }
      : { refused, links: noLinks },
  )
}

interface Entry {
  readonly refused: Refused | null
  readonly versionedHash: Uint8Array
  readonly unit: Uint8Array<ArrayBuffer>
}

/**
 * For each blob: a code, its versioned hash (32 bytes), the length of its unit (uint32, little-endian), its unit, and room for
 * the hash of its body.
 */
function readReport(core: Core, report: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(report.buffer, report.byteOffset, report.byteLength)
  const entries: Entry[] = []
  for (let at = 0; at < report.length;) {
    const refusal = core.refusal(view.getUint8(at))
    const length = view.getUint32(at + 33, true)
    entries.push({
      refused: refusal === null ? null : new Refused(refusal),
      versionedHash: report.subarray(at + 1, at + 33),
      unit: report.subarray(at + 37, at + 37 + length),
    })
    at += 37 + length + HASH_BYTES
  }
  return entries
}
