/** Anchors that are a block: read like other anchors, and decoded in a worker before anything is checked against them. */
import { startBlockReader } from '#verifier-parts'
import { blockSource } from '../beacon/block/source.ts'
import { presetOf } from '../beacon/block/preset.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import type { BlockReader, BlockReaderOptions } from '../beacon/block-reader.ts'
import type { ReadBlock } from '../beacon/worker/protocol.ts'
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import { OnDemand } from '../runtime/on-demand.ts'
import { type HeaderLinks, onTrust } from '../verdict/provenance.ts'
import type { Anchor } from './checks/protocol.ts'

/** A block that has not been decoded yet: SSZ, or text; and the header that it must have, where there is one. */
export interface BlockAnchor {
  readonly kind: 'block'
  readonly block: Uint8Array | string
  /** 112 bytes of SSZ header, or the 32 bytes of its root; and what is known of it. */
  readonly header: { readonly header: Uint8Array; readonly links: HeaderLinks } | null
}

/** Reads the options `block` and `header` of an anchor, as copies. Throws `TypeError`. */
export function readBlockAnchor(
  block: unknown,
  header: { readonly header: Uint8Array; readonly links: HeaderLinks } | null,
  network: VettedNetwork,
): BlockAnchor {
  presetOf(network)
  const source = blockSource(block)
  return { kind: 'block', block: typeof source === 'string' ? source : new Uint8Array(source), header }
}

/** Turns blocks into lists of commitments, in a worker of `blobcheck/beacon`, which is loaded when the first block comes. */
export class BlockAnchors {
  readonly #reader: OnDemand<BlockReader>

  constructor(options: BlockReaderOptions) {
    this.#reader = new OnDemand(() => startBlockReader(options))
  }

  /** Loads the worker now; rejects with `WasmUnavailableError`. */
  async start(): Promise<void> {
    await this.#reader.get()
  }

  /** The anchor that items are checked against; rejects as `read` does. */
  async resolve(anchor: Anchor | BlockAnchor): Promise<Anchor | Crashed> {
    if (anchor.kind !== 'block') return anchor
    const block = await this.read(anchor)
    if (block === CRASHED) return CRASHED
    const { commitments, header } = block
    const links = { ...(anchor.header?.links ?? onTrust), inclusion: 'verified' as const }
    return { kind: 'commitments', commitments, block: { header, links } }
  }

  /**
   * Decodes a block in a worker. `told`: the consensus version beside it, where there is one. Rejects with `SszError` and `BlockMismatchError`
   * for a block that is none or another, and with `WasmUnavailableError`; `CRASHED` where two workers in a row died of the block.
   */
  async read({ block, header }: BlockAnchor, told: string | null = null): Promise<ReadBlock | Crashed> {
    return await (await this.#reader.get()).read(block, header?.header ?? null, told)
  }

  dispose(): void {
    this.#reader.dispose()
  }
}
