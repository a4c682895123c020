// Sync committees of 512 keys that we hold: their keys, and signatures of any part of them.
import { BitArray } from '@chainsafe/ssz'
import { bls12_381 as bls } from '@noble/curves/bls12-381'

const { G1, G2 } = bls
const SIZE = 512
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const committees = new Map()

/** The committee of a period: member i has the secret key 1 + 10,000 · period + i. */
export function committeeOf(period) {
  const known = committees.get(period)
  if (known) return known
  const first = 1n + 10_000n * BigInt(period)
  const points = [G1.ProjectivePoint.BASE.multiply(first)]
  while (points.length < SIZE) points.push(points.at(-1).add(G1.ProjectivePoint.BASE))
  const sum = points.reduce((a, b) => a.add(b))
  const committee = {
    pubkeys: G1.ProjectivePoint.normalizeZ(points).map(compress),
    aggregatePubkey: sum.toRawBytes(true),
    first,
  }
  committees.set(period, committee)
  return committee
}

/** A point of G1 in 48 bytes. (`toRawBytes` tests each for its subgroup first, which takes a second for a committee.) */
function compress(point) {
  const { x, y } = point.toAffine()
  const bytes = Uint8Array.from(Buffer.from(x.toString(16).padStart(96, '0'), 'hex'))
  bytes[0] |= 2n * y > G1.CURVE.Fp.ORDER ? 0xa0 : 0x80
  return bytes
}

/** A SyncAggregate over a signing root, by all but the given members. */
export function sign({ first }, signingRoot, absentees = []) {
  const present = Array.from({ length: SIZE }, (_, at) => !absentees.includes(at))
  // One signature by the sum of the keys is the sum of their signatures.
  const secret = present.reduce((sum, is, at) => (is ? sum + first + BigInt(at) : sum), 0n)
  const point = G2.hashToCurve(signingRoot, { DST })
  return {
    syncCommitteeBits: BitArray.fromBoolArray(present),
    syncCommitteeSignature: G2.ProjectivePoint.fromAffine(point.toAffine()).multiply(secret).toRawBytes(true),
  }
}
