// @noble/curves: plain JavaScript with bigints.
import { bls12_381 } from '@noble/curves/bls12-381.js'

export function load() {
  const { longSignatures: bls, G1 } = bls12_381
  return {
    fastAggregateVerify: (keys, message, signature) =>
      bls.verify(signature, bls.hash(message, DOMAIN), bls.aggregatePublicKeys(keys)),
    // What is not in the group has no point; infinity has.
    syncCommitteeKeys(keys, aggregate) {
      const points = keys.map((key) => G1.Point.fromBytes(key))
      return (
        !points.some((point) => point.is0()) &&
        Buffer.compare(bls.aggregatePublicKeys(points).toBytes(), aggregate) === 0
      )
    },
    prepare: {
      fastAggregateVerify: ([keys, ...rest]) => [keys.map((key) => G1.Point.fromBytes(key)), ...rest],
    },
  }
}

/** The consensus layer's ciphersuite, with proofs of possession. */
const DOMAIN = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
