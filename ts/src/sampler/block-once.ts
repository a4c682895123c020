/** The block itself, where somebody wants it who looks for data that is missing. */
import type { BlockContext } from '../block-data/context.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { MisuseError, refuseOtherSlot } from '../block-data/header.ts'
import type { ProvenBlock } from '../block-data/proven-block.ts'
import type { Tallies } from '../block-data/requests/tally.ts'
import { DisposedError } from '../runtime/errors.ts'

/** The block of a header of before Gloas: asked of the endpoints once, when somebody wants it first. */
export class BlockOnce {
  #isAsked = false
  #block: ProvenBlock | null = null

  /**
   * The block, or null where no endpoint gave it in time. `tallies` are told what endpoints did for it. Rejects with the signal's reason, and with
   * a `TypeError` for a header whose slot is not that of its block.
   */
  async ask(
    { header, parts, signal, timings, until }: Omit<BlockContext, 'notify'>,
    tallies: Tallies,
  ): Promise<ProvenBlock | null> {
    if (this.#isAsked) return this.#block
    this.#isAsked = true
    const began = performance.now()
    try {
      const block = await fetchBlock(parts, header, tallies, until)
      refuseOtherSlot(header, block.slot)
      return (this.#block = block)
    } catch (error) {
      signal?.throwIfAborted()
      // Nothing else that fails here takes away what was found out before.
      if (error instanceof DisposedError || error instanceof MisuseError) throw error
      return null
    } finally {
      timings.fetchMs += performance.now() - began
    }
  }
}
