import { createVerifier } from 'blobcheck'
import { toViemOsakaSerializer, toViemSidecars } from 'blobcheck/adapters/viem'
import { createProver } from 'blobcheck/prover'
import {
  createWalletClient,
  custom,
  serializeTransaction,
  sidecarsToVersionedHashes,
  stringToHex,
  toBlobs,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sepolia } from 'viem/chains'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`) // everyone's key
const transport = custom({ request: answer }) // http('https://…') for a network

// Worker threads, so that no page is held up.
const prover = await createProver()
// viem makes one proof for a blob. The serializer makes 128 of it, which networks ask for since Osaka.
const transaction = toViemOsakaSerializer(prover, serializeTransaction)
const chain = { ...sepolia, serializers: { transaction } }

const blobs = toBlobs({ data: stringToHex('what a rollup publishes') })
const sidecars = await toViemSidecars(prover, blobs)
const request = {
  type: 'eip4844',
  sidecars,
  blobVersionedHashes: sidecarsToVersionedHashes({ sidecars }),
  to: '0x000000000000000000000000000000000000dEaD',
  // A network would be asked for these.
  nonce: 0,
  gas: 21_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerBlobGas: 1_000_000_000n,
}

console.log('with the serializer:')
await createWalletClient({ account, chain, transport }).sendTransaction(request)
console.log('without it:')
await createWalletClient({ account, chain: sepolia, transport })
  .sendTransaction(request)
  .catch(() => {})
await prover.dispose()

/** A node that takes what networks take since Osaka. */
async function answer({ method, params }) {
  if (method === 'eth_chainId') return '0xaa36a7'
  if (method !== 'eth_sendRawTransaction') throw new Error(`${method} is not for this node`)
  const verifier = await createVerifier()
  const verdict = await verifier.verifyBlobTransaction(params[0], { fork: 'osaka' })
  await verifier.dispose()
  console.log(`  the node says: ${verdict.status}`, verdict.reason ?? `(${verdict.blobs.length} blob)`)
  if (verdict.status !== 'valid') throw new Error(verdict.reason)
  return `0x${'00'.repeat(32)}`
}
