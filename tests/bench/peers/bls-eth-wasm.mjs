// bls-eth-wasm: herumi's BLS library compiled to WebAssembly.
import bls from 'bls-eth-wasm'

export async function load() {
  await bls.init(bls.BLS12_381)
  return {
    fastAggregateVerify(keys, message, bytes) {
      const signature = new bls.Signature()
      signature.deserialize(bytes)
      return signature.fastAggregateVerify(keys, message)
    },
    // What is not in the group does not deserialize; infinity does.
    syncCommitteeKeys(keys, aggregate) {
      const sum = new bls.PublicKey()
      for (const bytes of keys) {
        const key = new bls.PublicKey()
        key.deserialize(bytes)
        if (key.isZero()) return false
        sum.add(key)
      }
      return Buffer.compare(sum.serialize(), aggregate) === 0
    },
    prepare: {
      fastAggregateVerify: ([keys, ...rest]) => [
        keys.map((bytes) => {
          const key = new bls.PublicKey()
          key.deserialize(bytes)
          return key
        }),
        ...rest,
      ],
    },
  }
}
