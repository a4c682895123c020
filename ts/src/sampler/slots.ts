/** The head of the chain as it moves, as slots: each once, in order, those in between too. Pulled, so that nothing piles up. */
import { sleep } from '../signals/sleep.ts'
import type { SampledHeader } from './options.ts'

/**
 * A slot that is to be reported on: with its header; or to be looked up. Or a run of slots, `slot` to `lastSlot`, that are
 * known to be empty, or have gone by.
 */
export type SlotTask =
  | { readonly slot: number; readonly kind: 'header'; readonly header: SampledHeader }
  | { readonly slot: number; readonly kind: 'look-up' }
  | { readonly slot: number; readonly lastSlot: number; readonly kind: 'empty' | 'missed' }

/** Headers and slots between two turns of the event loop: timers and signals have their say, however many come at once. */
const WITHOUT_PAUSE = 64

/**
 * Slots of newer and newer heads. Between two of them are slots that were empty, or that nobody asked about in time: the last
 * `catchUpSlots` come one by one, those before as one run, however many they are. What is not newer (a reorganisation) has
 * been reported on; what `admit` says no to is passed over.
 */
export async function* slotTasks(
  heads: AsyncIterable<SampledHeader>,
  catchUpSlots: number,
  admit: (header: SampledHeader) => boolean,
): AsyncGenerator<SlotTask, void, void> {
  let last: { readonly slot: number; readonly root: string } | null = null
  let turns = 0
  for await (const header of heads) {
    if (++turns % WITHOUT_PAUSE === 0) await sleep(0)
    if (!admit(header)) continue
    const { root, slot } = header
    if (last !== null) {
      if (slot <= last.slot) continue
      // A header names its parent: between the two there is nothing.
      const isNext: boolean = 'parent_root' in header && header.parent_root === last.root
      const near = Math.max(last.slot + 1, slot - catchUpSlots)
      if (last.slot + 1 < near)
        yield { slot: last.slot + 1, lastSlot: near - 1, kind: isNext ? 'empty' : 'missed' }
      for (let between = near; between < slot; between++) {
        if (++turns % WITHOUT_PAUSE === 0) await sleep(0)
        yield isNext
          ? { slot: between, lastSlot: between, kind: 'empty' }
          : { slot: between, kind: 'look-up' }
      }
    }
    last = { slot, root }
    yield { slot, kind: 'header', header }
  }
}
