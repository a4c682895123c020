/**
 * `blobcheck/adapters/osaka`: a signed blob transaction in the wrapper that networks take since Osaka, whichever library made it. The
 * signature covers the body alone, so that the wrapper can be changed by anyone who has the blobs.
 */
import { type ProverCallOptions, readCallOptions } from '../prover/options.ts'
import { genuineView, isBytes } from '../util/bytes.ts'
import { type Bytes, decodeHex } from '../util/hex.ts'
import { type BlobProver, type Hex, isInputError, proveBlobs, type ProvedBlob, toHex } from './prove-blobs.ts'
import { TransactionError } from './transaction/error.ts'
import {
  areEqual,
  MAX_TRANSACTION_BYTES,
  readNetworkForm,
  refuseAny,
  writeOsakaForm,
} from './transaction/network-form.ts'

export { TransactionError, type TransactionErrorReason } from './transaction/error.ts'
export type { BlobProver, Hex } from './prove-blobs.ts'
export type { ProverCallOptions, ProverProgress } from '../prover/options.ts'
export type { CellsAndKzgProofs } from '../prover/results.ts'

/**
 * Puts a signed blob transaction, as `0x` hex or as bytes, into the wrapper of EIP-7594, with 128 proofs for each blob, which it computes
 * off the calling thread. It takes the network form with the wrapper of EIP-4844, `0x03 ‖ rlp([tx_payload_body, blobs, commitments,
 * proofs])`, and returns `0x03 ‖ rlp([tx_payload_body, 0x01, blobs, commitments, cell_proofs])`: hex for hex, and new bytes for bytes.
 * The body stays as it is byte for byte, and with it the signature and the transaction's hash.
 *
 * Everything is checked but the signature, and the proofs that are replaced: the structure, that each versioned hash is that of its
 * commitment, and that each commitment is that of its blob. A transaction that has the wrapper of EIP-7594 already is returned as it is, once
 * its structure and its versioned hashes hold; its blobs and proofs are for `verifyBlobTransaction` to verify.
 *
 * Rejects with `TransactionError` for a transaction that is none, or whose parts do not belong together; with `TypeError` for options that
 * make no sense, and for a prover of `loadProver`; with the signal's reason; and with what else the prover rejects with. `onProgress` hears of 19 steps for each blob.
 *
 * @example
 * ```ts
 * import { toOsakaTransaction } from 'blobcheck/adapters/osaka'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver() // once, for all transactions
 * const signed = '0x03…' // as viem, or ethers without `blobWrapperVersion`, signs it
 * const transaction = await toOsakaTransaction(signed, prover, { signal, onProgress })
 * // await provider.send('eth_sendRawTransaction', [transaction])
 * ```
 */
export function toOsakaTransaction(
  signed: string,
  prover: BlobProver,
  options?: ProverCallOptions,
): Promise<Hex>
export function toOsakaTransaction(
  signed: Uint8Array,
  prover: BlobProver,
  options?: ProverCallOptions,
): Promise<Uint8Array>
export function toOsakaTransaction(
  signed: Bytes,
  prover: BlobProver,
  options?: ProverCallOptions,
): Promise<Hex | Uint8Array>
export async function toOsakaTransaction(
  signed: Bytes,
  prover: BlobProver,
  options?: ProverCallOptions,
): Promise<Hex | Uint8Array> {
  const { signal, onProgress } = readCallOptions(options)
  signal?.throwIfAborted()
  const form = readNetworkForm(copyOf(signed))
  if (form.wrapperVersion === 1) return signed as Hex | Uint8Array
  const call = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
  const proved = await proveBlobs(prover, form.blobs, 1, call).catch(refuseBlob)
  refuseAny('commitment-mismatch', form.commitments, (commitment, at) => {
    return !areEqual(commitment, proved[at]!.commitment)
  })
  const transaction = writeOsakaForm(
    form,
    proved.flatMap(({ proofs }) => proofs),
  )
  return typeof signed === 'string' ? toHex(transaction) : transaction
}

/**
 * The bytes as they are now: whoever handed them in may change them during the call. One byte more than the longest transaction has is as much too
 * long as all that there are.
 */
function copyOf(signed: unknown): Uint8Array<ArrayBuffer> {
  const most = MAX_TRANSACTION_BYTES + 1
  if (isBytes(signed)) return new Uint8Array(genuineView(signed).subarray(0, most))
  if (typeof signed !== 'string') throw new TransactionError('not-bytes')
  // An odd number of digits stays odd, and so no hex.
  const bytes = decodeHex(signed.slice(0, 2 + 2 * most - (signed.length % 2)))
  if (bytes === null) throw new TransactionError('bad-hex')
  return bytes
}

/** A blob has the right length by now, so that nothing but its field elements can be wrong. */
function refuseBlob(error: unknown): ProvedBlob[] {
  if (isInputError(error) && error.code === 'scalar-not-canonical')
    throw new TransactionError(error.code, error.index)
  throw error
}
