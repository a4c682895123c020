/** What is thrown about a blob transaction that is none, or whose blobs are not its own. */

/**
 * What is wrong with a transaction; the codes are those of the verdicts of `verifyBlobTransaction`.
 *
 * - `not-bytes`: neither a `Uint8Array` nor a string; `bad-hex`: a string that is not `0x` and an even number of hex digits.
 * - `transaction-type`: the first byte is not `0x03`.
 * - `rlp`: the RLP is malformed or not canonical, there are bytes behind it, or it is longer than 8 MiB, which no transaction is.
 * - `transaction-fields`: a field is missing, too many, or of a wrong kind or width. A transaction that was not signed lacks three.
 * - `not-network-form`: the transaction comes without its blobs, as blocks have it.
 * - `wrapper-version`: the wrapper has a version that no EIP defines.
 * - `blob-count`: no versioned hash, and with it no blob, or more than the six that a transaction may have (MAX_BLOBS_PER_TX of EIP-7594).
 * - `sidecar-counts`: versioned hashes, blobs, commitments and proofs differ in number.
 * - `transaction-blob-length`, `transaction-commitment-length`, `transaction-proof-length`: not 131,072, 48 or 48 bytes.
 * - `versioned-hash-version`, `versioned-hash-mismatch`: a versioned hash does not begin with `0x01`, or is not its commitment's.
 * - `scalar-not-canonical`: 32 bytes of a blob are not below the order of the group, BLS_MODULUS.
 * - `commitment-mismatch`: a commitment is not its blob's.
 */
export type TransactionErrorReason = keyof typeof WORDS

const WORDS = {
  'not-bytes': 'a transaction is a Uint8Array, or a string of 0x hex',
  'bad-hex': 'the text is not 0x and an even number of hex digits',
  'transaction-type': 'the first byte is not 0x03, the type of blob transactions',
  rlp: 'the RLP is malformed, not canonical, too long, or followed by other bytes',
  'transaction-fields':
    'a field is missing, too many, or of a wrong kind or width; is the transaction signed?',
  'not-network-form': 'the transaction comes without its blobs',
  'wrapper-version': 'the wrapper has a version that no EIP defines',
  'blob-count':
    'a transaction has from one to six blobs, each named by a versioned hash, which viem takes as blobVersionedHashes',
  'sidecar-counts': 'versioned hashes, blobs, commitments and proofs differ in number',
  'transaction-blob-length': 'a blob has 131,072 bytes',
  'transaction-commitment-length': 'a commitment has 48 bytes',
  'transaction-proof-length': 'a proof has 48 bytes',
  'versioned-hash-version': 'a versioned hash begins with 0x01',
  'versioned-hash-mismatch': 'the versioned hash is not that of the commitment',
  'scalar-not-canonical': 'a field element of the blob is not below BLS_MODULUS',
  'commitment-mismatch': 'the commitment is not that of the blob',
} as const

/**
 * Thrown by `toOsakaTransaction` for a transaction that is not a signed blob transaction in network form, or whose blobs, commitments and
 * versioned hashes do not belong together.
 *
 * @example
 * ```ts
 * import { toOsakaTransaction, TransactionError } from 'blobcheck/adapters/osaka'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver()
 * try {
 *   await toOsakaTransaction('0x02c0', prover)
 * } catch (error) {
 *   if (error instanceof TransactionError) console.log(error.reason) // transaction-type
 * } finally {
 *   await prover.dispose()
 * }
 * ```
 */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
  /** What is wrong. */
  readonly reason: TransactionErrorReason
  /** Which blob, commitment, proof or versioned hash is meant, from 0; null where it is the transaction as a whole. */
  readonly index: number | null

  constructor(reason: TransactionErrorReason, index: number | null = null) {
    super(`${reason}${index === null ? '' : ` (index ${index})`}: ${WORDS[reason]}`)
    this.reason = reason
    this.index = index
  }
}
