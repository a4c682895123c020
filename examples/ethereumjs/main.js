import { toEthereumjsBlobFields, toEthereumjsKzg } from 'blobcheck/adapters/ethereumjs'
import { loadKzg } from 'blobcheck/kzg'
import { createProver, loadProver } from 'blobcheck/prover'
import { Common, Hardfork, Sepolia } from '@ethereumjs/common'
import { createBlob4844Tx, createBlob4844TxFromSerializedNetworkWrapper } from '@ethereumjs/tx'
import { createAddressFromString } from '@ethereumjs/util'

const kzg = toEthereumjsKzg(await loadProver(), await loadKzg())
const common = new Common({ chain: Sepolia, hardfork: Hardfork.Osaka, customCrypto: { kzg } })

const blob = new Uint8Array(131_072)
// The first byte of each 32 stays zero, so that they are a field element.
blob.set(new TextEncoder().encode('what a rollup publishes'), 1)

// Worker threads prove; ethereumjs then computes nothing itself.
const prover = await createProver()
const fields = await toEthereumjsBlobFields(prover, [blob], 1)
await prover.dispose()

const transaction = createBlob4844Tx(
  {
    ...fields,
    nonce: 0n,
    to: createAddressFromString('0x000000000000000000000000000000000000dead'),
    gasLimit: 21_000n,
    maxFeePerGas: 30_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    maxFeePerBlobGas: 1_000_000_000n,
  },
  { common },
)
const sent = transaction.sign(new Uint8Array(32).fill(1)).serializeNetworkWrapper()
console.log(`sent: ${transaction.numBlobs()} blob, ${fields.kzgProofs.length} proofs`)

// Whoever receives it has ethereumjs verify the proofs.
const received = createBlob4844TxFromSerializedNetworkWrapper(sent, { common })
console.log(`received from ${received.getSenderAddress()}`)

const spoiled = sent.slice()
spoiled[65_536] ^= 1 // in the middle of the blob
try {
  createBlob4844TxFromSerializedNetworkWrapper(spoiled, { common })
} catch (error) {
  console.log(`refused: ${error.message.split(' (')[0]}`)
}
