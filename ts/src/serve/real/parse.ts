/** Sidecars out of a file, strictly enough that what follows need not look again. */
import { decodeHex } from '../../util/hex.ts'

export interface SidecarJson {
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

/** All sidecars of one block, in order. Throws `TypeError` for anything else. */
export function parseSidecars(text: string): SidecarJson[] {
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
