import { createVerifier } from 'blobcheck'
import { toOxSidecars } from 'blobcheck/adapters/ox'
import { createProver } from 'blobcheck/prover'
import { Blobs, Hex, Secp256k1, TxEnvelopeEip4844 } from 'ox'

// Worker threads, so that no page is held up.
const prover = await createProver()
const blobs = Blobs.from(Hex.fromString('what a rollup publishes'))
const sidecars = await toOxSidecars(prover, blobs, {
  onProgress: ({ done, total }) => done === total && console.log(`proved in ${total} steps`),
})
await prover.dispose()

const envelope = TxEnvelopeEip4844.from({
  chainId: 11_155_111,
  nonce: 0n,
  to: '0x000000000000000000000000000000000000dEaD',
  gas: 21_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerBlobGas: 1_000_000_000n,
  blobVersionedHashes: sidecars.commitments.map((commitment) => Blobs.commitmentToVersionedHash(commitment)),
  sidecars,
})
const privateKey = `0x${'01'.repeat(32)}` // everyone's
const signature = Secp256k1.sign({ payload: TxEnvelopeEip4844.getSignPayload(envelope), privateKey })
const transaction = TxEnvelopeEip4844.serialize(envelope, { signature }) // for eth_sendRawTransaction

// What a node would say of it.
const verifier = await createVerifier()
const { status, blobs: verdicts } = await verifier.verifyBlobTransaction(transaction, { fork: 'osaka' })
console.log(`${status}: ${verdicts.length} blob, ${sidecars.cellProofs.length} proofs`)
await verifier.dispose()
