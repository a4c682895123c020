/** What signatures are made over, and the digests of forks. Made chains are of Fulu from their first slot. */
import { decodeHex } from '../../util/hex.ts'
import type { NetworkConfig } from '../../beacon/networks.ts'
import { chunksOf, hash, parentOf } from '../ssz/merkle.ts'
import { uint64 } from '../ssz/type.ts'
import { concatAll } from '../../util/bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The first byte of DOMAIN_BEACON_PROPOSER and of DOMAIN_SYNC_COMMITTEE; the others are 0. */
export type DomainType = 0 | 7

/** `compute_signing_root` (specs/phase0/beacon-chain.md) of an object's root. */
export function signingRoot(network: NetworkConfig, type: DomainType, root: Uint8Array): Bytes {
  const domain = new Uint8Array(32)
  domain[0] = type
  domain.set(forkDataRoot(network).subarray(0, 28), 4)
  return parentOf(root, domain)
}

/** `compute_fork_digest` (specs/fulu/beacon-chain.md), masked by the blob parameters in force. */
export function forkDigest(network: NetworkConfig, epoch: number): Bytes {
  const entries = (network.blobSchedule ?? []).filter((entry) => entry.epoch <= epoch)
  const latest = entries.sort((a, b) => b.epoch - a.epoch)[0]
  const parameters = latest ?? { epoch: network.forkEpochs.electra, maxBlobsPerBlock: 9 }
  const words = [parameters.epoch, parameters.maxBlobsPerBlock].map((word) => uint64.serialize(word))
  const mask = hash(concatAll(words))
  return forkDataRoot(network)
    .slice(0, 4)
    .map((byte, at) => byte ^ mask[at]!)
}

/** `compute_fork_data_root`. */
function forkDataRoot({ signing }: NetworkConfig): Bytes {
  const [version] = chunksOf(bytesOf(signing?.forkVersions.fulu))
  return parentOf(version!, bytesOf(signing?.genesisValidatorsRoot))
}

const bytesOf = (hex: string | undefined): Bytes => decodeHex(hex ?? '0x') ?? new Uint8Array(0)
