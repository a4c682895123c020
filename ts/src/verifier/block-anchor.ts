/** Anchors that are a block: read like other anchors, and decoded in a worker before anything is checked against them. */
import { blockSource } from '../beacon/block/source.ts'
import { presetOf } from '../beacon/block/fork.ts'
import { SszError } from '../beacon/block/ssz-error.ts'
import type { VettedNetwork } from '../beacon/networks.ts'
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import type { HeaderLinks } from '../verdict/provenance.ts'
import type { Anchor } from './checks/protocol.ts'
import type { BlockAnchor, BlockAnswer, ReadBlock } from './checks/anchor-block.ts'
import type { VerifierPool } from './worker/protocol.ts'

export type { BlockAnchor } from './checks/anchor-block.ts'

/** The block of `anchor: { block, header }` is not the block that the header is of. Whoever gave the block gave another one. */
export class BlockMismatchError extends Error {
  override readonly name = 'BlockMismatchError'
  /** The root of the block: 32 bytes as 0x hex. */
  readonly blockRoot: string
  /** The root of the header: 32 bytes as 0x hex. */
  readonly headerRoot: string
  constructor(blockRoot: string, headerRoot: string) {
    super(`anchor.block has the root ${blockRoot}, and anchor.header ${headerRoot}`)
    this.blockRoot = blockRoot
    this.headerRoot = headerRoot
  }
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

/** A block on the caller's word. */
const onTrust: HeaderLinks = { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' }

/** Turns blocks into lists of commitments, with the module of `blobcheck/beacon`, which is loaded when the first block comes. */
export class BlockAnchors {
  readonly #pool: VerifierPool
  readonly #network: VettedNetwork
  readonly #compile: () => Promise<WebAssembly.Module>
  #module: Promise<WebAssembly.Module> | undefined

  constructor(pool: VerifierPool, network: VettedNetwork, compile: () => Promise<WebAssembly.Module>) {
    this.#pool = pool
    this.#network = network
    this.#compile = compile
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
   * Decodes a block in a worker. Rejects with `SszError` and `BlockMismatchError` for a block that is none or another, and with
   * `WasmUnavailableError`; `CRASHED` where two workers in a row died of the block.
   */
  async read(anchor: BlockAnchor): Promise<ReadBlock | Crashed> {
    const module = await this.#load()
    const answer = await this.#pool.attemptTwice(
      async (api): Promise<BlockAnswer> => await api.readBlock(module, this.#network, anchor),
    )
    if (answer === CRASHED) return CRASHED
    if ('reason' in answer) throw new SszError(answer.reason, answer.path)
    if ('headerRoot' in answer) throw new BlockMismatchError(answer.blockRoot, answer.headerRoot)
    return answer
  }

  async #load(): Promise<WebAssembly.Module> {
    this.#module ??= this.#compile()
    try {
      return await this.#module
    } catch (cause) {
      this.#module = undefined // the network may be back next time
      throw cause
    }
  }
}
