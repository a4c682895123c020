/**
 * `blobcheck/serve`: a Beacon API of your own, and the JSON-RPC of an execution node, over a real block or a chain that it makes, as good or as bad
 * as a test wants it. This entry runs in browsers, too; `blobcheck/serve/node` listens on a port.
 */
export { createBeaconApp, type BeaconApp, type BeaconAppOptions } from './app.ts'
export { createExecutionApp, type ExecutionApp, type ExecutionAppOptions } from './execution/app.ts'
export { makeChain } from './synthetic/make-chain.ts'
export type { MadeChain } from './synthetic/made-chain.ts'
export type { MakeChainOptions, ProvedBlob } from './synthetic/options.ts'
export { realChain, type RealChainOptions } from './real-chain.ts'
export { embeddedSidecarsUrl, holeskyAsIfFulu } from './networks.ts'
export { fetchEmbeddedSidecars } from './embedded-sidecars.ts'
export type { NodeName } from './implementations.ts'
export { withheldColumns } from './faults/data.ts'
export type {
  Chain,
  ChainBlob,
  ChainBlock,
  ChainCheckpoint,
  ChainCheckpoints,
  ChainEvent,
  ChainExecution,
  ChainLightClient,
  ChainProgress,
  ConsensusVersion,
  Encoded,
  EncodedUpdate,
  ExecutionBlock,
  GloasParts,
  LabelledNetwork,
  MadeChainBlock,
} from './chain.ts'
export type { BeaconBlockHeader, SignedBeaconBlockHeader } from './ssz/block.ts'
export type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'
export type { GloasDataColumnSidecar } from './ssz/gloas.ts'
export type {
  CorruptPart,
  DataFault,
  ExecutionLie,
  Fault,
  FaultRule,
  Faults,
  LieFault,
  RouteName,
  RpcFault,
  TransportFault,
} from './faults/faults.ts'
