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

/** What is known of a slot: its block's root, and its parent's where somebody said so; null where there was none, undefined where it is in doubt. */
interface ReportedBlock {
  readonly root: string | null | undefined
  readonly parent?: string | undefined
}

/** What slots were reported on with. The lowest are forgotten. */
export class ReportedSlots {
  readonly #blocks = new Map<number, ReportedBlock>()
  readonly #retried = new Set<number>()
  /** Look-ups under way: the last one of each slot, unless something newer is known of it. */
  readonly #asked = new Map<number, object>()
  readonly #most: number
  /** The slot that was reported first, and the parent of the last block that was known there. */
  #first: { readonly slot: number; readonly parent: string | undefined } | null = null

  /** Remembers so many slots at most. */
  constructor(most: number) {
    this.#most = most
  }

  /** A slot’s look-up begins. What is returned is to be called once at its end, and says whether nothing newer is known of the slot by then. */
  ask(slot: number): () => boolean {
    const asked = {}
    this.#asked.set(slot, asked)
    return () => this.#asked.get(slot) === asked && this.#asked.delete(slot)
  }

  /** Whether the slot comes again. */
  note(slot: number, root: string | null, parent?: string): boolean {
    const again = this.has(slot)
    const isFirst = this.#first === null || this.#first.slot === slot
    if (isFirst && root !== null) this.#first = { slot, parent }
    this.#asked.delete(slot)
    this.#blocks.set(slot, { root, parent })
    if (this.#blocks.size > this.#most) this.#blocks.delete(Math.min(...this.#blocks.keys()))
    return again
  }

  /** A new head. Later blocks are none of its chain, and what is in doubt may be looked up once more from here on. */
  begin(head: number): void {
    this.#retried.clear()
    for (const slot of [...this.#blocks.keys(), ...this.#asked.keys()]) if (slot > head) this.#doubt(slot)
  }

  #doubt(slot: number): void {
    this.#asked.delete(slot)
    this.#blocks.set(slot, { root: undefined })
  }

  /**
   * Whether a slot with a block that may not be of the chain is to be looked up again: once for each head, or a source that contradicts itself would be
   * asked for ever.
   */
  retry(slot: number): boolean {
    if (this.#retried.has(slot)) return false
    this.#retried.add(slot)
    this.#doubt(slot)
    return true
  }

  /** Whether it was reported on, or is being looked up for that. */
  has(slot: number): boolean {
    return this.#blocks.has(slot) || this.#asked.has(slot)
  }

  /** Undefined where it is not known. */
  rootOf(slot: number): string | null | undefined {
    return this.#blocks.get(slot)?.root
  }

  /** The slot of a block; undefined where none is known by that root. */
  slotOf(root: string): number | undefined {
    for (const [slot, known] of this.#blocks) if (known.root === root) return slot
    return undefined
  }

  /** The last block before a slot; undefined where it is not known. */
  rootBefore(slot: number): string | undefined {
    if (slot === this.#first?.slot) return this.#first.parent
    const root = this.rootOf(slot - 1)
    return root === null ? this.rootBefore(slot - 1) : root
  }

  /** The parent of the block in a slot, where that is not the last one before it that was reported; else undefined. */
  otherParent(slot: number): string | undefined {
    const parent = this.#blocks.get(slot)?.parent
    const before = this.rootBefore(slot)
    return before === undefined || before === parent ? undefined : parent
  }

  /** The slot of the first block after a slot; undefined where it is not known. */
  slotAfter(slot: number): number | undefined {
    const root = this.rootOf(slot + 1)
    if (root === null) return this.slotAfter(slot + 1)
    return root === undefined ? undefined : slot + 1
  }

  /**
   * What is known that speaks against `child`, which is said to be the first block after a slot (null where none is said to be): the root of the first one
   * that is known; or, where none is, what the slot of `child` has, which is null where that is empty. Undefined where nothing speaks against it.
   */
  rivalOf(
    slot: number,
    child: { readonly slot: number; readonly root: string } | null,
  ): string | null | undefined {
    const known = child === null ? undefined : this.rootOf(child.slot)
    if (child !== null && known === child.root.toLowerCase()) return undefined
    const after = this.slotAfter(slot)
    return after === undefined ? known : this.rootOf(after)
  }

  /** The slots from one to before another that are known, in order. */
  between(from: number, to: number): number[] {
    return [...this.#blocks.keys()].filter((slot) => from <= slot && slot < to).sort((a, b) => a - b)
  }
}

/** The root of a header's parent, which a header on trust has where its source gave it. */
export function parentOf(header: SampledHeader): string | undefined {
  const { parent_root: told } = header as { readonly parent_root?: unknown }
  return typeof told === 'string' ? told.toLowerCase() : undefined
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
    const parent = parentOf(header)
    if (last !== null && slot <= last.slot && !(reported.has(slot) && reported.rootOf(slot) !== root))
      continue
    reported.begin(slot)
    const again = reported.note(slot, root, parent)
    if (last !== null && slot > last.slot) {
      // A header names its parent: between the two there is nothing, also where the parent is an earlier block than the last one.
      const isNext = parent !== undefined && (parent === last.root || reported.slotOf(parent) !== undefined)
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
    yield* doubted(slot, catchUpSlots, reported)
    last = { slot, root }
    yield { slot, kind: 'header', header, again }
  }
}

function empty(slot: number, reported: ReportedSlots): SlotTask {
  return { slot, lastSlot: slot, kind: 'empty', again: reported.note(slot, null) }
}

/**
 * What comes again for what has become known of a slot: what was reported before its block that is no ancestor of it, and what was looked up before
 * a block that has another parent, where the chain was reorganised meanwhile. All of it is in doubt, or known to be empty, before the first of it comes:
 * what is out of date must not tell against what is looked up now.
 */
export function doubted(slot: number, catchUpSlots: number, reported: ReportedSlots): SlotTask[] {
  const after = reported.slotAfter(slot)
  return (after === undefined ? [slot] : [slot, after]).flatMap((child) => {
    const parent = reported.otherParent(child)
    return parent === undefined ? [] : reorganised(child, parent, catchUpSlots, reported)
  })
}

/** The slots between a block and its parent that were reported on as if they had a block. */
function reorganised(
  child: number,
  parent: string,
  catchUpSlots: number,
  reported: ReportedSlots,
): SlotTask[] {
  const shared = reported.slotOf(parent)
  if (shared !== undefined)
    return reported
      .between(shared + 1, child)
      .filter((slot) => reported.rootOf(slot) !== null)
      .map((slot) => empty(slot, reported))
  // Its parent was never seen: how far back it goes only headers tell.
  return reported
    .between(child - catchUpSlots, child)
    .filter((slot) => reported.retry(slot))
    .map((slot) => ({ slot, kind: 'look-up', again: true }))
}
