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
