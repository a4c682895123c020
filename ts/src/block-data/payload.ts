/**
 * Whether the payload that a block of Gloas promises was revealed. The block does not know: the block after it does, which builds on that
 * payload, or on an older one (get_parent_payload_status, specs/gloas/fork-choice.md).
 */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { DisposedError } from '../runtime/errors.ts'
import { abortable, joinSignals } from '../util/signals.ts'
import { fetchBlock } from './fetch-block.ts'
import type { Bid } from './proven-block.ts'
import type { BlockContext } from './context.ts'
import { isVouchedFor, MisuseError, refuseNonHeader, resolveHeader } from './header.ts'
import type { SampledHeader } from './options.ts'
import type { PayloadReport } from './report.ts'
import type { Tallies } from './requests/tally.ts'

/** How many slots behind a block its child is looked for: without a block for so long, the chain has other troubles. */
const MAX_EMPTY_SLOTS = 32

/** Of how many of these slots a source of the caller's own may say nothing. Of an empty one it often knows no more than that there was no answer. */
const MAX_UNKNOWN_SLOTS = 8

/** How much of a block's time may be spent on its child: the rest is for its data. */
const SHARE_OF_TIME = 1 / 3

/** What is needed to find the child of a block. */
type PayloadContext = Pick<BlockContext, 'endsAt' | 'header' | 'parts' | 'signal' | 'until'>

/**
 * What became of the payload that a block's bid promises, as far as its child is known. It is `unknown` where no child can be had in time: of the newest block
 * there is none. `tally` is told what endpoints did for it. `fetch` gets the child, for whoever has it anyway.
 */
export async function payloadOf(
  bid: Pick<Bid, 'blockHash'>,
  context: PayloadContext,
  tally: Tallies,
  fetch: typeof fetchBlock = fetchBlock,
): Promise<PayloadReport> {
  const { signal, until, endsAt } = context
  const { blockHash } = bid
  const patience = new AbortController()
  const timer = setTimeout(
    () => patience.abort(new DOMException('enough time for the child', 'TimeoutError')),
    Math.max(0, (endsAt - performance.now()) * SHARE_OF_TIME),
  )
  const { either, release } = joinSignals([until, patience.signal])
  try {
    const child = await childOf(context, tally, fetch, either)
    if (child === null) return { status: 'unknown', blockHash, child }
    return { status: child.parentBlockHash === blockHash ? 'full' : 'empty', blockHash, child }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DisposedError || error instanceof MisuseError) throw error
    // Whatever kept the child away says nothing of the block, whose data can be sampled all the same.
    return { status: 'unknown', blockHash, child: null }
  } finally {
    clearTimeout(timer)
    release()
  }
}

/** The next block of the chain, and what its bid builds on. Null where it is not known which one that is. */
async function childOf(
  { header, parts }: PayloadContext,
  tally: Tallies,
  fetch: typeof fetchBlock,
  until: AbortSignal,
): Promise<PayloadReport['child']> {
  const { endpoints, headers, network, now, schedule } = parts
  const last = Math.min(schedule.presentSlot(now()), header.slot + MAX_EMPTY_SLOTS)
  // A light client knows which slots are empty, and nothing behind one that it does not know. Of a block behind a slot that others say nothing of,
  // its parent's root shows whether it is the next one.
  let unknownLeft = 'resolve' in headers ? MAX_UNKNOWN_SLOTS : 0
  for (let slot = header.slot + 1; slot <= last; slot++) {
    // A source of the caller's own may not know of signals.
    const resolution = await abortable(until, () => resolveHeader(headers, endpoints, slot, until))
    if (resolution.status === 'no-block') continue
    if (resolution.status === 'unknown') {
      if (unknownLeft-- === 0) return null
      continue
    }
    refuseNonHeader(resolution.header, network)
    return await bidOf(resolution.header)
  }
  return null

  async function bidOf(child: SampledHeader): Promise<PayloadReport['child']> {
    const { root, slot } = child
    const parentRoot = header.root.toLowerCase()
    const told = isVouchedFor(child) ? child.parentExecutionBlockHash : null
    if (isVouchedFor(child) && told !== null)
      return child.parent_root === parentRoot ? { root, slot, parentBlockHash: told } : null
    try {
      const { bid, ...block } = await fetch(parts, child, tally, until)
      // Of another branch than the block, which has no child on this one.
      if (block.parentRoot !== parentRoot || bid === null) return null
      return { root, slot, parentBlockHash: bid.parentBlockHash }
    } catch (error) {
      if (error instanceof BeaconUnavailableError) return null
      throw error
    }
  }
}
