/** Blob sidecars in the JSON of the Beacon API: all of one block, read strictly. */
import { decodeHex } from '../util/hex.ts'
import type { BlobSidecar } from './ssz/sidecars.ts'

/** Of hex that was read before. */
const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array(0)

/** A blob sidecar in the JSON of the Beacon API. */
interface SidecarJson {
  readonly index: string
  readonly blob: string
  readonly kzg_commitment: string
  readonly kzg_proof: string
  readonly signed_block_header: {
    readonly message: {
      readonly slot: string
      readonly proposer_index: string
      readonly parent_root: string
      readonly state_root: string
      readonly body_root: string
    }
    readonly signature: string
  }
  readonly kzg_commitment_inclusion_proof: readonly string[]
}

/** All sidecars of one block, in order, out of an answer of the Beacon API. Throws `TypeError` for anything else. */
export function readSidecars(text: string): BlobSidecar[] {
  return parseSidecars(text).map((sidecar) => {
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
  })
}

/** Strictly enough that what follows need not look again. */
function parseSidecars(text: string): SidecarJson[] {
  const refuse = (): never => {
    throw new TypeError('not the sidecars of one block, as a beacon node answers them')
  }
  let data: unknown
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data
  } catch {
    refuse()
  }
  if (!Array.isArray(data) || data.length === 0 || !data.every(isSidecar)) return refuse()
  const header = JSON.stringify(data[0]!.signed_block_header)
  const isWhole = data.every(
    (one, at) => one.index === at.toString() && JSON.stringify(one.signed_block_header) === header,
  )
  return isWhole ? data : refuse()
}

function isSidecar(value: unknown): value is SidecarJson {
  const { blob, kzg_commitment, kzg_proof, signed_block_header, kzg_commitment_inclusion_proof } = (value ??
    {}) as Partial<SidecarJson>
  const { message, signature } = signed_block_header ?? {}
  const branch = kzg_commitment_inclusion_proof
  return (
    isHex(blob, 131_072) &&
    isHex(kzg_commitment, 48) &&
    isHex(kzg_proof, 48) &&
    isHex(signature, 96) &&
    [message?.parent_root, message?.state_root, message?.body_root].every((root) => isHex(root, 32)) &&
    [message?.slot, message?.proposer_index].every((number) => /^\d{1,15}$/.test(String(number))) &&
    Array.isArray(branch) &&
    branch.length === 17 &&
    branch.every((node) => isHex(node, 32))
  )
}

function isHex(value: unknown, length: number): boolean {
  return typeof value === 'string' && decodeHex(value)?.length === length
}
