/**
 * The blocks of the slots that are audited. Each is fetched once, of the endpoints of the chain, and held against its header; who is audited
 * is asked for blobs alone. A blob source, which asks for the block itself, is given it here, by way of its `fetch`.
 */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { Fetch } from '../beacon/request.ts'
import type { VettedNetwork } from '../beacon/networks.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { EndpointTally } from '../block-data/requests/tally.ts'
import type { ProvenBlock } from '../block-data/proven-block.ts'
import type { SampledHeader } from '../block-data/options.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { SharedTasks } from '../util/shared-tasks.ts'
import type { BlockAnchors } from '../verifier/block-anchor.ts'

/** Blocks are some 100 KB each, and are wanted for a moment: while their slot is audited, and the one before it. */
const MAX_KEPT = 256

const BLOCK_PATH = /\/eth\/v2\/beacon\/blocks\/(0x[0-9a-f]{64})$/

/** An audit is about those who have blobs. */
const untold = { of: (name: string): EndpointTally => new EndpointTally(name) }

export interface BlocksOptions {
  readonly endpoints: BeaconEndpoints
  readonly blocks: BlockAnchors
  readonly network: VettedNetwork
  /** What everything that is no block is fetched with. */
  readonly fetch: Fetch
  /** The header of a root, where it is one of the audit's. */
  readonly headerOf: (root: string) => SampledHeader | undefined
}

/** For a block that a blob source asks for by itself: that after the one that is audited. */
const PATIENCE_MS = 30_000

export class AuditBlocks {
  readonly #options: BlocksOptions
  readonly #kept = new BoundedMap<string, ProvenBlock>(MAX_KEPT)
  readonly #fetches = new SharedTasks<ProvenBlock>()

  constructor(options: BlocksOptions) {
    this.#options = options
  }

  /** The block of a header. Rejects with `BeaconUnavailableError` where no endpoint has it, and with the signal's reason. */
  async of(header: SampledHeader, signal: AbortSignal): Promise<ProvenBlock> {
    const { root } = header
    return (
      this.#kept.get(root) ??
      (await this.#fetches.run(root, async (anyone) => await this.#fetch(header, anyone), signal))
    )
  }

  async #fetch(header: SampledHeader, signal: AbortSignal): Promise<ProvenBlock> {
    const block = await fetchBlock(this.#options, header, untold, signal)
    this.#kept.set(header.root, block)
    return block
  }

  /** For a blob source: gives blocks that are known, as if the server had them, and passes on what else is asked for. */
  readonly fetch: Fetch = async (url, init) => {
    const root = BLOCK_PATH.exec(new URL(url).pathname)?.[1]
    if (root === undefined) return await this.#options.fetch(url, init)
    const header = this.#options.headerOf(root)
    const block = header && (await this.of(header, AbortSignal.timeout(PATIENCE_MS)).catch(() => undefined))
    if (block === undefined) return new Response(null, { status: 404 })
    const { source } = block
    return typeof source === 'string'
      ? new Response(source, { headers: { 'content-type': 'application/json' } })
      : new Response(new Uint8Array(source), { headers: { 'content-type': 'application/octet-stream' } })
  }
}
