/** A blob sidecar as the Beacon API writes it: the fields that the page shows. The verifier reads it all, and judges it. */
import type { BeaconBlockHeader } from 'blobcheck'
import type { Hex } from '../shared/bytes.ts'

export interface Sidecar {
  readonly index: string
  readonly blob: Hex
  readonly kzg_commitment: Hex
  readonly kzg_proof: Hex
  /** 17 hashes, from the commitment's leaf to the body's root. */
  readonly kzg_commitment_inclusion_proof: readonly Hex[]
  readonly signed_block_header: {
    readonly message: BeaconBlockHeader & { readonly state_root: Hex; readonly [field: string]: Hex | string }
  }
}

/** The sidecars of a Beacon API answer; throws, in words, for anything else. */
export function sidecarsOf(answer: unknown): Sidecar[] {
  const data: unknown =
    typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined
  if (!Array.isArray(data) || data.length === 0 || !data.every(isSidecar)) {
    throw new Error('the file is not what a Beacon node answers when it is asked for blob sidecars')
  }
  return data
}

function isSidecar(value: unknown): value is Sidecar {
  const sidecar = value as Partial<Sidecar> | null
  return (
    typeof sidecar?.blob === 'string' &&
    typeof sidecar.kzg_commitment === 'string' &&
    typeof sidecar.kzg_proof === 'string' &&
    Array.isArray(sidecar.kzg_commitment_inclusion_proof) &&
    typeof sidecar.signed_block_header?.message?.body_root === 'string'
  )
}
