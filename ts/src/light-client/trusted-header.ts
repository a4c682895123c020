/** Headers that a light client vouches for, and its own list of them. */
import { encodeHex } from '../util/hex.ts'
import { type HeaderLinks, vouchFor } from '../verdict/provenance.ts'
import type { HeaderView } from './worker/views.ts'
import type { ByteArray } from '../util/platform-types.ts'

/**
 * A header of the chain that the user's checkpoint belongs to (BeaconBlockHeader of specs/phase0/beacon-chain.md); frozen. As the anchor
 * of a verification, this very object (not a copy of it) makes the links `header`, `sync-committee` and `checkpoint` what they are here.
 */
export interface TrustedHeader {
  /** `hash_tree_root` of the header, which is the block's root, as 0x hex. */
  readonly root: string
  /** The slot of its block. */
  readonly slot: number
  /** The index of the validator who proposed the block, in decimal digits. */
  readonly proposer_index: string
  /** The root of the block before it: 32 bytes as 0x hex. */
  readonly parent_root: string
  /** The root of the state after the block: 32 bytes as 0x hex. */
  readonly state_root: string
  /** The root of the block's body: 32 bytes as 0x hex. */
  readonly body_root: string
  /**
   * The block's own payload, where the light client was told of it: not before Capella, not from Gloas on (where a block only
   * promises one; see `parentExecutionBlockHash`), and not of ancestors. While the fork to Gloas is being finalized, headers of the
   * blocks before it may come without it, too.
   */
  readonly execution: {
    /** The block's hash: 32 bytes as 0x hex. */
    readonly blockHash: string
    /** The block's height. */
    readonly blockNumber: number
    /** Unix time in seconds. */
    readonly timestamp: number
    /** 2¹⁷ for each blob of the block; null before Deneb. */
    readonly blobGasUsed: number | null
  } | null
  /**
   * Of a block of Gloas or later: `bid.parent_block_hash`, 32 bytes as 0x hex. That is the execution block on which this block builds: the
   * last payload revealed BEFORE it. It is never the hash of the block's own payload, which the block cannot prove, since its builder may
   * never reveal it. Null before Gloas, where `execution.blockHash` is the block's own, and of ancestors.
   */
  readonly parentExecutionBlockHash: string | null
  /**
   * Whether it is final: the checkpoint, what a supermajority finalized, and the ancestors of either. What a forced update
   * led to is not.
   */
  readonly finalized: boolean
  /** What was verified to know it. `sync-committee` is `absent` for the checkpoint itself, unless that was kept and is on trust. */
  readonly links: HeaderLinks
}

/** What a light client remembers of a header that it handed out, whatever becomes of the object. */
export interface Vouched {
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly ssz: ByteArray
  readonly finalized: boolean
  readonly links: HeaderLinks
  /** See `VouchedHeaders.era`: whether it was disowned since. */
  readonly era: number
}

const hex = (bytes: Uint8Array): string => `0x${encodeHex(bytes)}`

/** The headers that one light client vouches for. They are known by object: what only looks like one of them is not. */
export class VouchedHeaders {
  readonly #genesisValidatorsRoot: Uint8Array
  readonly #records = new WeakMap<object, Vouched>()
  #era = 0

  /** `genesisValidatorsRoot`: the chain's, 32 bytes. */
  constructor(genesisValidatorsRoot: Uint8Array) {
    this.#genesisValidatorsRoot = genesisValidatorsRoot
  }

  /** A header to hand out, on record here and for verifiers. `era`: that of the header by way of which it is known. */
  vouch(view: HeaderView, finalized: boolean, links: HeaderLinks, era: number = this.#era): TrustedHeader {
    const { ssz, root, execution, parentExecutionBlockHash } = view
    const header: TrustedHeader = Object.freeze({
      root: hex(root),
      slot: view.slot,
      proposer_index: new DataView(ssz.buffer, ssz.byteOffset).getBigUint64(8, true).toString(),
      parent_root: hex(ssz.subarray(16, 48)),
      state_root: hex(ssz.subarray(48, 80)),
      body_root: hex(ssz.subarray(80, 112)),
      execution: execution && Object.freeze({ ...execution, blockHash: hex(execution.blockHash) }),
      parentExecutionBlockHash: parentExecutionBlockHash && hex(parentExecutionBlockHash),
      finalized,
      links: Object.freeze({ ...links }),
    })
    this.#records.set(header, { ssz: new Uint8Array(ssz), finalized, links: header.links, era })
    vouchFor(header, { ssz, links, genesisValidatorsRoot: this.#genesisValidatorsRoot })
    return header
  }

  /** How often the headers until then were disowned. */
  get era(): number {
    return this.#era
  }

  /** Whatever was vouched for is of another chain, perhaps. Headers that were handed out stay what they were. */
  disown(): void {
    this.#era++
  }

  /** Takes a header, which is on record here, out of those that were disowned. */
  own(header: TrustedHeader): TrustedHeader {
    this.#records.set(header, { ...this.#records.get(header)!, era: this.#era })
    return header
  }

  /** What is on record of a header, or undefined where it is not one of this light client's. */
  recordOf(header: unknown): Vouched | undefined {
    return typeof header === 'object' && header !== null ? this.#records.get(header) : undefined
  }
}
