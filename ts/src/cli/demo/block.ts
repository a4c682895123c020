/** The block of the page as its scripts read it: SSZ, which is half of the JSON, and need not be parsed. */
import { BlobSidecars } from '../../serve/ssz/sidecars.ts'
import { decodeHex } from '../../util/hex.ts'

/** A blob sidecar in the JSON of the Beacon API: all that is no number is hex. */
interface SidecarJson {
  readonly index: string
  readonly blob: string
  readonly kzg_commitment: string
  readonly kzg_proof: string
  readonly signed_block_header: {
    readonly message: { readonly slot: string; readonly proposer_index: string } & Record<
      'parent_root' | 'state_root' | 'body_root',
      string
    >
    readonly signature: string
  }
  readonly kzg_commitment_inclusion_proof: readonly string[]
}

/**
 * The answer of a Beacon node to `/eth/v1/beacon/blob_sidecars/{block_id}` as it would be in SSZ: 131,928 bytes for each sidecar. `text`: the
 * answer in JSON, one that came with the package; what is not of that shape throws.
 */
export function sszOf(text: string): Uint8Array<ArrayBuffer> {
  const { data } = JSON.parse(text) as { readonly data: readonly SidecarJson[] }
  return BlobSidecars.serialize(
    data.map((sidecar) => {
      const { message, signature } = sidecar.signed_block_header
      return {
        index: Number(sidecar.index),
        blob: bytesOf(sidecar.blob),
        kzg_commitment: bytesOf(sidecar.kzg_commitment),
        kzg_proof: bytesOf(sidecar.kzg_proof),
        signed_block_header: {
          message: {
            slot: Number(message.slot),
            proposer_index: Number(message.proposer_index),
            parent_root: bytesOf(message.parent_root),
            state_root: bytesOf(message.state_root),
            body_root: bytesOf(message.body_root),
          },
          signature: bytesOf(signature),
        },
        kzg_commitment_inclusion_proof: sidecar.kzg_commitment_inclusion_proof.map(bytesOf),
      }
    }),
  )
}

function bytesOf(hex: string): Uint8Array {
  const bytes = decodeHex(hex)
  if (bytes === null) throw new TypeError('the block of the page holds what is no hex')
  return bytes
}
