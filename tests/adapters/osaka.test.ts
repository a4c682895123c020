/** blobcheck/adapters/osaka with what ethers and viem sign, and with transactions that are spoilt. */
import {
  createVerifier,
  type InvalidVerdict,
  type MalformedVerdict,
  type Reason,
  type Verdict,
} from 'blobcheck'
import { toEthersBlobs } from 'blobcheck/adapters/ethers'
import { type BlobProver, toOsakaTransaction, TransactionError } from 'blobcheck/adapters/osaka'
import { Transaction, Wallet } from 'ethers'
import fc from 'fast-check'
import { fromRlp, toRlp } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { everyForm } from '../support/hostile.ts'
import { timesRounds } from '../support/rounds.ts'
import { blobs, byHeart, expectValid, fields, offThread, parsedElsewhere, privateKey } from './support.ts'

const verifier = await createVerifier({ workers: 0, cache: false })
afterAll(async () => {
  await verifier.dispose()
  await offThread.dispose()
})

const wallet = new Wallet(privateKey)
const { gas, ...rest } = fields
const accessList = [{ address: fields.to, storageKeys: [`0x${'07'.repeat(32)}`] }]
const common = { ...rest, type: 3, gasLimit: gas, value: 3n, data: `0x${'ab'.repeat(300)}`, accessList }

/** What ethers signs, in the wrapper of a version. */
async function signed(version: 0 | 1): Promise<string> {
  const proved = await toEthersBlobs(offThread, blobs, version)
  const wrapper = version === 1 ? { blobWrapperVersion: 1 } : {}
  return await wallet.signTransaction(Transaction.from({ ...common, ...wrapper, blobs: proved }))
}

const [older, newer] = [await signed(0), await signed(1)]
const bytes = fromHex(older)
// Equal or not: what differs would fill pages.
const isNewer = (transaction: string | Uint8Array): boolean =>
  (typeof transaction === 'string' ? transaction : toHex(transaction)) === newer

describe('toOsakaTransaction', () => {
  it('takes what may be hex or bytes', () => {
    // That this compiles is the test.
    const either = (signed: Uint8Array | `0x${string}`): Promise<Uint8Array | `0x${string}`> =>
      toOsakaTransaction(signed, byHeart)
    expect(either).toBeTypeOf('function')
  })

  it('makes of what ethers signs what ethers makes with a wrapper version', async () => {
    const steps: string[] = []
    const transaction = await toOsakaTransaction(older, offThread, {
      onProgress: ({ done, total }) => steps.push(`${done}/${total}`),
    })
    expect(isNewer(transaction)).toBe(true)
    await expectValid(transaction, 1)
    expect(parsedElsewhere(transaction).getSenderAddress().toString()).toBe(wallet.address.toLowerCase())
    expect(Transaction.from(transaction).hash).toBe(Transaction.from(older).hash)
    expect(steps).toEqual(Array.from({ length: 38 }, (_, at) => `${at + 1}/38`))
  })

  it('takes hex of either case and any bytes, and gives hex for hex and bytes for bytes', async () => {
    expect(isNewer(await toOsakaTransaction(`0x${older.slice(2).toUpperCase()}`, byHeart))).toBe(true)
    for (const [, form] of everyForm(bytes)) {
      const transaction = await toOsakaTransaction(form, byHeart)
      expect(transaction).toBeInstanceOf(Uint8Array)
      expect(isNewer(transaction)).toBe(true)
    }
  })

  it('does not notice what becomes of the bytes during the call', async () => {
    const changing = new Uint8Array(bytes)
    const transaction = toOsakaTransaction(changing, offThread)
    changing.fill(0)
    expect(isNewer(await transaction)).toBe(true)
  })

  it('returns as it is what has cell proofs already', async () => {
    const nobody = {} as BlobProver
    expect((await toOsakaTransaction(newer, nobody)) === newer).toBe(true)
    const already = fromHex(newer)
    expect(await toOsakaTransaction(already, nobody)).toBe(already)
    const spoilt = flip(already, already.length - 49)
    await expect(toOsakaTransaction(spoilt, nobody)).rejects.toThrow(TransactionError)
  })

  it('ends with its signal, and takes no options that there are not', async () => {
    const reason = new Error('enough')
    for (const transaction of [older, newer]) {
      const signal = AbortSignal.abort(reason)
      await expect(toOsakaTransaction(transaction, offThread, { signal })).rejects.toBe(reason)
      for (const options of [{ signals: 1 }, { signal: 1 }, { onProgress: 1 }, null, 1])
        await expect(toOsakaTransaction(transaction, offThread, options as never)).rejects.toThrow(TypeError)
    }
    const controller = new AbortController()
    const transaction = toOsakaTransaction(older, offThread, { signal: controller.signal })
    controller.abort(reason)
    await expect(transaction).rejects.toBe(reason)
  })
})

type Rlp = Uint8Array | Rlp[]
/** The wrapper of a transaction, decoded by others. */
const decoded = (transaction: Uint8Array): Rlp[] => fromRlp(transaction.subarray(1), 'bytes') as Rlp[]
const [body, itsBlobs, commitments, proofs] = decoded(bytes) as [Rlp[], Rlp[], Rlp[], Rlp[]]
const encode = (...items: Rlp[]): Uint8Array => concat(Uint8Array.of(3), toRlp(items, 'bytes'))
/** The transaction with another body, and all else as it was. */
const withBody = (changed: Rlp[]): Uint8Array => encode(changed, itsBlobs, commitments, proofs)
const withField = (at: number, ...field: Rlp[]): Rlp[] => body.toSpliced(at, 1, ...field)
const hashes = body[10] as Uint8Array[]
const blobWith = (element: Uint8Array): Rlp => concat(element, blobs[1]!.subarray(32))

/** A number that is no field element: the order of the group. */
const MODULUS = fromHex('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001')

/** With data of so many bytes, which the signature is not of any more. */
const withData = (length: number): Uint8Array => withBody(withField(7, new Uint8Array(length)))

describe('a long transaction', () => {
  it('is read up to 8 MiB', async () => {
    const longest = withData((8 << 20) - (withData(1_000_000).length - 1_000_000))
    expect(longest).toHaveLength(8 << 20)
    expect(await toOsakaTransaction(longest, byHeart)).toBeInstanceOf(Uint8Array)
  })

  it('is refused beyond, whatever is behind its beginning, unless that is of another type', async () => {
    const long = withData(8 << 20)
    const cut = withData((8 << 20) + 1 - (withData(1_000_000).length - 1_000_000))
    for (const [reason, transaction] of [
      ['rlp', long],
      ['rlp', toHex(long)],
      ['rlp', cut],
      ['rlp', concat(cut, Uint8Array.of(0))],
      ['rlp', `${toHex(cut)}zz`],
      ['bad-hex', `${toHex(cut)}0`],
      ['transaction-type', `0x02${'00'.repeat(8 << 20)}zz`],
    ] as const)
      await expect(toOsakaTransaction(transaction, byHeart), reason).rejects.toMatchObject({ reason })
  })
})

describe('toOsakaTransaction refuses', () => {
  const cases: [name: string, reason: string, index: number | null, transaction: unknown][] = [
    ['a number', 'not-bytes', null, 3],
    ['nothing', 'not-bytes', null, undefined],
    ['text', 'bad-hex', null, 'signed'],
    ['hex without 0x', 'bad-hex', null, older.slice(2)],
    ['no bytes', 'transaction-type', null, '0x'],
    ['another type', 'transaction-type', null, concat(Uint8Array.of(2), bytes.subarray(1))],
    ['a type alone', 'rlp', null, '0x03'],
    ['bytes behind', 'rlp', null, concat(bytes, Uint8Array.of(0))],
    ['bytes missing', 'rlp', null, bytes.subarray(0, -1)],
    ['a length of eight bytes', 'rlp', null, concat(fromHex('0x03ffffffffffffffffff'), bytes.subarray(5))],
    ['a length with a zero', 'rlp', null, concat(fromHex('0x03fb00'), bytes.subarray(2))],
    ['a long length that is short', 'rlp', null, fromHex('0x03f801c0')],
    ['a byte as a string of one', 'rlp', null, fromHex('0x03c28101')],
    ['a string', 'transaction-fields', null, fromHex('0x0380')],
    ['an empty list', 'transaction-fields', null, fromHex('0x03c0')],
    ['the form of blocks', 'not-network-form', null, encode(...body)],
    ['no signature', 'transaction-fields', null, withBody(body.slice(0, 11))],
    ['a field too many', 'transaction-fields', null, withBody(withField(14, Uint8Array.of(1)))],
    ['a chain id with a zero', 'transaction-fields', null, withBody(withField(0, Uint8Array.of(0, 1)))],
    ['the last nonce', 'transaction-fields', null, withBody(withField(1, new Uint8Array(8).fill(255)))],
    ['gas of nine bytes', 'transaction-fields', null, withBody(withField(4, new Uint8Array(9).fill(1)))],
    ['no recipient', 'transaction-fields', null, withBody(withField(5, new Uint8Array(0)))],
    ['a list as data', 'transaction-fields', null, withBody(withField(7, []))],
    [
      'a short storage key',
      'transaction-fields',
      null,
      withBody(withField(8, [[body[5]!, [MODULUS.slice(1)]]])),
    ],
    ['a short address', 'transaction-fields', null, withBody(withField(8, [[MODULUS, []]]))],
    ['an entry of three', 'transaction-fields', null, withBody(withField(8, [[body[5]!, [], []]]))],
    ['a parity with a zero', 'transaction-fields', null, withBody(withField(11, Uint8Array.of(0)))],
    ['a parity of two bytes', 'transaction-fields', null, withBody(withField(11, Uint8Array.of(1, 1)))],
    ['a large r', 'transaction-fields', null, withBody(withField(12, new Uint8Array(33).fill(1)))],
    ['a list as s', 'transaction-fields', null, withBody(withField(13, []))],
    ['a short hash', 'transaction-fields', null, withBody(withField(10, [hashes[0]!.slice(1)]))],
    ['a parity of two', 'transaction-fields', null, withBody(withField(11, Uint8Array.of(2)))],
    ['no blobs', 'transaction-fields', null, encode(body)],
    ['no proofs', 'transaction-fields', null, encode(body, itsBlobs, commitments)],
    ['an item too many', 'transaction-fields', null, encode(body, itsBlobs, commitments, proofs, [])],
    [
      'wrapper version 2',
      'wrapper-version',
      null,
      encode(body, Uint8Array.of(2), itsBlobs, commitments, proofs),
    ],
    [
      'wrapper version 0',
      'wrapper-version',
      null,
      encode(body, new Uint8Array(0), itsBlobs, commitments, proofs),
    ],
    [
      'cell proofs that are few',
      'sidecar-counts',
      null,
      encode(body, Uint8Array.of(1), itsBlobs, commitments, proofs),
    ],
    ['no blob at all', 'blob-count', null, encode(withField(10, []), [], [], [])],
    ['blobs that no hash names', 'blob-count', null, withBody(withField(10, []))],
    [
      'seven hashes',
      'blob-count',
      null,
      encode(withField(10, Array(7).fill(hashes[0])), itsBlobs, commitments, proofs),
    ],
    ['a blob missing', 'sidecar-counts', null, encode(body, itsBlobs.slice(1), commitments, proofs)],
    ['a commitment missing', 'sidecar-counts', null, encode(body, itsBlobs, commitments.slice(1), proofs)],
    ['a proof missing', 'sidecar-counts', null, encode(body, itsBlobs, commitments, proofs.slice(1))],
    [
      'a hash missing',
      'sidecar-counts',
      null,
      encode(withField(10, hashes.slice(1)), itsBlobs, commitments, proofs),
    ],
    [
      'a short blob',
      'transaction-blob-length',
      1,
      encode(body, [itsBlobs[0]!, blobs[1]!.slice(1)], commitments, proofs),
    ],
    [
      'a short commitment',
      'transaction-commitment-length',
      0,
      encode(body, itsBlobs, [MODULUS, MODULUS], proofs),
    ],
    [
      'a short proof',
      'transaction-proof-length',
      1,
      encode(body, itsBlobs, commitments, [proofs[0]!, MODULUS]),
    ],
    ['a list as a blob', 'transaction-fields', null, encode(body, [[]], commitments, proofs)],
    [
      'a hash of version 2',
      'versioned-hash-version',
      1,
      encode(withField(10, [hashes[0]!, flip(hashes[1]!, 0, 1)]), itsBlobs, commitments, proofs),
    ],
    [
      'another hash',
      'versioned-hash-mismatch',
      1,
      encode(withField(10, [hashes[0]!, flip(hashes[1]!, 31)]), itsBlobs, commitments, proofs),
    ],
    [
      'hashes in another order',
      'versioned-hash-mismatch',
      0,
      encode(withField(10, hashes.toReversed()), itsBlobs, commitments, proofs),
    ],
    [
      'no field element',
      'scalar-not-canonical',
      1,
      encode(body, [itsBlobs[0]!, blobWith(MODULUS)], commitments, proofs),
    ],
    [
      'another blob',
      'commitment-mismatch',
      1,
      encode(body, [itsBlobs[0]!, blobWith(new Uint8Array(32))], commitments, proofs),
    ],
    [
      'blobs in another order',
      'commitment-mismatch',
      0,
      encode(body, itsBlobs.toReversed(), commitments, proofs),
    ],
  ]

  it.each(cases)('%s: %s', async (_, reason, index, transaction) => {
    const error: unknown = await toOsakaTransaction(transaction as string, byHeart).catch((error) => error)
    expect(error).toBeInstanceOf(TransactionError)
    const { reason: given, index: at, message } = error as TransactionError
    expect({ reason: given, index: at }).toEqual({ reason, index })
    expect(message).toMatch(/^[a-z-]+( \(index \d\))?: [A-Za-z0-9 _,.;?-]+$/)
    // What the verifier says of it; that the codes are among its own is for the compiler.
    const theirs: Reason = given
    const reasons = await reasonsOfVerifier(transaction)
    if (reason === 'commitment-mismatch') expect(reasons).toEqual([])
    else expect(reasons).toContain(theirs)
  })
})

/** Whether an item was found to be bad: what is `unchecked` has a reason, too. */
function isRefused(verdict: Verdict): verdict is InvalidVerdict | MalformedVerdict {
  return verdict.status === 'invalid' || verdict.status === 'malformed'
}

/** What is wrong with a transaction, or with each of its blobs, in the words of the verifier, short of KZG; nothing where nothing is. */
async function reasonsOfVerifier(transaction: unknown): Promise<unknown[]> {
  const ask = async (fork: 'cancun' | 'osaka'): Promise<unknown[]> => {
    const verdict = await verifier.verifyBlobTransaction(transaction as string, { fork, mode: 'cheap' })
    // The verdict names one of the blobs' reasons, and each blob its own.
    return [verdict, ...verdict.blobs].flatMap((one) => (isRefused(one) ? [one.reason] : []))
  }
  const reasons = await ask('cancun')
  return reasons[0] === 'wrapper-fork' ? await ask('osaka') : reasons
}

describe('a transaction that is spoilt at random', () => {
  const heads = structuralOffsets()
  const place = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...heads) },
    { weight: 1, arbitrary: fc.nat(bytes.length - 1) },
  )
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('flip' as const),
        at: place,
        by: fc.integer({ min: 1, max: 255 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: place, by: fc.nat(255) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        at: place,
        by: fc.integer({ min: 1, max: 100 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place, by: fc.constant(0) }) },
  )

  it('is refused for the verifier’s reason, or becomes the same transaction', async () => {
    const outcomes = { refused: 0, changed: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const spoilt = changes.reduce(spoil, bytes)
        const result = await toOsakaTransaction(spoilt, byHeart).catch((error: unknown) => error)
        const reasons = await reasonsOfVerifier(spoilt)
        // Of the proofs that are replaced nothing is asked but their length.
        const wrong = reasons.filter((reason) => !String(reason).startsWith('proof-'))
        if (result instanceof TransactionError) {
          outcomes.refused++
          if (result.reason === 'commitment-mismatch') expect(wrong).toEqual([])
          else expect(wrong).toContain(result.reason)
          return
        }
        outcomes.changed++
        if (!(result instanceof Uint8Array)) throw result
        expect(wrong).toEqual([])
        const [spoiltBody, ...spoiltRest] = decoded(spoilt)
        expect(spoiltRest.slice(0, 2)).toEqual([itsBlobs, commitments])
        const [newBody, version, ...lists] = decoded(result)
        expect(newBody).toEqual(spoiltBody)
        expect(version).toEqual(Uint8Array.of(1))
        const [, , ...expected] = decoded(fromHex(newer))
        expect(lists.map((list) => (list as Uint8Array[]).map(toHex))).toEqual(
          expected.map((list) => (list as Uint8Array[]).map(toHex)),
        )
      }),
      // Shrinking changes of a quarter of a megabyte would take minutes.
      { numRuns: timesRounds(100), endOnFailure: true },
    )
    // It happens both ways, or nothing was tried: a field of the body, or an old proof, may be changed.
    expect(outcomes.refused).toBeGreaterThan(timesRounds(50))
    expect(outcomes.changed).toBeGreaterThan(timesRounds(5))
  })
})

interface Change {
  readonly kind: 'flip' | 'insert' | 'remove' | 'cut'
  readonly at: number
  readonly by: number
}

function spoil(transaction: Uint8Array, { kind, at, by }: Change): Uint8Array {
  const [before, after] = [transaction.subarray(0, at), transaction.subarray(at)]
  if (kind === 'insert') return concat(before, Uint8Array.of(by), after)
  if (kind === 'remove') return concat(before, after.subarray(by))
  if (kind === 'cut' || after.length === 0) return before
  return concat(before, Uint8Array.of(after[0]! ^ by), after.subarray(1))
}

/** Where there is anything but blobs. */
function structuralOffsets(): number[] {
  const text = toHex(bytes)
  const inBlobs = blobs.map((blob) => (text.indexOf(toHex(blob).slice(2)) - 2) / 2)
  return Array.from(bytes.keys()).filter((at) => !inBlobs.some((from) => at >= from && at < from + 131_072))
}
