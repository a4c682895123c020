/** A chain that never was, block by block: genesis, empty slots, and then a block in each slot. */
import { makeBlobs } from './blobs.ts'
import { HandClock, RunningClock } from './clock.ts'
import { MadeChain } from './made-chain.ts'
import { madeNetwork } from './network.ts'
import type { MakeChainOptions } from './options.ts'
import { readTerms } from './terms.ts'

/** Blobs that there are beyond those of one block, so that blocks are not all of the same ones. */
const SPARE_BLOBS = 3
/** Slots that are made before others get a turn. */
const SLOTS_AT_ONCE = 64

/**
 * Makes a chain, with blobs that are proved as real ones are, and signatures of keys that all know. Throws `TypeError` for
 * options that make no sense, and the signal's reason.
 */
export async function makeChain(options: MakeChainOptions = {}): Promise<MadeChain> {
  const terms = readTerms(options)
  const { slots, firstSlot, blobsAt, slotsPerEpoch, secondsPerSlot, seed } = terms
  const { clock = 'running', signHeaders = true, onProgress, signal } = options
  const last = firstSlot + slots - 1
  let most = 0
  for (let slot = firstSlot; slot <= last; slot++) most = Math.max(most, blobsAt(slot))
  const blobs = await makeBlobs({
    count: most === 0 ? 0 : most + SPARE_BLOBS,
    ...{ seed, onProgress, signal },
  })
  const clockTerms = { slot: last, secondsPerSlot }
  const ownClock = clock === 'by-hand' ? new HandClock(clockTerms) : new RunningClock(clockTerms)
  const { maxBlobsPerBlock, epochsPerSyncCommitteePeriod, syncCommitteeSize } = terms
  const network = madeNetwork({
    genesisTime: ownClock.genesisTime,
    ...{ secondsPerSlot, slotsPerEpoch, epochsPerSyncCommitteePeriod, syncCommitteeSize, maxBlobsPerBlock },
  })
  const chain = new MadeChain({ ...terms, network, clock: ownClock, pool: blobs, signHeaders })
  for (let slot = firstSlot; slot < last; slot += SLOTS_AT_ONCE) {
    signal?.throwIfAborted()
    chain.grow(slot)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return chain
}
