/** What the execution layer is asked for, and what is proven of its answers. None of its servers is trusted. */
import type { BeaconFailure } from '../beacon/failure.ts'

/** The header of an execution block whose Keccak-256 hash is `hash` (Yellow Paper, section 4.4; fields by EIP-1559, 4895, 4844, 4788, 7685, 7928, 7843). */
export interface ExecutionHeader {
  /** Keccak-256 of `rlp`, computed here: 32 bytes as lower-case 0x hex. */
  readonly hash: string
  /** The header's RLP, whatever fields it has. */
  readonly rlp: Uint8Array
  readonly number: number
  /** Unix time in seconds. */
  readonly timestamp: number
  /** 32 bytes as 0x hex. */
  readonly parentHash: string
  /** Root of the trie of the block's transactions: 32 bytes as 0x hex. */
  readonly transactionsRoot: string
  /** 2¹⁷ for each blob (EIP-4844); null before Cancun. */
  readonly blobGasUsed: number | null
  /** Root of the beacon block that is the parent of this block's beacon block (EIP-4788): 32 bytes as 0x hex; null before Cancun. */
  readonly parentBeaconBlockRoot: string | null
  /** The slot of the beacon block that promised this payload (EIP-7843); null before Amsterdam. */
  readonly slotNumber: number | null
}

/** A transaction that is in a block, by the block's trie of transactions. */
export interface ProvenTransaction {
  /** Keccak-256 of its bytes as they are in the block, computed here: 32 bytes as lower-case 0x hex. */
  readonly hash: string
  /** Its place in the block. */
  readonly index: number
  /** 32 bytes each as lower-case 0x hex; none for a transaction of another type than blob transactions (EIP-4844). */
  readonly versionedHashes: readonly string[]
  /**
   * How many blobs the block's transactions before it have, which is the place of its first blob in the block; null where the proof came
   * from a server, and the block's other transactions are not known.
   */
  readonly firstBlob: number | null
  /** The block that it is in, which the server names. That this block is of the chain is for the caller to find out. */
  readonly header: ExecutionHeader
}

/** Told of what each endpoint did, by its name. */
export interface ExecutionTally {
  requested(endpoint: string): void
  received(endpoint: string, bytes: number): void
  failed(endpoint: string, failure: Pick<BeaconFailure, 'kind' | 'message'>): void
}

/** What a question to the execution layer is asked with. */
export interface ExecutionTerms {
  readonly signal: AbortSignal
  readonly tally: ExecutionTally
  /**
   * Whether the block of a proven transaction is of the chain; default: each is. What it rejects with ends the question.
   * - `yes`: the transaction is the answer.
   * - `no`: the tally is told that the endpoint is `behind`, since the block may have been one of the chain before, and the next endpoint is asked.
   * - `unknown`: the next endpoint is asked. The tally is told that this one is `behind` where another one names a block that is of the chain, or where
   *   `refute` is called: by whoever finds out later that the block is none.
   */
  readonly isOfChain?: (
    transaction: ProvenTransaction,
    refute: () => void,
  ) => Promise<'yes' | 'no' | 'unknown'>
}

/**
 * The execution layer, as several JSON-RPC endpoints answer for it. Both functions reject with `BeaconUnavailableError` where no endpoint
 * gave an answer that holds (each is named), with the signal's reason, and with `TypeError` for what is no hash.
 */
export interface ExecutionSource {
  /** The header of a block, by its hash; null where every endpoint says that there is none. */
  header(hash: string, terms: ExecutionTerms): Promise<ExecutionHeader | null>
  /**
   * A transaction by its hash, in its block. Null where every endpoint says that there is none, `pending` where each says that or that it is in
   * no block yet, and any the latter.
   */
  transaction(hash: string, terms: ExecutionTerms): Promise<ProvenTransaction | 'pending' | null>
}
