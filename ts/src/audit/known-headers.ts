/** What an auditor knows of the chain: the headers that came with its jobs. */
import type { HeaderSource, Resolution } from '../block-data/options.ts'
import type { BlockId } from '../block-data/report.ts'
import type { SlotHeader } from './headers.ts'
import type { AuditJob } from './job.ts'

/** Headers that are remembered, with the slots that have none. Jobs under way have less than a thousand together. */
const MAX_KNOWN = 4_096

/** The headers of the jobs of late: all that is known of the chain. */
export class KnownHeaders implements HeaderSource {
  /** The oldest entries go first. */
  readonly #bySlot = new Map<number, SlotHeader>()

  remember({ slots, next, to }: AuditJob): void {
    for (const slot of slots) this.#add(slot)
    if (next === null) return
    for (let slot = to + 1; slot < next.slot; slot++) this.#add({ slot, header: null })
    this.#add(next)
  }

  async resolve(id: BlockId): Promise<Resolution> {
    // Only the next block is asked for here, slot by slot.
    const slot = this.#bySlot.get(Number(id))
    if (slot === undefined)
      return { status: 'unknown', detail: 'it is of none of the slots that are audited now' }
    if ('unknown' in slot) return { status: 'unknown', detail: slot.unknown }
    return slot.header === null ? { status: 'no-block' } : { status: 'found', header: slot.header }
  }

  #add(slot: SlotHeader): void {
    this.#bySlot.delete(slot.slot)
    this.#bySlot.set(slot.slot, slot)
    const [oldest] = this.#bySlot.keys()
    if (this.#bySlot.size > MAX_KNOWN && oldest !== undefined) this.#bySlot.delete(oldest)
  }
}
