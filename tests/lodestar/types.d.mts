/** What `types.mjs` has, as far as the tests look into it. */
import type { NetworkConfig } from 'blobcheck'

/** A value of @lodestar/types, which goes from one function to the other. */
export interface Value {
  readonly __lodestar: never
}

export interface LodestarType {
  deserialize(bytes: Uint8Array): Value
  serialize(value: Value): Uint8Array
  toJson(value: Value): unknown
  fromJson(json: unknown): Value
  equals(a: Value, b: Value): boolean
}

export declare const SignedBeaconBlock: LodestarType
export declare const blocks: Readonly<
  Record<
    'deneb' | 'electra' | 'fulu' | 'gloas',
    { readonly type: LodestarType; rootsOf(block: Value): readonly [block: Uint8Array, body: Uint8Array] }
  >
>
export declare const DataColumnSidecars: LodestarType
export declare const BlobSidecars: LodestarType
export declare const LightClientBootstrap: LodestarType
export declare const LightClientUpdate: LodestarType
export declare const LightClientFinalityUpdate: LodestarType
export declare const LightClientOptimisticUpdate: LodestarType

/** Types of Gloas. */
export declare const Gloas: {
  readonly SignedBeaconBlock: LodestarType
  readonly SignedExecutionPayloadEnvelope: LodestarType
  readonly DataColumnSidecars: LodestarType
  readonly LightClientBootstrap: LodestarType
  readonly LightClientUpdate: LodestarType
  readonly LightClientFinalityUpdate: LodestarType
  readonly LightClientOptimisticUpdate: LodestarType
  blockRoot(block: Value): Uint8Array
  bodyRoot(block: Value): Uint8Array
  bidOf(block: Value): {
    readonly parentBlockHash: Uint8Array
    readonly blockHash: Uint8Array
    readonly blobKzgCommitments: readonly Uint8Array[]
  }
  payloadOf(envelope: Value): { readonly parentHash: Uint8Array; readonly blockHash: Uint8Array }
  /** The branch of `bid.parent_block_hash` in the body: 11 nodes. */
  executionBranch(block: Value): readonly Uint8Array[]
}

export declare function blockRoot(block: Value): Uint8Array
export declare function bodyRoot(block: Value): Uint8Array
export declare function payloadOf(block: Value): {
  readonly blobGasUsed: bigint
  readonly transactions: readonly Uint8Array[]
}
export declare function commitmentsBranch(block: Value): readonly Uint8Array[]
export declare function commitmentBranch(block: Value, index: number): readonly Uint8Array[]
export declare function versionedHash(commitment: Uint8Array): string
export declare function forkDigest(network: NetworkConfig, fork?: 'fulu' | 'gloas'): Uint8Array
export declare function publicKey(secrets: readonly bigint[]): string
export declare function isSigned(
  network: NetworkConfig,
  domainType: number,
  root: string,
  secrets: readonly bigint[],
  signature: Uint8Array,
  fork?: 'fulu' | 'gloas',
): boolean
