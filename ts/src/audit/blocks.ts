/**
 * The blocks of the slots that are audited, and of the one after them. Each is fetched once, of the endpoints of the chain, and held against
 * its header; who is audited is asked for blobs alone.
 */
import type { BlockParts } from '../block-data/context.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import type { SampledHeader } from '../block-data/options.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { ProvenBlock } from '../block-data/proven-block.ts'
import type { PayloadReport } from '../block-data/report.ts'
import { EndpointTally } from '../block-data/requests/tally.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { SharedTasks } from '../util/shared-tasks.ts'
import { backOff, sleep } from '../util/timers.ts'

/** What is known of a block before anyone is asked for its blobs. */
export interface AuditedBlock {
  readonly header: SampledHeader
  readonly block: ProvenBlock
  /** What became of its payload, as the next block shows it; null before Gloas. */
  readonly payload: PayloadReport | null
}

/** Blocks are some 100 KB each, and are wanted for a moment: while their slot is audited, and the one before it. */
const MAX_KEPT = 256

/** The time of a block, in milliseconds, of which `payloadOf` spends a third on the next one: without that, the payload is `unknown`. */
const BLOCK_TIME_MS = 30_000

/** Milliseconds before something is tried again, the first time. */
export const PAUSE_MS = 500

/** An audit is about those who have blobs. */
const untold = { of: (name: string): EndpointTally => new EndpointTally(name) }

export class AuditBlocks {
  readonly #parts: BlockParts
  readonly #attempts: number
  readonly #kept = new BoundedMap<string, ProvenBlock>(MAX_KEPT)
  readonly #fetches = new SharedTasks<ProvenBlock>()

  /** `parts`: with the endpoints of the chain, and the headers of the audit. `attempts`: how often the next block is asked for. */
  constructor(parts: BlockParts, attempts: number) {
    this.#parts = parts
    this.#attempts = attempts
  }

  /** The block of a header. Rejects with `BeaconUnavailableError` where no endpoint has it, and with the signal's reason. */
  async of(header: SampledHeader, signal: AbortSignal): Promise<AuditedBlock> {
    const block = await this.#get(header, signal)
    const { bid } = block
    if (bid === null || block.commitments.length === 0) return { header, block, payload: null }
    const context = { header, parts: this.#parts, signal, until: signal }
    for (let attempt = 1; ; attempt++) {
      let isMissing = false
      const endsAt = performance.now() + BLOCK_TIME_MS
      const payload = await payloadOf(bid, { ...context, endsAt }, untold, (_parts, child, _tallies, until) =>
        this.#get(child, until).catch((error: unknown) => {
          isMissing = true
          throw error
        }),
      )
      if (!isMissing || attempt >= this.#attempts) return { header, block, payload }
      await sleep(backOff(attempt, PAUSE_MS), signal)
    }
  }

  async #get(header: SampledHeader, signal: AbortSignal): Promise<ProvenBlock> {
    const { root } = header
    return (
      this.#kept.get(root) ??
      (await this.#fetches.run(root, async (anyone) => await this.#fetch(header, anyone), signal))
    )
  }

  async #fetch(header: SampledHeader, signal: AbortSignal): Promise<ProvenBlock> {
    const block = await fetchBlock(this.#parts, header, untold, signal)
    this.#kept.set(header.root, block)
    return block
  }
}
