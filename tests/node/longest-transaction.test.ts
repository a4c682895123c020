/** A blob transaction that is longer than any that is read: its beginning travels to the checks, which may be a transaction by itself. */
import { createVerifier } from 'blobcheck'
import { expect, it } from 'vitest'
import { makeParts, transactionOf } from '../support/blocks.ts'
import { concat } from '../support/bytes.ts'

const MOST = 64 << 20

/** A well-formed transaction of so many bytes, which its calldata fill. */
async function transactionOfLength(length: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await makeParts([3], 4844)
  const others = transactionOf(parts, new Uint8Array(length - 200_000)).length - (length - 200_000)
  const transaction = transactionOf(parts, new Uint8Array(length - others))
  expect(transaction).toHaveLength(length)
  return transaction
}

it('is read up to 64 MiB, and malformed beyond, whatever its beginning is', async () => {
  const verifier = await createVerifier({ workers: 0, cache: false })
  const longest = await transactionOfLength(MOST)
  expect(await verifier.verifyBlobTransaction(longest, { fork: 'cancun' })).toMatchObject({ status: 'valid' })
  const longer = await transactionOfLength(MOST + 1)
  for (const bytes of [longer, concat(longer, Uint8Array.of(1, 2, 3)), concat(longest, Uint8Array.of(0))])
    for (const mode of ['cheap', 'full'] as const)
      expect(await verifier.verifyBlobTransaction(bytes, { fork: 'cancun', mode })).toMatchObject({
        status: 'malformed',
        reason: 'rlp',
      })
  await verifier.dispose()
})
