/** Payloads of Gloas that newer heads of the chain tell of, or tell otherwise of: whose blocks are to be sampled again. */
import type { PayloadReport } from '../block-data/report.ts'
import type { SampleReport } from './report.ts'
import type { ReportedSlots, SlotTask } from './slots.ts'

/** How many slots behind the newest head a payload is looked for once more with each head, where nobody could tell of it: an endpoint may have failed. */
const NEAR_SLOTS = 8

/** What is remembered of a report. */
type Told = Pick<SampleReport, 'block' | 'payload' | 'verdict'>

/** A report by which the data of a block is there, from before anybody knew whether its payload is. */
export interface EarlyReport {
  readonly block: NonNullable<SampleReport['block']>
  readonly payload: PayloadReport
}

/** A block that was sampled. What became of its payload the next block tells, which was not known yet, or may turn out to be none of the chain. */
export interface SampledPayload {
  readonly task: SlotTask
  /** What was reported, where that stays as it is unless the payload never came: then the next block is looked for alone. Else null. */
  readonly early: EarlyReport | null
  /** The block that told; null where none did. */
  readonly child: PayloadReport['child']
  /** Whether any newer head may tell, where none did. If not, then only a block that was not known to be the next one. */
  readonly mayBeTold: boolean
  /** What was known in the place of `child`, and did not make it another one when the block was sampled again for it. */
  readonly rival: string | null | undefined
  /** How many heads there were when its sample began. */
  readonly heads: number
}

/** What is to be sampled again; `before`: where that is for its payload. */
export interface SampleAgain {
  readonly task: SlotTask
  readonly before?: SampledPayload
}

/** Of blocks that were sampled, those of whose payloads something else may be told later. */
export class SampledPayloads {
  readonly #reported: ReportedSlots
  /** By the roots of their blocks, as lower-case 0x hex. */
  readonly #sampled = new Map<string, SampledPayload>()
  /** The slot of the last head, and how many there have been. */
  #head = -1
  #heads = 0

  /** `reported`: which blocks are known to be of the chain. */
  constructor(reported: ReportedSlots) {
    this.#reported = reported
  }

  /** How many are remembered. */
  get size(): number {
    return this.#sampled.size
  }

  /** A new head. */
  begin(head: number): void {
    this.#head = head
    this.#heads++
  }

  /** Takes out a block that is to be sampled again, and what is known of it. Those that are none of the chain any more are forgotten. */
  take(): SampleAgain | undefined {
    for (const [root, payload] of this.#sampled) {
      const isOfChain = this.#reported.rootOf(payload.task.slot) === root
      if (isOfChain && !this.#mayChange(payload)) continue
      this.#sampled.delete(root)
      if (isOfChain) return { task: { ...payload.task, again: true }, before: payload }
    }
    return undefined
  }

  /**
   * To be called when a sample begins; `before` is what is known of its block from the sample before, where there was one. The function that is returned
   * is to be called with what the sample reports. Where the payload alone was looked for, it is called with what was found of it, and with the early report, which stays.
   */
  watch(task: SlotTask, before: SampledPayload | undefined): (told: Told, stays?: EarlyReport) => void {
    const heads = this.#heads
    const rival = before && this.#reported.rivalOf(task.slot, before.child)
    return ({ block, verdict, payload }, stays) => {
      if (block === null || payload === null) return
      const { child, status } = payload
      const early = stays ?? (verdict === 'available' && status === 'unknown' ? { block, payload } : null)
      // Whatever kept its columns away, there may be none.
      const isUndecided = status === 'unknown' && (early !== null || verdict === 'unknown')
      if (child === null && !isUndecided) return
      // Once for the same next block: who cannot tell then will not be able to later, unless the chain went on meanwhile. What was said to be there has a
      // few chances more.
      const mayBeTold =
        before?.child !== null ||
        heads !== this.#heads ||
        (early !== null && task.slot + NEAR_SLOTS > this.#head)
      const isSame = child?.root === before?.child?.root
      this.#sampled.set(block.root.toLowerCase(), {
        ...{ task, early, child, mayBeTold, heads },
        rival: isSame ? rival : undefined,
      })
    }
  }

  /**
   * Whether a newer head may tell of a payload, since nothing did before, or a block that is none of the chain any more, or since another block is the
   * next one now.
   */
  #mayChange({ task: { slot }, child, heads, mayBeTold, rival }: SampledPayload): boolean {
    if (heads === this.#heads || slot >= this.#head) return false
    if (child === null && mayBeTold) return true
    const known = this.#reported.rivalOf(slot, child)
    // For the same one once: heads, and what is looked up, may be of sources that differ.
    return known !== undefined && known !== rival
  }
}
