/** blobcheck/adapters/ethers with ethers itself. */
import { type EthersKzg, toEthersBlobs, toEthersKzg } from 'blobcheck/adapters/ethers'
import { type KzgLibrary, Transaction, Wallet } from 'ethers'
import { afterAll, describe, expect, it } from 'vitest'
import {
  blobs,
  callsAtOnce,
  expectValid,
  fields,
  offThread,
  parsedElsewhere,
  privateKey,
  prover,
} from './support.ts'

afterAll(() => offThread.dispose())

const wallet = new Wallet(privateKey)
const { gas, ...rest } = fields
const common = { ...rest, type: 3, gasLimit: gas }

describe.each([0, 1] as const)('ethers, wrapper version %i', (version) => {
  // Assignable as it is: that this compiles is part of the test.
  const kzg: KzgLibrary & EthersKzg = toEthersKzg(prover, version)
  const wrapper = version === 1 ? { blobWrapperVersion: 1 } : {}

  it('its KzgLibrary has two methods; a third would switch ethers to hex', () => {
    expect(Object.keys(kzg).sort()).toEqual(['blobToKzgCommitment', 'computeBlobKzgProof'])
  })

  it('a transaction of blobs, signed and serialised, is accepted by others', async () => {
    const transaction = Transaction.from({ ...common, ...wrapper, kzg, blobs: [...blobs] })
    const network = await wallet.signTransaction(transaction)
    await expectValid(network, version)
    const parsed = parsedElsewhere(network)
    expect(parsed.getSenderAddress().toString()).toBe(wallet.address.toLowerCase())
    expect(parsed.kzgProofs).toHaveLength(version === 1 ? 256 : 2)
    expect(Transaction.from(network).blobs).toHaveLength(2)
  })

  it('blobs that were proved off the calling thread make the same transaction', async () => {
    const proved = await toEthersBlobs(offThread, blobs, version)
    const transaction = Transaction.from({ ...common, ...wrapper, blobs: proved })
    const expected = Transaction.from({ ...common, ...wrapper, kzg, blobs: [...blobs] })
    expect(await wallet.signTransaction(transaction)).toBe(await wallet.signTransaction(expected))
  })
})

it('the KzgLibrary is of no prover of worker threads, whose promises ethers would take for bytes', () => {
  for (const version of [0, 1] as const)
    for (const wrong of [offThread, undefined, null])
      expect(() => toEthersKzg(wrong as never, version)).toThrow(callsAtOnce('toEthersBlobs'))
})

it('a wrapper version that there is not is misuse', async () => {
  expect(() => toEthersKzg(prover, 2 as never)).toThrow(TypeError)
  await expect(toEthersBlobs(offThread, blobs, '1' as never)).rejects.toThrow(TypeError)
})

it('what is no blob is named by its place', async () => {
  for (const version of [0, 1] as const) {
    const proving = toEthersBlobs(offThread, [blobs[0]!, blobs[1]!.subarray(1)], version)
    await expect(proving).rejects.toMatchObject({
      ...{ name: 'KzgInputError', code: 'blob-length', index: 1 },
      message: 'blob-length (index 1): must have 131072 bytes; given: 131071',
    })
  }
})
