/** A blob sidecar in SSZ: `BlobSidecar` of specs/deneb/p2p-interface.md, whose fields all have one length, so that each is at one place. */
import { BLOB_BYTES } from '../shared/sizes.ts'

/** 131,928 bytes. */
export type Sidecar = Uint8Array<ArrayBuffer>

/** In their order; the header's come after the proof. */
const LENGTHS = {
  index: 8,
  blob: BLOB_BYTES,
  kzg_commitment: 48,
  kzg_proof: 48,
  slot: 8,
  proposer_index: 8,
  parent_root: 32,
  state_root: 32,
  body_root: 32,
  signature: 96,
  /** 17 hashes, from the commitment's leaf to the body's root. */
  kzg_commitment_inclusion_proof: 17 * 32,
} as const

export type Field = keyof typeof LENGTHS

/** By field: where it begins, and where it ends. */
const places = new Map<Field, readonly [number, number]>()
let end = 0
for (const [field, length] of Object.entries(LENGTHS) as [Field, number][])
  places.set(field, [end, (end += length)])
const SIDECAR_BYTES = end

/** The bytes of a field, as a view on the sidecar. */
export function field(sidecar: Sidecar, name: Field): Uint8Array<ArrayBuffer> {
  return sidecar.subarray(...places.get(name)!)
}

/** An unsigned integer of 64 bits. */
export function number(sidecar: Sidecar, name: 'index' | 'slot' | 'proposer_index'): bigint {
  const { buffer, byteOffset } = field(sidecar, name)
  return new DataView(buffer, byteOffset).getBigUint64(0, true)
}

/** A copy with other bytes in the place of a field; as many as it has. */
export function withField(sidecar: Sidecar, name: Field, bytes: Uint8Array): Sidecar {
  const copy = sidecar.slice()
  field(copy, name).set(bytes)
  return copy
}

/** The `BeaconBlockHeader` of its block: 112 bytes. */
export function headerOf(sidecar: Sidecar): Uint8Array<ArrayBuffer> {
  return sidecar.slice(places.get('slot')![0], places.get('body_root')![1])
}

/** The sidecars of a list in SSZ; throws, in words, for anything else. */
export function sidecarsOf(list: Uint8Array<ArrayBuffer>): Sidecar[] {
  if (list.length === 0 || list.length % SIDECAR_BYTES !== 0)
    throw new Error('the file is not what a Beacon node answers when it is asked for blob sidecars in SSZ')
  return Array.from({ length: list.length / SIDECAR_BYTES }, (_, at) =>
    list.slice(at * SIDECAR_BYTES, (at + 1) * SIDECAR_BYTES),
  )
}
