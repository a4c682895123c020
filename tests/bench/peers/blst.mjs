// @chainsafe/blst: supranational's blst as native code.
import blst from '@chainsafe/blst'

export function load() {
  return {
    fastAggregateVerify: (keys, message, signature) =>
      blst.fastAggregateVerify(message, keys, blst.Signature.fromBytes(signature), true),
    syncCommitteeKeys(keys, aggregate) {
      const points = keys.map((key) => blst.PublicKey.fromBytes(key, true))
      return Buffer.compare(blst.aggregatePublicKeys(points).toBytes(), aggregate) === 0
    },
    prepare: {
      fastAggregateVerify: ([keys, ...rest]) => [keys.map((key) => blst.PublicKey.fromBytes(key)), ...rest],
    },
  }
}
