/** Reading a `BlobSidecar` that was verified, and is therefore as long as it must be (specs/deneb/p2p-interface.md). */
import { encodeHex } from '../util/hex.ts'
import { blobSidecar, COMMITMENT_COUNT_AT } from '../beacon/ssz/layout.ts'

export interface BlobParts {
  /** 131,072 bytes, a view on the sidecar. */
  readonly blob: Uint8Array
  /** 0x hex. */
  readonly commitment: string
  /** How many commitments its block has, by the branch that was verified. */
  readonly committed: number
}

/** The parts of a verified sidecar. */
export function blobParts(ssz: Uint8Array): BlobParts {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return {
    blob: ssz.subarray(blobSidecar.blob, blobSidecar.kzg_commitment),
    commitment: `0x${encodeHex(ssz.subarray(blobSidecar.kzg_commitment, blobSidecar.kzg_proof))}`,
    // Beyond 2⁵³ it is more than any block can have, whatever its last digits.
    committed: Number(view.getBigUint64(COMMITMENT_COUNT_AT, true)),
  }
}
