/** Vetted configs of networks in the form that the light client's WASM module reads. */
import { networkWords, word } from './network-words.ts'
import type { VettedNetwork } from './vetted-network.ts'

/**
 * A config in the form that the light client's module reads: see `ChainConfig::from_words` in crates/beacon. Throws `TypeError` where
 * the config does not say what signatures are made under.
 */
export function lightClientWords(config: VettedNetwork): BigUint64Array<ArrayBuffer> {
  const { forkEpochs, signing, syncCommitteeSize, epochsPerSyncCommitteePeriod } = config
  if (signing === undefined)
    throw new TypeError(
      'the light client needs a network config with signing: its genesis root and fork versions',
    )
  const { genesisValidatorsRoot: root, forkVersions } = signing
  return BigUint64Array.from([
    BigInt(syncCommitteeSize),
    BigInt(epochsPerSyncCommitteePeriod),
    ...[0, 1, 2, 3].map((at) => BigInt(`0x${root.slice(2 + 16 * at, 18 + 16 * at)}`)),
    BigInt(forkVersions.genesis),
    BigInt(forkVersions.altair),
    word(forkEpochs.altair),
    BigInt(forkVersions.bellatrix),
    word(forkEpochs.bellatrix),
    BigInt(forkVersions.capella),
    word(forkEpochs.capella),
    BigInt(forkVersions.deneb),
    BigInt(forkVersions.electra),
    BigInt(forkVersions.fulu),
    // A fork that is not scheduled may have no version; nothing is signed under it.
    BigInt(forkVersions.gloas ?? 0),
    ...networkWords(config),
  ])
}
