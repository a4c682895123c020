/** blobcheck/adapters/viem with viem itself. */
import { toViemKzg, toViemSidecars } from 'blobcheck/adapters/viem'
import {
  blobsToCommitments,
  blobsToProofs,
  defineKzg,
  type Kzg,
  serializeTransaction,
  sidecarsToVersionedHashes,
  type TransactionSerializableEIP4844,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, it } from 'vitest'
import { blobs, expectValid, fields, offThread, parsedElsewhere, privateKey, prover } from './support.ts'

afterAll(() => offThread.dispose())

// Assignable as it is: that this compiles is part of the test. And defineKzg takes the methods off the object.
const kzg: Kzg = defineKzg(toViemKzg(prover))
const account = privateKeyToAccount(privateKey)

describe('viem', () => {
  it('its Kzg has these methods and no others', () => {
    expect(Object.keys(toViemKzg(prover)).sort()).toEqual(Object.keys(kzg).sort())
  })

  it('a transaction of blobs, signed and serialised, is accepted by others', async () => {
    const { gas, chainId, ...rest } = fields
    const transaction = { ...rest, chainId, gas, type: 'eip4844', blobs: [...blobs], kzg } as const
    const network = await account.signTransaction(transaction as unknown as TransactionSerializableEIP4844)
    await expectValid(network, 0)
    const parsed = parsedElsewhere(network)
    expect(parsed.getSenderAddress().toString()).toBe(account.address.toLowerCase())
  })

  it('sidecars that were proved off the calling thread make the same transaction', async () => {
    const steps: string[] = []
    const sidecars = await toViemSidecars(offThread, blobs, {
      onProgress: ({ done, total }) => steps.push(`${done}/${total}`),
    })
    expect(steps).toEqual(['1/4', '2/4', '3/4', '4/4'])
    const commitments = blobsToCommitments({ blobs: [...blobs], kzg, to: 'hex' })
    expect(sidecars.map(({ commitment }) => commitment)).toEqual(commitments)
    const proofs = blobsToProofs({ blobs: sidecars.map(({ blob }) => blob), commitments, kzg })
    expect(sidecars.map(({ proof }) => proof)).toEqual(proofs)

    const common = { ...fields, type: 'eip4844' } as const
    const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
    const proved = serializeTransaction({ ...common, sidecars, blobVersionedHashes })
    expect(proved).toBe(serializeTransaction({ ...common, blobs: [...blobs], kzg }))
  })
})
