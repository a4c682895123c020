/** The head of the chain as it moves, as slots: each once, in order, those in between too. Pulled, so that nothing piles up. */
import type { SampledHeader } from './options.ts'

/** A slot that is to be reported on: with its header; to be looked up; known to be empty; or gone by. */
export type SlotTask =
  | { readonly slot: number; readonly kind: 'header'; readonly header: SampledHeader }
  | { readonly slot: number; readonly kind: 'look-up' | 'empty' | 'missed' }

/**
 * Slots of newer and newer heads. Between two of them are slots that were empty, or that nobody asked about in time: the last
 * `catchUpSlots` are looked up, and those before are missed. What is not newer (a reorganisation) has been reported on.
 */
export async function* slotTasks(
  heads: AsyncIterable<SampledHeader>,
  catchUpSlots: number,
  check: (header: SampledHeader) => void,
): AsyncGenerator<SlotTask, void, void> {
  let last: { readonly slot: number; readonly root: string } | null = null
  for await (const header of heads) {
    check(header)
    const { root, slot } = header
    if (last !== null) {
      if (slot <= last.slot) continue
      // A header names its parent: between the two there is nothing.
      const isNext: boolean = 'parent_root' in header && header.parent_root === last.root
      for (let between = last.slot + 1; between < slot; between++)
        yield {
          slot: between,
          kind: isNext ? 'empty' : between < slot - catchUpSlots ? 'missed' : 'look-up',
        }
    }
    last = { slot, root }
    yield { slot, kind: 'header', header }
  }
}
