/** The network form of a signed blob transaction, read strictly, and written with proofs of cells. */
import { CELLS_PER_EXT_BLOB } from '../../beacon/constants.ts'
import { VERSIONED_HASH_VERSION_KZG, versionedHash } from '../../beacon/hashes.ts'
import { BLOB_BYTES, POINT_BYTES } from '../../beacon/ssz/layout.ts'
import { rlpListHead } from '../../execution/rlp-item.ts'
import { concatAll } from '../../util/bytes.ts'
import type { WrapperVersion } from '../prove-blobs.ts'
import { readEnd, readFixed, readList, readVersionedHashes } from './body.ts'
import { TransactionError, type TransactionErrorReason } from './error.ts'
import { type RlpItem, RlpItems } from './rlp.ts'

/** BLOB_TX_TYPE (EIP-4844). */
const BLOB_TX_TYPE = 0x03
/** MAX_BLOBS_PER_TX (EIP-7594), whatever a block may have. */
const MAX_BLOBS_PER_TX = 6
/**
 * The longest transaction that is read, in bytes. Six blobs and what belongs to them take 0.8 MB; of data, 60 million gas, which is more than one
 * transaction may use (EIP-7825), pay for 6 MB at the most (EIP-7623).
 */
export const MAX_TRANSACTION_BYTES: number = 8 << 20
/** `wrapper_version` 1, which is its own encoding, and what stands before 48 bytes. */
const WRAPPER_VERSION = Uint8Array.of(1)
const POINT_HEAD = Uint8Array.of(0x80 + POINT_BYTES)

/** A transaction in network form, with all parts where they lie. Its blobs are not yet known to be its commitments'. */
export interface NetworkForm {
  readonly wrapperVersion: WrapperVersion
  /** 131,072 bytes each. */
  readonly blobs: readonly Uint8Array<ArrayBuffer>[]
  /** 48 bytes each, each that of the versioned hash at its place. */
  readonly commitments: readonly Uint8Array<ArrayBuffer>[]
  /** The encodings of the body, the blobs and the commitments, which are passed on as they are. */
  readonly encoded: readonly [body: Uint8Array, blobs: Uint8Array, commitments: Uint8Array]
}

/** Reads all bytes. Throws `TransactionError`: for structure as reading from the front meets it, then for counts, then for hashes. */
export function readNetworkForm(bytes: Uint8Array<ArrayBuffer>): NetworkForm {
  const wrapper = readWrapper(bytes)
  const body = wrapper.next()
  // Where the network form has the body, the form of blocks has its first field, the chain's id.
  if (!body.isList) throw new TransactionError('not-network-form')
  const versionedHashes = readVersionedHashes(body)
  const second = wrapper.next()
  const wrapperVersion = second.isList ? 0 : readWrapperVersion(second)
  const blobList = wrapperVersion === 0 ? second : readList(wrapper)
  const blobs = readFixed(blobList, BLOB_BYTES, 'transaction-blob-length')
  const commitmentList = readList(wrapper)
  const commitments = readFixed(commitmentList, POINT_BYTES, 'transaction-commitment-length')
  const proofs = readFixed(readList(wrapper), POINT_BYTES, 'transaction-proof-length')
  readEnd(wrapper)

  const count = versionedHashes.length
  if (count === 0 || count > MAX_BLOBS_PER_TX) throw new TransactionError('blob-count')
  const proofsPerBlob = wrapperVersion === 0 ? 1 : CELLS_PER_EXT_BLOB
  if (blobs.length !== count || commitments.length !== count || proofs.length !== count * proofsPerBlob)
    throw new TransactionError('sidecar-counts')
  refuseAny('versioned-hash-version', versionedHashes, (hash) => hash[0] !== VERSIONED_HASH_VERSION_KZG)
  refuseAny(
    'versioned-hash-mismatch',
    commitments,
    (commitment, at) => !areEqual(versionedHash(commitment), versionedHashes[at]!),
  )
  const encoded = [body.encoded, blobList.encoded, commitmentList.encoded] as const
  return { wrapperVersion, blobs, commitments, encoded }
}

/** `0x03 ‖ rlp([tx_payload_body, 0x01, blobs, commitments, cell_proofs])` (EIP-7594), the proofs of the first blob first. */
export function writeOsakaForm(
  { encoded: [body, blobs, commitments] }: NetworkForm,
  cellProofs: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const proofs = cellProofs.flatMap((proof) => [POINT_HEAD, proof])
  const proofList = [rlpListHead(cellProofs.length * (POINT_HEAD.length + POINT_BYTES)), ...proofs]
  const items = [body, WRAPPER_VERSION, blobs, commitments, ...proofList]
  const length = items.reduce((sum, item) => sum + item.length, 0)
  return concatAll([Uint8Array.of(BLOB_TX_TYPE), rlpListHead(length), ...items])
}

/** Whether two byte strings are the same; nothing here is secret. */
export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at])
}

/** Throws for the first element that is refused. */
export function refuseAny<T>(
  reason: TransactionErrorReason,
  elements: readonly T[],
  isWrong: (element: T, at: number) => boolean,
): void {
  const at = elements.findIndex(isWrong)
  if (at >= 0) throw new TransactionError(reason, at)
}

/** The items of the one list that follows the type. */
function readWrapper(bytes: Uint8Array<ArrayBuffer>): RlpItems {
  if (bytes[0] !== BLOB_TX_TYPE) throw new TransactionError('transaction-type')
  const payload = new RlpItems(bytes.subarray(1))
  if (payload.isEmpty || bytes.length > MAX_TRANSACTION_BYTES) throw new TransactionError('rlp')
  const { isList, payload: items } = payload.next()
  if (!payload.isEmpty) throw new TransactionError('rlp')
  if (!isList) throw new TransactionError('transaction-fields')
  return new RlpItems(items)
}

function readWrapperVersion({ payload }: RlpItem): 1 {
  if (payload.length !== 1 || payload[0] !== 1) throw new TransactionError('wrapper-version')
  return 1
}
