/** blobcheck/adapters/viem with viem itself. */
import { TransactionError } from 'blobcheck/adapters/osaka'
import { toOxSidecars } from 'blobcheck/adapters/ox'
import { type BlobProver, toViemKzg, toViemOsakaSerializer, toViemSidecars } from 'blobcheck/adapters/viem'
import { loadProver } from 'blobcheck/prover'
import { Blobs, Secp256k1, TxEnvelopeEip4844 } from 'ox'
import {
  blobsToCommitments,
  blobsToProofs,
  createWalletClient,
  custom,
  defineKzg,
  type Hex,
  keccak256,
  type Kzg,
  serializeTransaction,
  sidecarsToVersionedHashes,
  type SerializeTransactionFn,
  type TransactionSerializable,
  type TransactionSerializableEIP4844,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet, optimism } from 'viem/chains'
import { afterAll, describe, expect, it } from 'vitest'
import { toHex } from '../support/bytes.ts'
import {
  blobs,
  byHeart,
  callsAtOnce,
  expectValid,
  fields,
  offThread,
  parsedElsewhere,
  privateKey,
  prover,
} from './support.ts'

afterAll(() => offThread.dispose())

// Assignable as it is: that this compiles is part of the test. And defineKzg takes the methods off the object.
const kzg: Kzg = defineKzg(toViemKzg(prover))
const account = privateKeyToAccount(privateKey)

let proving: ReturnType<typeof toViemSidecars> | undefined
/** The sidecars of the two blobs, proved once for all tests that only send them. */
const provedSidecars = (): ReturnType<typeof toViemSidecars> => (proving ??= toViemSidecars(offThread, blobs))

it('sidecars are of the blobs as they were when they were handed in', async () => {
  const given = new Uint8Array(blobs[0]!)
  const proving = toViemSidecars(offThread, [given])
  given.fill(0)
  expect(await proving).toEqual((await provedSidecars()).slice(0, 1))
})

it('of what is too long for a blob one byte too many is read', async () => {
  const lengths: number[] = []
  const seeing: BlobProver = {
    ...offThread,
    async blobToKzgCommitment(blob, options) {
      lengths.push(blob.length)
      return await offThread.blobToKzgCommitment(blob, options)
    },
  }
  await expect(toViemSidecars(seeing, [blobs[0]!, new Uint8Array(1_000_000)])).rejects.toMatchObject({
    ...{ name: 'KzgInputError', code: 'blob-length', index: 1 },
    message: 'blob-length (index 1): must have 131072 bytes; given: more',
  })
  expect(lengths).toEqual([131_072, 131_073])
})

describe('viem', () => {
  it('its Kzg is of no prover of worker threads, whose promises viem would sign as empty bytes', () => {
    const error = callsAtOnce('toViemSidecars')
    for (const wrong of [offThread, undefined, null, {}])
      expect(() => toViemKzg(wrong as never)).toThrow(error)
    // Where `await` was forgotten, and where the prover is wrapped: then when it has answered.
    expect(() => toViemKzg(Promise.resolve(prover) as never)).toThrow(error)
    const rejecting = { blobToKzgCommitment: async () => Promise.reject(new Error('nobody hears this')) }
    for (const { blobToKzgCommitment } of [offThread, rejecting]) {
      const wrapped = toViemKzg({ ...prover, blobToKzgCommitment: blobToKzgCommitment as never })
      expect(() => wrapped.blobToKzgCommitment(blobs[0]!)).toThrow(error)
    }
    // A synchronous one may have fields of its own.
    const own = { ...prover, workers: ['a'] }
    expect(toViemKzg(own).blobToKzgCommitment(blobs[0]!)).toEqual(prover.blobToKzgCommitment(blobs[0]!))
  })

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
      onProgress: ({ stage, done, total }) => steps.push(`${stage} ${done}/${total}`),
    })
    expect(steps).toEqual(['prove 1/4', 'prove 2/4', 'prove 3/4', 'prove 4/4'])
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

describe('viem, after Osaka', () => {
  const transaction = toViemOsakaSerializer(byHeart, serializeTransaction)
  // Assignable as it is, to what accounts take and to what chains have: that this compiles is part of the test.
  const serializer: SerializeTransactionFn<TransactionSerializable> = transaction
  const chain = { ...mainnet, serializers: { transaction } }

  /** A client whose node says what it is asked for sending, and has been sent. */
  function clientOf(serializers: typeof mainnet.serializers | (typeof chain)['serializers']) {
    const sent: Hex[] = []
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (method === 'eth_chainId') return '0x1'
      if (method !== 'eth_sendRawTransaction') throw new Error(`the node was asked for ${method}`)
      const [network] = params as [Hex]
      sent.push(network)
      return `0x${'00'.repeat(32)}`
    }
    const client = createWalletClient({
      account,
      chain: { ...mainnet, ...(serializers && { serializers }) },
      transport: custom({ request }),
    })
    return { client, sent }
  }

  const { chainId: _, ...request } = fields

  /** The hash of what ox makes of the same fields: hashes are compared, since what differs would fill pages. */
  async function hashOfOx(): Promise<Hex> {
    const sidecars = await toOxSidecars(byHeart, blobs)
    const envelope = TxEnvelopeEip4844.from({
      ...fields,
      nonce: BigInt(fields.nonce),
      type: 'eip4844',
      blobVersionedHashes: sidecars.commitments.map((commitment) =>
        Blobs.commitmentToVersionedHash(commitment),
      ),
      sidecars,
    })
    const signature = Secp256k1.sign({ payload: TxEnvelopeEip4844.getSignPayload(envelope), privateKey })
    return keccak256(TxEnvelopeEip4844.serialize(envelope, { signature }))
  }
  const byOx = hashOfOx()

  it('a client sends blobs with proofs of cells, byte for byte as ox does', async () => {
    const { client, sent } = clientOf({ transaction })
    await client.sendTransaction({ ...request, blobs: [...blobs], kzg })
    const [network] = sent as [Hex]
    await expectValid(network, 1)
    const parsed = parsedElsewhere(network)
    expect(parsed.kzgProofs).toHaveLength(256)
    expect(parsed.getSenderAddress().toString()).toBe(account.address.toLowerCase())
    expect(keccak256(network)).toBe(await byOx)
    expect(sent).toHaveLength(1)
  })

  it('a client sends sidecars that were proved off the calling thread', async () => {
    const sidecars = await provedSidecars()
    const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
    const { client, sent } = clientOf({ transaction })
    const blobFields = { sidecars, blobVersionedHashes, type: 'eip4844' } as const
    await client.sendTransaction({ ...request, ...blobFields } as never)
    expect(sent.map((network) => keccak256(network))).toEqual([await byOx])
    // The hash is that of the body, whichever wrapper it is in.
    const older = clientOf(undefined)
    await older.client.sendTransaction({ ...request, ...blobFields } as never)
    await expectValid(older.sent[0]!, 0)
    expect(toHex(parsedElsewhere(sent[0]!).hash())).toBe(toHex(parsedElsewhere(older.sent[0]!).hash()))
  })

  it('an account signs with it, and hears of progress', async () => {
    const steps: number[] = []
    const onProgress = ({ done }: { done: number }): unknown => steps.push(done)
    const serializer = toViemOsakaSerializer(offThread, serializeTransaction, { onProgress })
    const blobTransaction = { ...fields, type: 'eip4844', blobs: [...blobs], kzg } as const
    const byAccount = await account.signTransaction(blobTransaction as never, { serializer })
    expect(keccak256(byAccount)).toBe(await byOx)
    expect(steps).toEqual(Array.from({ length: 38 }, (_, at) => at + 1))
    const signing = clientOf({ transaction })
    const signed = await signing.client.signTransaction({
      ...request,
      blobs: [...blobs],
      kzg,
      type: 'eip4844',
    })
    expect(keccak256(signed)).toBe(await byOx)
  })

  it('it is the account that signs also where no type is given, and viem alone would sign the blobs, too', async () => {
    const { client } = clientOf({ transaction })
    const sidecars = await provedSidecars()
    const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
    for (const given of [
      { sidecars, blobVersionedHashes },
      { blobs: [...blobs], kzg },
    ]) {
      const signed = await client.signTransaction({ ...request, ...given } as never)
      expect(parsedElsewhere(signed).getSenderAddress().toString()).toBe(account.address.toLowerCase())
      await expectValid(signed, 1)
    }
  })

  it('what has no blobs, or is for signing, is as viem has it', async () => {
    const signature = {
      r: toHex(new Uint8Array(32).fill(1)),
      s: toHex(new Uint8Array(32).fill(2)),
      yParity: 1,
    }
    const { gas, maxFeePerBlobGas: __, ...plain } = fields
    const sidecars = await provedSidecars()
    const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
    const blobTransaction = { ...fields, type: 'eip4844', blobVersionedHashes } as const
    const kinds: TransactionSerializable[] = [
      { ...plain, gas, type: 'eip1559' },
      { gas, to: plain.to, chainId: 1, gasPrice: 7n, type: 'legacy' },
      { ...blobTransaction, sidecars: false },
      blobTransaction,
    ]
    for (const kind of kinds) {
      expect(await serializer(kind)).toBe(serializeTransaction(kind))
      const v = kind.type === 'legacy' ? { v: 27n } : {}
      const signed = { ...signature, ...v } as never
      expect(await serializer(kind, signed)).toBe(serializeTransaction(kind, signed))
    }
    // What is signed is the body alone.
    const unsigned = { ...blobTransaction, sidecars }
    expect(await serializer(unsigned)).toBe(serializeTransaction({ ...blobTransaction, sidecars: false }))
    // A signature in the transaction itself.
    const signed = await serializer({ ...unsigned, ...signature } as never)
    expect(keccak256(signed)).toBe(keccak256(await serializer(unsigned, signature)))
    await expectValid(signed, 1)
  })

  it('it goes around the serializer that a chain has', async () => {
    const { transaction } = optimism.serializers
    const around = {
      ...optimism,
      serializers: { transaction: toViemOsakaSerializer(byHeart, transaction) },
    }
    const client = createWalletClient({
      account,
      chain: around,
      transport: custom({ request: async () => '0xa' }),
    })
    const deposit = {
      type: 'deposit',
      from: account.address,
      sourceHash: `0x${'11'.repeat(32)}`,
      gas: 1n,
    } as const
    expect(await around.serializers.transaction(deposit)).toBe(transaction(deposit))
    const blobTransaction = { ...request, blobs: [...blobs], kzg, type: 'eip4844' } as const
    await expectValid(await client.signTransaction(blobTransaction), 1)
  })

  it('sidecars of other blobs are not sent', async () => {
    const sidecars = await provedSidecars()
    const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
    const [first, second] = sidecars
    const swapped = [{ ...first!, blob: second!.blob }, second!]
    const { client, sent } = clientOf({ transaction })
    const sending = client.sendTransaction({
      ...request,
      sidecars: swapped,
      blobVersionedHashes,
      type: 'eip4844',
    } as never)
    const error = (await sending.catch((error: unknown) => error)) as Error
    expect(error.cause).toBeInstanceOf(TransactionError)
    expect(error.cause).toMatchObject({ reason: 'commitment-mismatch', index: 0 })
    expect(sent).toEqual([])
  })

  it('is made neither of a prover of the calling thread nor of options that there are not', async () => {
    const half = await loadProver({ proofs: 'blobs' })
    for (const wrong of [prover, half, Promise.resolve(offThread), {}, undefined])
      expect(() => toViemOsakaSerializer(wrong as never, serializeTransaction)).toThrow(
        /^prover must be what createProver\(\) resolves with/,
      )
    for (const options of [{ sgnal: 1 }, { signal: 1 }, { onProgress: 1 }, null])
      expect(() => toViemOsakaSerializer(offThread, serializeTransaction, options as never)).toThrow(
        TypeError,
      )
  })

  it('sidecars without versioned hashes are refused, with the name of what is missing', async () => {
    const sidecars = await provedSidecars()
    const signing = account.signTransaction({ ...fields, type: 'eip4844', sidecars } as never, {
      serializer: transaction as never,
    })
    await expect(signing).rejects.toThrow(
      /^blob-count: .*, each named by a versioned hash.*blobVersionedHashes$/,
    )
  })

  it('an aborted signal ends it', async () => {
    const reason = new Error('enough')
    const serializer = toViemOsakaSerializer(offThread, serializeTransaction, {
      signal: AbortSignal.abort(reason),
    })
    const signing = account.signTransaction({ ...fields, type: 'eip4844', blobs: [...blobs], kzg } as never, {
      serializer,
    })
    await expect(signing).rejects.toBe(reason)
  })
})
