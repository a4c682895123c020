/**
 * An adapter for viem (2.x), which serialises blobs with one proof each (EIP-4844), and has no form with proofs of cells: the serializer here
 * has, from viem 2.37.11 on, which waits for serializers that are asynchronous.
 */
import type { Bytes } from '../util/hex.ts'
import { type ProverCallOptions, readCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { toOsakaTransaction, TransactionError } from './osaka.ts'
import { type BlobProver, computing, type Hex, proveBlobs, refuseSynchronous, toHex } from './prove-blobs.ts'

export type { BlobProver, Hex } from './prove-blobs.ts'
export type { ProverCallOptions, ProverProgress } from '../prover/options.ts'
export type { CellsAndKzgProofs } from '../prover/results.ts'

/** The interface `Kzg` of viem: what its functions of blobs, and transactions with blobs, take as `kzg`. */
export interface ViemKzg {
  /** The commitment of a blob of 131,072 bytes: 48 bytes. */
  blobToKzgCommitment(blob: Uint8Array): Uint8Array
  /** The proof of a blob for its commitment (EIP-4844): 48 bytes. */
  computeBlobKzgProof(blob: Uint8Array, commitment: Uint8Array): Uint8Array
}

/** A `BlobSidecar` of viem, in 0x hex, as its transactions take them. */
export interface ViemBlobSidecar {
  readonly blob: Hex
  readonly commitment: Hex
  readonly proof: Hex
}

/**
 * Makes the object that viem takes as `kzg`, for its blob functions and for transactions. It computes in the calling thread, some
 * 100 ms for a blob, and throws `KzgInputError` for what is no blob. Throws `TypeError` for a prover of `createProver`, which
 * `toViemSidecars` takes; functions that answer with promises throw it when they are called.
 *
 * @example
 * ```ts
 * import { toViemKzg } from 'blobcheck/adapters/viem'
 * import { loadProver } from 'blobcheck/prover'
 *
 * const kzg = toViemKzg(await loadProver({ proofs: 'blobs' }))
 * // client.sendTransaction({ kzg, blobs, maxFeePerBlobGas, to })
 * ```
 */
export function toViemKzg(prover: Pick<Prover, 'blobToKzgCommitment' | 'computeBlobKzgProof'>): ViemKzg {
  return computing(prover, ['blobToKzgCommitment', 'computeBlobKzgProof'], 'toViemSidecars')
}

/**
 * Computes a transaction's `sidecars` off the calling thread: each blob with its commitment and its proof, in 0x hex, in the order
 * of `blobs`. viem then computes none of them; their versioned hashes are its `sidecarsToVersionedHashes({ sidecars })`. Rejects
 * with `KzgInputError` for what is no blob, and with the signal's reason.
 *
 * @example
 * ```ts
 * import { toViemSidecars } from 'blobcheck/adapters/viem'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver() // once, for all transactions
 * const sidecars = await toViemSidecars(prover, blobs, { signal })
 * // const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
 * // client.sendTransaction({ sidecars, blobVersionedHashes, maxFeePerBlobGas, to })
 * ```
 */
export async function toViemSidecars(
  prover: BlobProver,
  blobs: readonly Bytes[],
  options?: ProverCallOptions,
): Promise<ViemBlobSidecar[]> {
  const proved = await proveBlobs(prover, blobs, 0, options)
  return proved.map(({ blob, commitment, proofs }) => ({
    blob: toHex(blob),
    commitment: toHex(commitment),
    proof: toHex(proofs[0]!),
  }))
}

/**
 * A serializer of viem, as `serializeTransaction` is, and as a chain may have one as `serializers.transaction`: the transaction as 0x hex,
 * for signing where there is no signature.
 */
export type ViemSerializer = (transaction: never, signature?: never) => Hex | Promise<Hex>

/** A serializer that takes and gives what another one does, as a promise. */
export type ViemOsakaSerializer<Serializer extends ViemSerializer> = (
  transaction: Parameters<Serializer>[0],
  signature?: Parameters<Serializer>[1],
) => Promise<Awaited<ReturnType<Serializer>>>

/**
 * Makes the serializer with which viem signs and sends blob transactions as networks take them since Osaka: with 128 proofs for each
 * blob (EIP-7594), computed off the calling thread. It goes into a chain as `serializers.transaction`, or to an account's `signTransaction` as
 * `serializer`, and works for accounts that sign by themselves. A browser's wallet serialises what it sends itself, of `blobs`: viem hands it neither
 * `sidecars` nor `blobVersionedHashes`.
 *
 * `serializeTransaction` is viem's own, or the serializer that the chain has already. Without a signature it is asked for what is signed, which is the
 * body alone: viem's `signTransaction` asks so only where `type` is given, and signs the blobs with it otherwise, for another sender. What it
 * returns for transactions without blobs stays as it is. A signed transaction with blobs becomes what `toOsakaTransaction` makes of it. The options are
 * those of each transaction: give a serializer of its own to a transaction that is to be aborted alone. viem's functions reject with what
 * `toOsakaTransaction` rejects with; `sendTransaction` has it as the `cause` of its own error. Throws `TypeError` for what is no prover or no
 * serializer, for a prover of `loadProver`, and for options that make no sense.
 *
 * @example
 * ```ts
 * import { toViemOsakaSerializer } from 'blobcheck/adapters/viem'
 * import { createProver } from 'blobcheck/prover'
 *
 * // import { createWalletClient, serializeTransaction } from 'viem'
 * const prover = await createProver() // once, for all transactions
 * const transaction = toViemOsakaSerializer(prover, serializeTransaction)
 * // const chain = { ...mainnet, serializers: { transaction } }
 * // const client = createWalletClient({ account, chain, transport })
 * // client.sendTransaction({ sidecars, blobVersionedHashes, maxFeePerBlobGas, to }), with `sidecars` of `toViemSidecars`
 * ```
 */
export function toViemOsakaSerializer<Serializer extends ViemSerializer>(
  prover: BlobProver,
  serializeTransaction: Serializer,
  options?: ProverCallOptions,
): ViemOsakaSerializer<Serializer> {
  // Here, where it is made, and not with the first transaction that is sent.
  refuseSynchronous(prover, ['blobToKzgCommitment', 'computeCellsAndKzgProofs'])
  const call = readCallOptions(options)
  if (typeof serializeTransaction !== 'function')
    throw new TypeError('serializeTransaction must be a function')
  const serialize = async (transaction: object, signature?: object): Promise<Hex> => {
    // viem takes a signature from the transaction, too.
    const { r } = (signature ?? transaction) as { readonly r?: unknown }
    if (r === undefined) return await serializeTransaction(bodyOf(transaction) as never)
    const serialized = await serializeTransaction(transaction as never, signature as never)
    try {
      return await toOsakaTransaction(serialized, prover, call)
    } catch (error) {
      if (error instanceof TransactionError && WITHOUT_BLOBS.has(error.reason)) return serialized
      throw error
    }
  }
  // The first bytes, by which viem tells its types of hex apart, stay as they are.
  return serialize as unknown as ViemOsakaSerializer<Serializer>
}

/** A transaction without what the signature does not cover. */
function bodyOf(transaction: object): object {
  const { blobs, sidecars } = transaction as { readonly blobs?: unknown; readonly sidecars?: unknown }
  return [blobs, sidecars].some(Array.isArray) ? { ...transaction, sidecars: false } : transaction
}

/** What is said of transactions of other types, and of those that come without their blobs. */
const WITHOUT_BLOBS: ReadonlySet<string> = new Set(['transaction-type', 'not-network-form'])
