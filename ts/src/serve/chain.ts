/** The interface of a chain that is served: the app knows no more of it than this, whether it is real or made. */
import type { NetworkConfig } from '../beacon/networks.ts'
import type { SignedBeaconBlockHeader } from './ssz/block.ts'
import type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'

/** A network config that says in words what it is, since it belongs to no public network. */
export interface LabelledNetwork extends NetworkConfig {
  /** What it is, in a sentence, for whoever sees results that rest on it. */
  readonly label: string
}

/** The forks that can be served, as the header `Eth-Consensus-Version` names them. */
export type ConsensusVersion = 'deneb' | 'electra' | 'fulu'

/** An object in both forms of the Beacon API, each made when it is wanted. */
export interface Encoded {
  readonly version: ConsensusVersion
  ssz(): Uint8Array<ArrayBuffer>
  json(): unknown
}

/** A blob of a block, with its commitment. */
export interface ChainBlob {
  /** 131,072 bytes. */
  readonly blob: Uint8Array
  /** 48 bytes. */
  readonly commitment: Uint8Array
}

/** A block, and the data that it commits to. Objects are shared: leave them as they are. */
export interface ChainBlock {
  readonly slot: number
  /** 0x hex, lower case. */
  readonly root: string
  readonly version: ConsensusVersion
  /** The header, with the proposer's signature. */
  readonly header: SignedBeaconBlockHeader
  /** The whole block, or null where only its header is known. */
  readonly block: Encoded | null
  readonly blobs: readonly ChainBlob[]
  /** The sidecar of one blob; its proof may have to be computed. */
  blobSidecar(index: number): Promise<BlobSidecar>
  /** The sidecar of one of the 128 columns. */
  column(index: number): DataColumnSidecar
}

/** An update, and the digest that stands before it in a stream of SSZ. */
export interface EncodedUpdate extends Encoded {
  /** 4 bytes. */
  readonly forkDigest: Uint8Array
}

/** What light clients ask for; null where there is nothing yet. */
export interface ChainLightClient {
  bootstrap(root: string): Encoded | null
  /** The best update of a sync committee period. */
  update(period: number): EncodedUpdate | null
  finalityUpdate(): Encoded | null
  optimisticUpdate(): Encoded | null
}

/** What happens on a chain. */
export type ChainEvent =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'finalized'; readonly block: ChainBlock; readonly epoch: number }

/** A chain to be served. */
export interface Chain {
  readonly network: LabelledNetwork
  /** The root that a light client starts from; of a chain without light clients, the one to be trusted. */
  readonly checkpoint: string
  /** Milliseconds of Unix time, by the chain's own clock. */
  now(): number
  readonly head: ChainBlock
  readonly finalized: ChainBlock
  /** The block of a slot, up to the head; null where there is none. */
  at(slot: number): ChainBlock | null
  /** The block of a root, 0x hex in lower case, up to the head. */
  byRoot(root: string): ChainBlock | null
  readonly lightClient: ChainLightClient | null
  /** Tells of what happens from now on; call what comes back to hear no more. */
  subscribe(listener: (event: ChainEvent) => void): () => void
}
