/** Vetted configs of networks in the form that the verifier's WASM module reads. */
import type { VettedNetwork } from './vetted-network.ts'

const FAR_FUTURE_EPOCH = 2n ** 64n - 1n

/** A number as the modules read it; a fork that is never scheduled is at `FAR_FUTURE_EPOCH`. */
export const word = (value: number): bigint => (value === Infinity ? FAR_FUTURE_EPOCH : BigInt(value))

/** A config in the form that the verifier's module reads: see `NetworkConfig::from_words` in crates/beacon. */
export function networkWords(config: VettedNetwork): BigUint64Array<ArrayBuffer> {
  const { slotsPerEpoch, forkEpochs, unsupportedForkEpoch, maxBlobsPerBlock, blobSchedule } = config
  return BigUint64Array.from(
    [
      slotsPerEpoch,
      forkEpochs.deneb,
      forkEpochs.electra,
      forkEpochs.fulu,
      forkEpochs.gloas,
      unsupportedForkEpoch,
      maxBlobsPerBlock.deneb,
      maxBlobsPerBlock.electra,
      ...blobSchedule.flatMap((entry) => [entry.epoch, entry.maxBlobsPerBlock]),
    ].map(word),
  )
}
