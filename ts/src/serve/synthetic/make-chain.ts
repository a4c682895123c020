/** A chain that never was, block by block: genesis, empty slots, and then a block in each slot. */
import { makeBlobs } from './blobs.ts'
import { HandClock, RunningClock } from './clock.ts'
import { MadeChain } from './made-chain.ts'
import { madeNetwork } from './network.ts'
import { type MakeChainOptions, readSettings } from './options.ts'

/** Blobs that there are beyond those of one block, so that blocks are not all of the same ones. */
const SPARE_BLOBS = 3
/** Slots that are made before others get a turn. */
const SLOTS_AT_ONCE = 64

/**
 * Makes a synthetic chain of Fulu: genesis, empty slots, and then a block in each slot. Its blobs are proved as real ones are, and a
 * light client can follow it from `chain.checkpoint` with `chain.network`; its signatures are of keys that everybody knows, which
 * the network's `label` says. Two blobs are proved in worker threads, the others follow from them, some 4 ms each. Rejects with
 * `TypeError` for options that are out of range, with `SetupUnavailableError` where the prover's setup cannot be had, and with
 * the signal's reason.
 *
 * @example
 * const chain = await makeChain({ slots: 64, blobsPerBlock: 6, clock: 'by-hand' })
 * chain.advance(32) // an epoch later
 * const server = await serveBeacon({ chain })
 */
export async function makeChain(options: MakeChainOptions = {}): Promise<MadeChain> {
  const settings = readSettings(options)
  const { slots, firstSlot, blobsAt, slotsPerEpoch, secondsPerSlot, seed } = settings
  const { clock = 'running', signHeaders = true, onProgress, signal } = options
  const last = firstSlot + slots - 1
  let most = 0
  for (let slot = firstSlot; slot <= last; slot++) most = Math.max(most, blobsAt(slot))
  const blobs = await makeBlobs({
    count: most === 0 ? 0 : most + SPARE_BLOBS,
    ...{ seed, onProgress, signal },
  })
  const clockOptions = { slot: last, secondsPerSlot }
  const ownClock = clock === 'by-hand' ? new HandClock(clockOptions) : new RunningClock(clockOptions)
  const { maxBlobsPerBlock, epochsPerSyncCommitteePeriod, syncCommitteeSize } = settings
  const network = madeNetwork({
    genesisTime: ownClock.genesisTime,
    ...{ secondsPerSlot, slotsPerEpoch, epochsPerSyncCommitteePeriod, syncCommitteeSize, maxBlobsPerBlock },
  })
  const chain = new MadeChain({ ...settings, network, clock: ownClock, pool: blobs, signHeaders })
  for (let slot = firstSlot; slot < last; slot += SLOTS_AT_ONCE) {
    signal?.throwIfAborted()
    chain.grow(slot)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return chain
}
