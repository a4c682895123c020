/** A block of which only the sidecars are known: header, blobs and branches, but not the body. */
import { decodeHex } from '../../util/hex.ts'
import type { ChainBlock, ConsensusVersion } from '../chain.ts'
import type { ProvenBlob } from '../data/proven-blob.ts'
import { columnOf } from '../data/sidecars.ts'
import { BeaconBlockHeader, type SignedBeaconBlockHeader } from '../ssz/header.ts'
import { hexOf } from '../ssz/hex.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import type { SidecarJson } from './parse.ts'

/** What is left of a commitment's branch above the list: its own siblings (12) and the list's length (1) are below. */
const LIST_LEVELS = 13

export class RealBlock implements ChainBlock {
  readonly slot: number
  readonly root: string
  readonly version: ConsensusVersion
  readonly block = null
  readonly header: SignedBeaconBlockHeader
  readonly blobs: readonly ProvenBlob[]
  readonly #branches: readonly (readonly Uint8Array[])[]

  constructor(sidecars: readonly SidecarJson[], blobs: readonly ProvenBlob[], version: ConsensusVersion) {
    const { message, signature } = sidecars[0]!.signed_block_header
    this.slot = Number(message.slot)
    this.version = version
    this.header = {
      message: {
        slot: this.slot,
        proposer_index: Number(message.proposer_index),
        parent_root: bytesOf(message.parent_root),
        state_root: bytesOf(message.state_root),
        body_root: bytesOf(message.body_root),
      },
      signature: bytesOf(signature),
    }
    this.root = hexOf(BeaconBlockHeader.root(this.header.message))
    this.blobs = blobs
    this.#branches = sidecars.map((one) => one.kzg_commitment_inclusion_proof.map(bytesOf))
  }

  async blobSidecar(index: number): Promise<BlobSidecar> {
    const { blob, commitment, proof } = this.blobs[index]!
    return {
      index,
      blob,
      kzg_commitment: commitment,
      kzg_proof: await proof(),
      signed_block_header: this.header,
      kzg_commitment_inclusion_proof: this.#branches[index]!,
    }
  }

  column(index: number): DataColumnSidecar {
    const commitmentsBranch = this.#branches[0]!.slice(LIST_LEVELS)
    return columnOf({ header: this.header, blobs: this.blobs, commitmentsBranch }, index)
  }
}

/** Of hex that was read before. */
const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array(0)
