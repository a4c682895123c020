/**
 * Beacon API JSON of light-client objects as SSZ: from here on there is one form, and one parser, that of crates/beacon.
 * Containers: specs/{altair,capella,deneb,electra,gloas}/light-client/sync-protocol.md. Throws `Refused` where a field is missing
 * or of the wrong length; whether the values make sense is the protocol's business.
 */
import type { Portable } from '../../util/portable.ts'
import { bytesOf, malformed, recordOf, uint64Of } from './fields.ts'
import { SszWriter } from './fields.ts'
import type { ByteArray } from '../../util/platform-types.ts'

/** Forks by their light-client containers, as the WASM module numbers them: 0 Altair and Bellatrix, then one by one up to 5, Gloas. */
export type ForkIndex = 0 | 1 | 2 | 3 | 4 | 5

/** The number of Gloas, whose headers have a hash in the place of the execution header. */
export const GLOAS = 5

/** How many nodes the branches of a fork's objects have: those of a sync committee, and of the finalized block's root. */
export function branchDepths(fork: ForkIndex): readonly [committee: number, finality: number] {
  return fork === GLOAS ? [11, 9] : fork >= 3 ? [6, 7] : [5, 6]
}

/** The objects that a light client asks endpoints for. */
export type ObjectKind = 'bootstrap' | 'update' | 'finality-update' | 'optimistic-update'

/** A field: of fixed length, or after the fixed part, with an offset in it. */
type Field = Uint8Array | { readonly tail: Uint8Array }

/** The SSZ of a light-client object, given as the `data` of Beacon API JSON, in the containers of a fork. */
export function objectSsz(kind: ObjectKind, fork: ForkIndex, json: Portable): ByteArray {
  const data = recordOf(json, 'bad-json')
  const [committeeDepth, finalityDepth] = branchDepths(fork)
  if (kind === 'bootstrap') {
    return container([
      header(data['header'], fork),
      committee(data['current_sync_committee']),
      branch(data['current_sync_committee_branch'], committeeDepth),
    ])
  }
  const attested = header(data['attested_header'], fork)
  const aggregate = recordOf(data['sync_aggregate'], 'bad-json')
  const signed = [
    bits(aggregate['sync_committee_bits']),
    bytes(aggregate['sync_committee_signature'], 96),
    uint(data['signature_slot'], 8),
  ]
  if (kind === 'optimistic-update') return container([attested, ...signed])
  const finality = [header(data['finalized_header'], fork), branch(data['finality_branch'], finalityDepth)]
  if (kind === 'finality-update') return container([attested, ...finality, ...signed])
  return container([
    attested,
    committee(data['next_sync_committee']),
    branch(data['next_sync_committee_branch'], committeeDepth),
    ...finality,
    ...signed,
  ])
}

/** LightClientHeader: a plain header before Capella, of variable length up to Fulu, and of 496 bytes in Gloas. */
function header(json: Portable | undefined, fork: ForkIndex): Field {
  const data = recordOf(json, 'bad-json')
  const beacon = beaconHeader(data['beacon'])
  if (fork === 0) return beacon
  if (fork === GLOAS)
    return container([beacon, bytes(data['execution_block_hash'], 32), branch(data['execution_branch'], 11)])
  return {
    tail: container([
      beacon,
      { tail: executionHeader(data['execution'], fork) },
      branch(data['execution_branch'], 4),
    ]),
  }
}

/** BeaconBlockHeader, 112 bytes. */
export function beaconHeader(json: Portable | undefined): ByteArray {
  const ssz = new SszWriter(112)
  ssz.header(json)
  return ssz.finish()
}

/** ExecutionPayloadHeader of Capella, or of Deneb and later, which has two fields more. */
function executionHeader(json: Portable | undefined, fork: ForkIndex): Uint8Array {
  const data = recordOf(json, 'bad-json')
  const extra = bytesOf(data['extra_data'])
  if (extra.length > 32) throw malformed('bad-json')
  return container([
    bytes(data['parent_hash'], 32),
    bytes(data['fee_recipient'], 20),
    bytes(data['state_root'], 32),
    bytes(data['receipts_root'], 32),
    bytes(data['logs_bloom'], 256),
    bytes(data['prev_randao'], 32),
    uint(data['block_number'], 8),
    uint(data['gas_limit'], 8),
    uint(data['gas_used'], 8),
    uint(data['timestamp'], 8),
    { tail: extra },
    uint(data['base_fee_per_gas'], 32),
    bytes(data['block_hash'], 32),
    bytes(data['transactions_root'], 32),
    bytes(data['withdrawals_root'], 32),
    ...(fork >= 2 ? [uint(data['blob_gas_used'], 8), uint(data['excess_blob_gas'], 8)] : []),
  ])
}

/** SyncCommittee of as many keys as there are, up to 512; whether that is the preset's number shows in the length. */
function committee(json: Portable | undefined): Uint8Array {
  const data = recordOf(json, 'bad-json')
  const keys = data['pubkeys']
  if (!Array.isArray(keys) || keys.length > 512) throw malformed('bad-json')
  return container([...keys.map((key) => bytes(key, 48)), bytes(data['aggregate_pubkey'], 48)])
}

function branch(json: Portable | undefined, depth: number): Uint8Array {
  if (!Array.isArray(json) || json.length !== depth) throw malformed('bad-json')
  return container(json.map((node) => bytes(node, 32)))
}

/** A bit vector of up to 512 bits. */
function bits(json: Portable | undefined): Uint8Array {
  const value = bytesOf(json)
  if (value.length > 64) throw malformed('bad-json')
  return value
}

function bytes(json: Portable | undefined, length: number): Uint8Array {
  const value = bytesOf(json)
  if (value.length !== length) throw malformed('bad-json')
  return value
}

/** An unsigned integer, as a decimal string, little-endian in so many bytes. */
function uint(json: Portable | undefined, length: 8 | 32): Uint8Array {
  const out = new Uint8Array(length)
  const view = new DataView(out.buffer)
  if (length === 8) {
    view.setBigUint64(0, uint64Of(json), true)
    return out
  }
  if (typeof json !== 'string' || !/^(0|[1-9][0-9]{0,77})$/.test(json)) throw malformed('bad-json')
  let value = BigInt(json)
  if (value >> 256n !== 0n) throw malformed('bad-json')
  for (let at = 0; at < 32; at += 8, value >>= 64n) view.setBigUint64(at, BigInt.asUintN(64, value), true)
  return out
}

/** The fixed part, with an offset where a field is variable, then the variable fields. */
function container(fields: readonly Field[]): ByteArray {
  const fixedLength = fields.reduce((sum, field) => sum + (field instanceof Uint8Array ? field.length : 4), 0)
  const tailLength = fields.reduce((sum, field) => sum + ('tail' in field ? field.tail.length : 0), 0)
  const ssz = new Uint8Array(fixedLength + tailLength)
  const view = new DataView(ssz.buffer)
  let at = 0
  let tailAt = fixedLength
  for (const field of fields) {
    if (field instanceof Uint8Array) {
      ssz.set(field, at)
      at += field.length
    } else {
      view.setUint32(at, tailAt, true)
      ssz.set(field.tail, tailAt)
      at += 4
      tailAt += field.tail.length
    }
  }
  return ssz
}
