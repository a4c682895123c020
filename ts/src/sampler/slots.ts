/** The head of the chain as it moves, as slots: in order, those in between too. Pulled, so that nothing piles up. */
import { sleep } from '../util/timers.ts'
import type { SampledHeader } from '../block-data/options.ts'

/**
 * A slot that is to be reported on: with its header; or to be looked up. Or a run of slots, `slot` to `lastSlot`, that are
 * known to be empty, or have gone by. `again`: it has been reported on, with what may not be of the chain any more, or could not be told yet.
 */
export type SlotTask =
  | {
      readonly slot: number
      readonly kind: 'header'
      readonly header: SampledHeader
      readonly again: boolean
    }
  | { readonly slot: number; readonly kind: 'look-up'; readonly again: boolean }
  | {
      readonly slot: number
      readonly lastSlot: number
      readonly kind: 'empty' | 'missed'
      readonly again: boolean
    }

/** What slots were reported on with: a block's root, or null where there was none. The oldest are forgotten. */
export class ReportedSlots {
  readonly #roots = new Map<number, string | null>()
  readonly #most: number

  /** Remembers so many slots at most. */
  constructor(most: number) {
    this.#most = most
  }

  /** Whether the slot comes again: then it is the newest once more. */
  note(slot: number, root: string | null): boolean {
    const again = this.#roots.delete(slot)
    this.#roots.set(slot, root)
    const [oldest] = this.#roots.keys()
    if (this.#roots.size > this.#most && oldest !== undefined) this.#roots.delete(oldest)
    return again
  }

  has(slot: number): boolean {
    return this.#roots.has(slot)
  }

  /** Undefined where it is not known. */
  rootOf(slot: number): string | null | undefined {
    return this.#roots.get(slot)
  }

  /** The slot of a block; undefined where none is known by that root. */
  slotOf(root: string): number | undefined {
    for (const [slot, known] of this.#roots) if (known === root) return slot
    return undefined
  }

  /** The last block before a slot; undefined where it is not known. */
  rootBefore(slot: number): string | undefined {
    const root = this.#roots.get(slot - 1)
    return root === null ? this.rootBefore(slot - 1) : root
  }

  /** The slots from one to before another that are known, in order. */
  between(from: number, to: number): number[] {
    return [...this.#roots.keys()].filter((slot) => from <= slot && slot < to).sort((a, b) => a - b)
  }
}

/** Headers and slots between two turns of the event loop: timers and signals have their say, however many come at once. */
const WITHOUT_PAUSE = 64

/**
 * Slots of newer and newer heads. Between two of them are slots that were empty, or that nobody asked about in time: the last
 * `catchUpSlots` come one by one, those before as one run, however many they are. What `admit` says no to is passed over, and
 * so is a head that is not newer, unless it is another block than was reported: then the chain was reorganised, and goes on
 * from there. Where a head's parent is not the block that was reported before it, what came since its parent comes again.
 */
export async function* slotTasks(
  heads: AsyncIterable<SampledHeader>,
  catchUpSlots: number,
  admit: (header: SampledHeader) => boolean,
  reported: ReportedSlots,
): AsyncGenerator<SlotTask, void, void> {
  let last: { readonly slot: number; readonly root: string } | null = null
  let turns = 0
  for await (const header of heads) {
    if (++turns % WITHOUT_PAUSE === 0) await sleep(0)
    if (!admit(header)) continue
    const { slot } = header
    const root = header.root.toLowerCase()
    if (last !== null) {
      if (slot <= last.slot && !(reported.has(slot) && reported.rootOf(slot) !== root)) continue
      // A header on trust may have whatever its source gave it.
      const { parent_root: told } = header as { readonly parent_root?: unknown }
      const parent = typeof told === 'string' ? told.toLowerCase() : undefined
      const before = reported.rootBefore(slot)
      if (parent !== undefined && before !== undefined && parent !== before)
        yield* reorganised(slot, parent, catchUpSlots, reported)
      if (slot > last.slot) {
        // A header names its parent: between the two there is nothing.
        const isNext = parent === last.root
        const near = Math.max(last.slot + 1, slot - catchUpSlots)
        if (last.slot + 1 < near) {
          const kind = isNext ? 'empty' : 'missed'
          yield { slot: last.slot + 1, lastSlot: near - 1, kind, again: false }
        }
        for (let between = near; between < slot; between++) {
          if (++turns % WITHOUT_PAUSE === 0) await sleep(0)
          yield isNext
            ? empty(between, reported)
            : { slot: between, kind: 'look-up', again: reported.has(between) }
        }
      }
    }
    last = { slot, root }
    yield { slot, kind: 'header', header, again: reported.note(slot, root) }
  }
}

function empty(slot: number, reported: ReportedSlots): SlotTask {
  return { slot, lastSlot: slot, kind: 'empty', again: reported.note(slot, null) }
}

/** The slots between a head and its parent that were reported on as if they had a block. */
function* reorganised(
  head: number,
  parent: string,
  catchUpSlots: number,
  reported: ReportedSlots,
): Generator<SlotTask, void, void> {
  const shared = reported.slotOf(parent)
  if (shared !== undefined) {
    for (const slot of reported.between(shared + 1, head))
      if (reported.rootOf(slot) !== null) yield empty(slot, reported)
    return
  }
  // Its parent was never seen: how far back it goes only headers tell.
  for (const slot of reported.between(head - catchUpSlots, head)) yield { slot, kind: 'look-up', again: true }
}
