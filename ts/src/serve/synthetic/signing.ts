/**
 * Signatures of a chain that nobody is to take for a real one: member i of a period's sync committee has the secret key
 * 1 + 10,000 · period + i, and every proposer the secret key 1. All know such keys, and they are quick to sign with.
 */
import { bls12_381 as bls } from '@noble/curves/bls12-381'
import type { SyncAggregate, SyncCommittee } from '../ssz/sync-committee.ts'
import { compressG1 } from './compress.ts'

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
export function signByCommittee(size: number, period: number, signingRoot: Uint8Array): SyncAggregate {
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
export function emptyAggregate(size: number): SyncAggregate {
  return { sync_committee_bits: new Uint8Array(size / 8), sync_committee_signature: infinity }
}

/** The point at infinity of G2. */
const infinity: Uint8Array = Uint8Array.from({ length: 96 }, (_, at) => (at === 0 ? 0xc0 : 0))

const firstKey = (period: number): bigint => 1n + 10_000n * BigInt(period)

function sign(secret: bigint, signingRoot: Uint8Array): Uint8Array {
  const message = G2.fromAffine(bls.G2.hashToCurve(signingRoot, { DST }).toAffine())
  return message.multiplyUnsafe(secret).toRawBytes(true)
}
