/** A block's header. Source: specs/phase0/beacon-chain.md. */
import { type Container, container } from './container.ts'
import { bytes, uint64 } from './type.ts'

export interface BeaconBlockHeader {
  readonly slot: number
  readonly proposer_index: number
  readonly parent_root: Uint8Array
  readonly state_root: Uint8Array
  readonly body_root: Uint8Array
}

export const BeaconBlockHeader: Container<BeaconBlockHeader> = container<BeaconBlockHeader>({
  slot: uint64,
  proposer_index: uint64,
  parent_root: bytes(32),
  state_root: bytes(32),
  body_root: bytes(32),
})

export interface SignedBeaconBlockHeader {
  readonly message: BeaconBlockHeader
  /** 96 bytes. */
  readonly signature: Uint8Array
}

export const SignedBeaconBlockHeader: Container<SignedBeaconBlockHeader> = container<SignedBeaconBlockHeader>(
  { message: BeaconBlockHeader, signature: bytes(96) },
)
