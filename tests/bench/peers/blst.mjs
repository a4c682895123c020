// @chainsafe/blst: supranational's blst as native code.
import blst from '@chainsafe/blst'

export function load() {
  return {
    fastAggregateVerify: (keys, message, signature) =>
      blst.fastAggregateVerify(message, keys, blst.Signature.fromBytes(signature), true),
    prepare: {
      fastAggregateVerify: ([keys, ...rest]) => [keys.map((key) => blst.PublicKey.fromBytes(key)), ...rest],
    },
  }
}
