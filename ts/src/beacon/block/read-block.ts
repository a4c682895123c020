/** A block, in each of the forms in which it is had, decoded: its roots, and the blobs that it commits to. */
import { decodeHex, encodeHex } from '../../util/hex.ts'
import { isBytes } from '../../util/bytes.ts'
import { isBoundedJson } from '../json-bounds.ts'
import type { VettedNetwork } from '../vetted-network.ts'
import { HEADER_BYTES, POINT_BYTES } from '../ssz/layout.ts'
import { isForkToCome } from '../consensus-version.ts'
import { type BlockFork, containers, forkOfBlock } from './fork.ts'
import { jsonToSsz } from './json-ssz.ts'
import { presetOf } from './preset.ts'
import type { SszType } from './ssz-type.ts'
import { type Exports, run } from './module.ts'
import { blockSource, MAX_BLOCK_BYTES, MAX_BLOCK_TEXT } from './source.ts'
import { SszError } from './errors.ts'

/** `ExecutionPayloadBid` of a block of Gloas: what a builder promised (specs/gloas/beacon-chain.md). Hashes are `0x` hex. */
export interface BlockBid {
  /** The execution block that the payload builds on: 32 bytes. */
  readonly parentBlockHash: string
  /** The beacon block that the payload builds on: 32 bytes. */
  readonly parentBlockRoot: string
  /** The hash of the payload's execution block: 32 bytes. Whether it was revealed shows in the next block alone. */
  readonly blockHash: string
  /** 32 bytes. */
  readonly prevRandao: string
  /** An address of 20 bytes. */
  readonly feeRecipient: string
  readonly gasLimit: bigint
  /** The builder's index; 2⁶⁴ − 1 where the proposer built the payload. */
  readonly builderIndex: bigint
  /** The slot that the bid is for; rounded above 2⁵³. */
  readonly slot: number
  /** What the builder pays the proposer, in Gwei. */
  readonly value: bigint
  /** What the builder pays on the execution layer, in Gwei. */
  readonly executionPayment: bigint
  /** The root of the payload's execution requests: 32 bytes. */
  readonly executionRequestsRoot: string
}

/** What a beacon block says, with roots that were computed here. Hashes, roots and commitments are lower-case `0x` hex. */
export interface DecodedBlock {
  readonly fork: BlockFork
  /** Rounded above 2⁵³, where there is no time for a slot. */
  readonly slot: number
  /** Rounded above 2⁵³. */
  readonly proposerIndex: number
  /** `hash_tree_root` of the block, which is also that of its header: 32 bytes. */
  readonly root: string
  /** `hash_tree_root` of its body: 32 bytes. */
  readonly bodyRoot: string
  /** Root of the parent: 32 bytes. */
  readonly parentRoot: string
  /** Root of the state after the block: 32 bytes. */
  readonly stateRoot: string
  /** `blob_kzg_commitments`, 48 bytes each: of the body, or in Gloas of the bid. They need not be points. */
  readonly commitments: readonly string[]
  /**
   * Before Gloas alone: `execution_payload.block_hash`, the hash of the execution block that is the block's payload: 32 bytes. That it is the
   * hash of the payload's header nobody computes here.
   */
  readonly executionBlockHash?: string
  /** In Gloas alone. */
  readonly bid?: BlockBid
}

/** Of a signed block's SSZ: where its slot can be read for sure. */
const SLOT_BYTES = 184

/**
 * What the module says of a block: see `readBlock` of crates/wasm-beacon.
 *
 * @internal
 */
export interface BlockParts {
  readonly fork: BlockFork
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly header: Uint8Array
  /** 32 bytes. */
  readonly root: Uint8Array
  /** The hash of the payload's execution block, 32 bytes; none in Gloas. */
  readonly blockHash: Uint8Array
  /** The fixed part of the bid, 224 bytes; none before Gloas. */
  readonly bid: Uint8Array
  /** 48 bytes each, one after the other. */
  readonly commitments: Uint8Array
}

/**
 * Decodes a block. Its signature is not looked at. Throws `SszError`, and `TypeError` for what has no form of a block at all.
 *
 * @internal
 */
export function readBlock(
  exports: Exports,
  block: unknown,
  network: VettedNetwork,
  fork: BlockFork | undefined,
): DecodedBlock {
  return decoded(readBlockParts(exports, block, network, fork))
}

/**
 * Decodes a block, and leaves what is in it as bytes. `told`: the consensus version beside it, which SSZ itself does not have. Throws as
 * `readBlock` does.
 *
 * @internal
 */
export function readBlockParts(
  exports: Exports,
  block: unknown,
  network: VettedNetwork,
  fork: BlockFork | undefined,
  told: string | null = null,
): BlockParts {
  const { ssz, fork: found } = blockSsz(exports, block, network, fork, told)
  return parts(exports, ssz, found, presetOf(network))
}

/**
 * A block as SSZ, signed or not, and its fork. Of what is SSZ already nothing but the slot is read. `told` says no more of it than that it is
 * of a fork to come: any other fork shows in its root. Throws as `readBlock` does.
 *
 * @internal
 */
export function blockSsz(
  exports: Exports,
  block: unknown,
  network: VettedNetwork,
  fork: BlockFork | undefined,
  told: string | null = null,
): { readonly ssz: Uint8Array; readonly fork: BlockFork } {
  const preset = presetOf(network)
  const { ssz, json, version } = formOf(block)
  const forkAt = (slot: bigint): BlockFork => {
    const isToCome = told !== null && isForkToCome(told, network, Number(slot))
    return forkOfBlock(network, slot, version ?? (isToCome ? told : undefined), fork)
  }
  if (ssz !== undefined) {
    if (ssz.length > MAX_BLOCK_BYTES) throw new SszError('limit', '')
    const slot = run(() => exports.slotOf(ssz.subarray(0, SLOT_BYTES)))
    if (slot === undefined) throw new SszError('length', '')
    return { ssz, fork: forkAt(slot) }
  }
  const message = messageOf(json)
  const slot = slotOf(message)
  const found = forkAt(slot)
  const type = blockType(exports, containers[found], preset)
  return { ssz: jsonToSsz(type, message, ''), fork: found }
}

const types = new Map<string, SszType>()

/**
 * The type `BeaconBlock`, as the module describes it.
 *
 * @internal
 */
export function blockType(exports: Exports, fork: 0 | 1 | 2, preset: 0 | 1): SszType {
  const key = `${fork}${preset}`
  const type = types.get(key) ?? (JSON.parse(run(() => exports.blockSchema(fork, preset))) as SszType)
  types.set(key, type)
  return type
}

/** SSZ, or what JSON says, and the version in an answer around it. */
function formOf(block: unknown): {
  readonly ssz?: Uint8Array
  readonly json?: unknown
  readonly version?: unknown
} {
  const source = blockSource(block)
  if (typeof source !== 'string') return { ssz: source }
  const json = parseText(source)
  if (isBytes(json)) return { ssz: json }
  if (typeof json !== 'object' || json === null) throw new SszError('type', '')
  if (!Object.hasOwn(json, 'data')) return { json }
  const { data, version } = json as { data: unknown; version?: unknown }
  return { json: data, ...(version !== undefined && { version }) }
}

/** Text is hex of SSZ, or JSON. */
function parseText(text: string): unknown {
  if (text.length > MAX_BLOCK_TEXT) throw new SszError('limit', '')
  if (text.startsWith('0x')) {
    const bytes = decodeHex(text)
    if (bytes === null) throw new SszError('type', '')
    return bytes
  }
  if (!isBoundedJson(text)) throw new SszError('json', '')
  try {
    return JSON.parse(text)
  } catch {
    throw new SszError('json', '')
  }
}

/** The block in a signed one, whose signature has to have the form of one; or the block itself. */
function messageOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'message')) return json
  const { message } = json as { message: unknown }
  // As in the answer to a request that failed, whose message is for people.
  if (typeof message !== 'object') throw new SszError('type', 'message')
  jsonToSsz(SIGNATURE_ONLY, { ...json, message: '0x' }, '')
  return message
}

/** What is around the message of a signed block; the message itself is read by its own type. */
const SIGNATURE_ONLY: SszType = [
  'container',
  [
    ['message', ['byte-list', 0]],
    ['signature', ['bytes', 96]],
  ],
]

/** The slot in a block's JSON, before it is known which type the rest must be of. */
function slotOf(message: unknown): bigint {
  if (typeof message !== 'object' || message === null) throw new SszError('type', '')
  if (!Object.hasOwn(message, 'slot')) throw new SszError('missing-field', 'slot')
  const ssz = jsonToSsz(['uint', 8], (message as { slot: unknown }).slot, 'slot')
  return new DataView(ssz.buffer).getBigUint64(0, true)
}

/** How long the parts behind the header are, but for the commitments, which come last. */
const ROOT_BYTES = 32
const BID_BYTES = 224

function parts(exports: Exports, ssz: Uint8Array, fork: BlockFork, preset: 0 | 1): BlockParts {
  const bytes = run(() => exports.readBlock(ssz, containers[fork], preset))
  const hashAt = HEADER_BYTES + ROOT_BYTES
  const bidAt = hashAt + (fork === 'gloas' ? 0 : ROOT_BYTES)
  const commitmentsAt = bidAt + (fork === 'gloas' ? BID_BYTES : 0)
  return {
    fork,
    header: bytes.slice(0, HEADER_BYTES),
    root: bytes.slice(HEADER_BYTES, hashAt),
    blockHash: bytes.slice(hashAt, bidAt),
    bid: bytes.slice(bidAt, commitmentsAt),
    commitments: bytes.slice(commitmentsAt),
  }
}

function decoded({ fork, header, root, blockHash, bid, commitments }: BlockParts): DecodedBlock {
  return {
    fork,
    slot: Number(uint(header, 0)),
    proposerIndex: Number(uint(header, 8)),
    root: hex(root, 0),
    bodyRoot: hex(header, 80),
    parentRoot: hex(header, 16),
    stateRoot: hex(header, 48),
    commitments: Array.from({ length: commitments.length / POINT_BYTES }, (_, at) =>
      hex(commitments, POINT_BYTES * at, POINT_BYTES),
    ),
    ...(blockHash.length > 0 && { executionBlockHash: hex(blockHash, 0) }),
    ...(bid.length > 0 && { bid: decodedBid(bid) }),
  }
}

function decodedBid(bid: Uint8Array): BlockBid {
  return {
    parentBlockHash: hex(bid, 0),
    parentBlockRoot: hex(bid, 32),
    blockHash: hex(bid, 64),
    prevRandao: hex(bid, 96),
    feeRecipient: hex(bid, 128, 20),
    gasLimit: uint(bid, 148),
    builderIndex: uint(bid, 156),
    slot: Number(uint(bid, 164)),
    value: uint(bid, 172),
    executionPayment: uint(bid, 180),
    // Between them is the offset of the commitments.
    executionRequestsRoot: hex(bid, 192),
  }
}

const hex = (bytes: Uint8Array, from: number, length = 32): string =>
  `0x${encodeHex(bytes.subarray(from, from + length))}`

const uint = (bytes: Uint8Array, at: number): bigint =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(at, true)
