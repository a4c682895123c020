/** `makeChain`: from options to a chain that has its first blocks. */
import { madeNetwork } from '../networks.ts'
import { makeBlobs } from './blobs.ts'
import { HandClock, RunningClock } from './clock.ts'
import { MadeChain } from './made-chain.ts'
import { type MakeChainOptions, readSettings } from './options.ts'

/** Blobs that there are beyond those of one block, so that blocks are not all of the same ones. */
const SPARE_BLOBS = 3

/**
 * Makes a synthetic chain of Fulu, which goes on into Gloas where that is asked for: genesis, empty slots, and then a block in each slot. Its blobs are proved as real ones are, and a
 * light client can follow it from `chain.checkpoint` with `chain.network`; its signatures are of keys that everybody knows, which
 * the network's `label` says. Two blobs are proved in worker threads, the others follow from them, some 4 ms each. Rejects with
 * `TypeError` for options that are out of range, of another type or unknown, with `SetupUnavailableError` where the prover's setup cannot be had, and with
 * the signal's reason.
 *
 * @example
 * ```ts
 * import { makeChain } from 'blobcheck/serve'
 * import { serveBeacon } from 'blobcheck/serve/node'
 *
 * const chain = await makeChain({ slots: 64, blobsPerBlock: 6, clock: 'by-hand' })
 * chain.advance(32) // an epoch later
 * const server = await serveBeacon({ chain })
 * ```
 */
export async function makeChain(options: MakeChainOptions = {}): Promise<MadeChain> {
  const settings = readSettings(options)
  const { slots, firstSlot, blobsAt, slotsPerEpoch, secondsPerSlot, seed, genesisTime, firstBlob } = settings
  const { onProgress, signal } = options
  signal?.throwIfAborted()
  const last = firstSlot + slots - 1
  let most = 0
  for (let slot = firstSlot; slot <= last; slot++) most = Math.max(most, blobsAt(slot))
  const blobs = await makeBlobs({
    count: most === 0 ? 0 : most + SPARE_BLOBS,
    ...{ seed, firstBlob, onProgress, signal },
  })
  const clockOptions = { slot: last, secondsPerSlot, genesisTime }
  const ownClock = settings.isByHand ? new HandClock(clockOptions) : new RunningClock(clockOptions)
  if (ownClock.slot < last)
    throw new TypeError('genesisTime is so late that the last of the slots has not begun')
  const { maxBlobsPerBlock, epochsPerSyncCommitteePeriod, syncCommitteeSize } = settings
  const { gloasForkEpoch, dataRetentionEpochs } = settings
  const network = madeNetwork({
    genesisTime: ownClock.genesisTime,
    ...{ secondsPerSlot, slotsPerEpoch, epochsPerSyncCommitteePeriod, syncCommitteeSize, maxBlobsPerBlock },
    ...{ gloasForkEpoch, dataRetentionEpochs },
  })
  const chain = new MadeChain({ ...settings, network, clock: ownClock, pool: blobs })
  await chain.catchUp(signal)
  return chain
}
