/** The interface of a chain that is served: the app knows no more of it than this, whether it is real or made. And whether it is one. */
import type { NetworkConfig } from '../beacon/networks.ts'
import type { SignedBeaconBlockHeader } from './ssz/block.ts'
import type { GloasDataColumnSidecar } from './ssz/gloas.ts'
import type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'
import type { ByteArray, PlatformSignal } from '../util/platform-types.ts'
import type { StageProgress } from '../util/progress.ts'

/** A network config that says in words what it is, since it belongs to no public network. */
export interface LabelledNetwork extends NetworkConfig {
  /** What it is, in a sentence, for whoever sees results that rest on it. */
  readonly label: string
}

/** A fork whose blocks can be served, as the response header `Eth-Consensus-Version` names it. */
export type ConsensusVersion = 'deneb' | 'electra' | 'fulu' | 'gloas'

/** An object in both forms of the Beacon API, each of which is made when it is asked for. */
export interface Encoded {
  /** The fork whose container it is. */
  readonly version: ConsensusVersion
  /** The object as SSZ. */
  ssz(): ByteArray
  /** The object as a value for `JSON.stringify`: numbers in decimal, bytes as 0x hex. */
  json(): unknown
}

/** A blob of a block, with its commitment. */
export interface ChainBlob {
  /** 131,072 bytes. */
  readonly blob: Uint8Array
  /** 48 bytes. */
  readonly commitment: Uint8Array
}

/** What a block of Gloas has apart from it. */
export interface GloasParts {
  /** The payload, as a SignedExecutionPayloadEnvelope; null where it was never revealed. */
  readonly envelope: Encoded | null
  /** The sidecar of one of the 128 columns, by its index, in the container of Gloas. */
  column(index: number): GloasDataColumnSidecar
}

/** A block of the execution layer: what a block of the beacon chain has as its payload. */
export interface ExecutionBlock {
  /** Keccak-256 of the header’s RLP: 32 bytes as 0x hex in lower case. */
  readonly hash: string
  /** How many blocks are before it on the chain. */
  readonly number: number
  /** The header as RLP (Yellow Paper, section 4.4). */
  readonly header: Uint8Array
  /** Each as its bytes in the block: a type and its payload (EIP-2718), or RLP alone. */
  readonly transactions: readonly Uint8Array[]
  /** The gas that each of them used. Receipts say that all succeeded, and that nothing was logged. */
  readonly gasUsed: readonly number[]
  /** The price of a unit of blob gas in wei (EIP-4844), which receipts name. */
  readonly blobGasPrice: bigint
}

/** The execution layer of a chain: what `createExecutionApp` answers from. */
export interface ChainExecution {
  /** The id of the chain (EIP-155). */
  readonly chainId: number
  /** The newest block. */
  readonly head: ExecutionBlock
  /** The newest block that is justified, which is not likely to be left behind. */
  readonly safe: ExecutionBlock
  /** The newest block that is final. */
  readonly finalized: ExecutionBlock
  /** The block of a number, up to the head; null where there is none. */
  byNumber(number: number): ExecutionBlock | null
  /** The block of a hash, 0x hex in lower case, up to the head; null where there is none. */
  byHash(hash: string): ExecutionBlock | null
  /** The block that a transaction is in, by its hash, 0x hex in lower case, and its place there; null where there is none. */
  transaction(hash: string): { readonly block: ExecutionBlock; readonly index: number } | null
}

/** A block, and the data that it commits to. Its objects are shared among requests and must not be changed. */
export interface ChainBlock {
  /** The slot of the block. */
  readonly slot: number
  /** The root of its header, as 0x hex in lower case. */
  readonly root: string
  /** The fork of its slot. */
  readonly version: ConsensusVersion
  /** The header, with the proposer's signature. */
  readonly header: SignedBeaconBlockHeader
  /** The whole block, or null where only its header is known. */
  readonly block: Encoded | null
  /** Its blobs, in order. */
  readonly blobs: readonly ChainBlob[]
  /** Resolves with the sidecar of one blob, whose proof is computed when it is asked for first. */
  blobSidecar(index: number): Promise<BlobSidecar>
  /** The sidecar of one of the 128 columns, by its index. */
  column(index: number): DataColumnSidecar
  /** The parts of a block of Gloas, of which there are neither blob sidecars nor columns in the container of Fulu; null before. */
  readonly gloas?: GloasParts | null
  /** The execution block that its payload is; null where that was never revealed, or is not known. */
  readonly execution?: ExecutionBlock | null
}

/** A block of a chain that `makeChain` made: its body is known, and its fork is Fulu or Gloas. */
export interface MadeChainBlock extends ChainBlock {
  readonly version: 'fulu' | 'gloas'
  /** The whole block. */
  readonly block: Encoded
  /** The parts of a block of Gloas; null for one of Fulu. */
  readonly gloas: GloasParts | null
  /** The execution block that its payload is; null where that was never revealed. */
  readonly execution: ExecutionBlock | null
}

/** A light-client update, and the fork digest that stands before it in an answer of SSZ. */
export interface EncodedUpdate extends Encoded {
  /** The fork digest of the attested header’s epoch, 4 bytes. */
  readonly forkDigest: Uint8Array
}

/** What light clients ask a chain for; null where it has nothing of the kind yet. Source: specs/altair/light-client/full-node.md. */
export interface ChainLightClient {
  /** The bootstrap of a block, by its root as 0x hex. */
  bootstrap(root: string): Encoded | null
  /** The best update of a sync committee period, by the period’s number. */
  update(period: number): EncodedUpdate | null
  /** The newest finality update; with a root, as 0x hex, the one that this block brought, for the events of the block. */
  finalityUpdate(root?: string): Encoded | null
  /** The newest optimistic update; with a root, as 0x hex, the one that this block brought, for the events of the block. */
  optimisticUpdate(root?: string): Encoded | null
}

/** What happens on a chain: a new head, or a block that has become final, with its epoch. */
export type ChainEvent =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'finalized'; readonly block: ChainBlock; readonly epoch: number }

/** An epoch, and the block that it begins with: the last one up to its first slot. */
export interface ChainCheckpoint {
  readonly epoch: number
  /** The root of the block, 0x hex in lower case; zeros with epoch 0, where nothing has come so far. */
  readonly root: string
}

/** What the state of a block has justified and finalized. */
export interface ChainCheckpoints {
  /** What was justified an epoch before. */
  readonly previousJustified: ChainCheckpoint
  /** The newest that is justified. */
  readonly currentJustified: ChainCheckpoint
  /** The newest that is final. */
  readonly finalized: ChainCheckpoint
}

/** A chain that can be served: what `makeChain` and `realChain` resolve with, and what the routes of a Beacon API read. */
export interface Chain {
  /** The config of the network whose chain it is. */
  readonly network: LabelledNetwork
  /** The root of the block that a light client starts from, as 0x hex. Of a chain without light clients it is the block to be trusted. */
  readonly checkpoint: string
  /** The time by the chain’s own clock, in milliseconds of Unix time. */
  now(): number
  /** The newest block. */
  readonly head: ChainBlock
  /** The newest block that is final. */
  readonly finalized: ChainBlock
  /** The block of a slot, up to the head; null where there is none. */
  at(slot: number): ChainBlock | null
  /** The block of a root, 0x hex in lower case, up to the head. */
  byRoot(root: string): ChainBlock | null
  /** The checkpoints in the state of a block, by its root, 0x hex in lower case; null where there is none. Absent where no states are known. */
  checkpoints?(root: string): ChainCheckpoints | null
  /** What light clients are served; null for a chain that cannot be followed. */
  readonly lightClient: ChainLightClient | null
  /** The execution layer of the chain; null, or absent, where nothing of it is known. */
  readonly execution?: ChainExecution | null
  /**
   * Resolves when the chain has the blocks that there are by its clock, or so few are missing that they hold up nobody. Apps call it
   * before each answer, with the request's signal; it rejects with the signal's reason. Absent where there is nothing to wait for.
   */
  catchUp?(signal?: PlatformSignal): Promise<void>
  /** Calls the listener at each event from now on. The function that is returned ends that. */
  subscribe(listener: (event: ChainEvent) => void): () => void
}

/** How far the making of a chain is: what its `onProgress` is called with. The steps of its one stage are blobs. */
export type ChainProgress = StageProgress<'prove'>

const MEMBERS = [
  'network',
  'checkpoint',
  'now',
  'head',
  'finalized',
  'at',
  'byRoot',
  'lightClient',
  'subscribe',
] as const satisfies readonly (keyof Chain)[]

/**
 * Throws `TypeError` for what is no chain, or lacks one of the members that are needed of it, and says which. Nothing is read: the head of a chain
 * may be long in the making.
 */
export function checkChain(chain: Chain, needed: readonly (keyof Chain)[] = MEMBERS): void {
  const isObject = typeof chain === 'object' && chain !== null
  const lacking = needed.filter((name) => !(isObject && name in chain))
  if (lacking.length > 0)
    throw new TypeError(
      `chain must be a Chain, as makeChain and realChain resolve with: it lacks ${lacking.join(', ')}`,
    )
}
