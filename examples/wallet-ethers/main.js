import { createVerifier } from 'blobcheck'
import { toEthersBlobs } from 'blobcheck/adapters/ethers'
import { toOsakaTransaction } from 'blobcheck/adapters/osaka'
import { createProver } from 'blobcheck/prover'
import { Transaction, Wallet } from 'ethers'

const wallet = new Wallet(`0x${'01'.repeat(32)}`) // everyone's key
const blob = new Uint8Array(131_072)
// The first byte of each 32 stays zero, so that they are a field element.
blob.set(new TextEncoder().encode('what a rollup publishes'), 1)
const fields = {
  type: 3,
  chainId: 11_155_111,
  nonce: 0,
  to: '0x000000000000000000000000000000000000dEaD',
  gasLimit: 21_000,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerBlobGas: 1_000_000_000n,
}

// Worker threads, so that no page is held up.
const prover = await createProver()
const verifier = await createVerifier()

// 128 proofs for each blob, as networks ask for since Osaka: wallet.sendTransaction() takes the same fields.
const blobs = await toEthersBlobs(prover, [blob], 1)
const transaction = await wallet.signTransaction({ ...fields, blobWrapperVersion: 1, blobs })
await print('signed for Osaka', transaction)

// What was signed before, with one proof for each blob, is put into the new wrapper. Signature and hash stay as they are.
const older = await wallet.signTransaction({ ...fields, blobs: await toEthersBlobs(prover, [blob], 0) })
await print('signed before', older)
const wrapped = await toOsakaTransaction(older, prover)
await print('wrapped again', wrapped)
console.log(`the same transaction: ${Transaction.from(wrapped).hash === Transaction.from(older).hash}`)

await prover.dispose()
await verifier.dispose()

/** Prints what a node would say. */
async function print(what, transaction) {
  const verdict = await verifier.verifyBlobTransaction(transaction, { fork: 'osaka' })
  console.log(`${what}: ${verdict.status}${verdict.reason ? ` (${verdict.reason})` : ''}`)
}
