/** The interface of a chain that is served: the app knows no more of it than this, whether it is real or made. */
import type { NetworkConfig } from '../beacon/networks.ts'
import type { SignedBeaconBlockHeader } from './ssz/block.ts'
import type { GloasDataColumnSidecar } from './ssz/gloas.ts'
import type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'
import type { ByteArray } from '../util/platform-types.ts'
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
  /** The newest finality update. */
  finalityUpdate(): Encoded | null
  /** The newest optimistic update. */
  optimisticUpdate(): Encoded | null
}

/** What happens on a chain: a new head, or a block that has become final, with its epoch. */
export type ChainEvent =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'finalized'; readonly block: ChainBlock; readonly epoch: number }

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
  /** What light clients are served; null for a chain that cannot be followed. */
  readonly lightClient: ChainLightClient | null
  /** Calls the listener at each event from now on. The function that is returned ends that. */
  subscribe(listener: (event: ChainEvent) => void): () => void
}

/** How far the making of a chain is: what its `onProgress` is called with. The steps of its one stage are blobs. */
export type ChainProgress = StageProgress<'prove'>
