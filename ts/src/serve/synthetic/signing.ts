/**
 * Signatures of a chain that nobody is to take for a real one, and what they are made over. Member i of a period's sync committee
 * has the secret key 1 + 10,000 · period + i, and every proposer the secret key 1. All know such keys, and they are quick to sign
 * with.
 */
import { bls12_381 as bls } from '../../vendor/bls12-381.ts'
import type { NetworkConfig } from '../../beacon/networks.ts'
import { concatAll } from '../../util/bytes.ts'
import { decodeHex } from '../../util/hex.ts'
import type { ByteArray } from '../../util/platform-types.ts'
import { SyncAggregate } from '../ssz/block.ts'
import { SyncCommittee } from '../ssz/light-client.ts'
import { chunksOf, hash, parentOf } from '../ssz/merkle.ts'
import { uint64 } from '../ssz/types.ts'

type Bytes = ByteArray

/** The first byte of DOMAIN_BEACON_PROPOSER and of DOMAIN_SYNC_COMMITTEE; the others are 0. */
type DomainType = 0 | 7

/** `compute_signing_root` (specs/phase0/beacon-chain.md) of an object's root, under the fork of an epoch. */
export function signingRoot(
  network: NetworkConfig,
  epoch: number,
  type: DomainType,
  root: Uint8Array,
): Bytes {
  const domain = new Uint8Array(32)
  domain[0] = type
  domain.set(forkDataRoot(network, epoch).subarray(0, 28), 4)
  return parentOf(root, domain)
}

/** `compute_fork_digest` (specs/fulu/beacon-chain.md), masked by the blob parameters in force. */
export function forkDigest(network: NetworkConfig, epoch: number): Bytes {
  const entries = (network.blobSchedule ?? []).filter((entry) => entry.epoch <= epoch)
  const latest = entries.sort((a, b) => b.epoch - a.epoch)[0]
  const parameters = latest ?? { epoch: network.forkEpochs.electra, maxBlobsPerBlock: 9 }
  const words = [parameters.epoch, parameters.maxBlobsPerBlock].map((word) => uint64.serialize(word))
  const mask = hash(concatAll(words))
  return forkDataRoot(network, epoch)
    .slice(0, 4)
    .map((byte, at) => byte ^ mask[at]!)
}

/** `compute_fork_data_root`, of the version of an epoch: made chains are of Fulu from their first slot, up to Gloas. */
function forkDataRoot({ forkEpochs, signing }: NetworkConfig, epoch: number): Bytes {
  const fork = epoch >= (forkEpochs.gloas ?? Infinity) ? 'gloas' : 'fulu'
  const [version] = chunksOf(bytesOf(signing?.forkVersions[fork]))
  return parentOf(version!, bytesOf(signing?.genesisValidatorsRoot))
}

const bytesOf = (hex: string | undefined): Bytes => decodeHex(hex ?? '0x') ?? new Uint8Array(0)

const P = bls.fields.Fp.ORDER

/**
 * Writes a point of G1 in the ZCash format: 48 bytes, big-endian, where bit 383 marks compression, 382 infinity and 381 the greater y.
 * The point must be known to be good: the library's own writer tests it once more, for a millisecond each.
 *
 * @internal
 */
export function compressG1(point: typeof bls.G1.ProjectivePoint.BASE): Bytes {
  const bytes = new Uint8Array(48)
  if (point.equals(bls.G1.ProjectivePoint.ZERO)) {
    bytes[0] = 0xc0
    return bytes
  }
  const { x, y } = point.toAffine()
  const view = new DataView(bytes.buffer)
  for (let at = 40, rest = x; at >= 0; at -= 8, rest >>= 64n) view.setBigUint64(at, BigInt.asUintN(64, rest))
  bytes[0] = bytes[0]! | 0x80 | (2n * y > P ? 0x20 : 0)
  return bytes
}

const G1 = bls.G1.ProjectivePoint
const G2 = bls.G2.ProjectivePoint
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/** The committee of a period. */
export function makeCommittee(size: number, period: number): SyncCommittee {
  const points = [G1.BASE.multiply(firstKey(period))]
  while (points.length < size) points.push(points[points.length - 1]!.add(G1.BASE))
  const aggregate = points.reduce((total, point) => total.add(point))
  return { pubkeys: G1.normalizeZ(points).map(compressG1), aggregate_pubkey: compressG1(aggregate) }
}

/** What a whole committee signs with: one signature by the sum of its keys is the sum of its signatures. */
function signByCommittee(size: number, period: number, signingRoot: Uint8Array): SyncAggregate {
  const count = BigInt(size)
  return {
    sync_committee_bits: new Uint8Array(size / 8).fill(255),
    sync_committee_signature: sign(count * firstKey(period) + (count * (count - 1n)) / 2n, signingRoot),
  }
}

/** The public key of every proposer: 48 bytes. */
export const proposerKey: Uint8Array = compressG1(G1.BASE)

/** A proposer's signature. */
export const signByProposer = (signingRoot: Uint8Array): Uint8Array => sign(1n, signingRoot)

/** An aggregate that nobody took part in. */
function emptyAggregate(size: number): SyncAggregate {
  return { sync_committee_bits: new Uint8Array(size / 8), sync_committee_signature: infinity }
}

/** The point at infinity of G2. */
const infinity: Uint8Array = Uint8Array.from({ length: 96 }, (_, at) => (at === 0 ? 0xc0 : 0))

const firstKey = (period: number): bigint => 1n + 10_000n * BigInt(period)

function sign(secret: bigint, signingRoot: Uint8Array): Uint8Array {
  const message = G2.fromAffine(bls.G2.hashToCurve(signingRoot, { DST }).toAffine())
  return message.multiplyUnsafe(secret).toRawBytes(true)
}

interface RootedCommittee {
  readonly committee: SyncCommittee
  readonly root: Uint8Array
}

export class Committees {
  readonly size: number
  /** The aggregate in bodies, that nobody took part in: the signatures that count are made when light clients ask for them. */
  readonly nobody: SyncAggregate
  readonly #network: NetworkConfig
  readonly #known = new Map<number, RootedCommittee>()

  constructor(network: NetworkConfig, size: number) {
    this.#network = network
    this.size = size
    this.nobody = emptyAggregate(size)
  }

  of(period: number): RootedCommittee {
    const known = this.#known.get(period)
    if (known !== undefined) return known
    const committee = makeCommittee(this.size, period)
    const made = { committee, root: SyncCommittee(this.size).root(committee) }
    this.#known.set(period, made)
    return made
  }

  /** A whole committee's aggregate over a header's root, under the fork of an epoch. */
  sign(period: number, epoch: number, root: Uint8Array): SyncAggregate {
    return signByCommittee(this.size, period, signingRoot(this.#network, epoch, 7, root))
  }
}
