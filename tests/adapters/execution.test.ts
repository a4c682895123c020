/** The bytes of transactions, from what JSON-RPC says of them: viem writes the same, and ethereumjs and ethers know them by the same hash. */
import { Common, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { type Hex, keccak256, numberToHex, serializeTransaction, type TransactionSerializable } from 'viem'
import { describe, expect, it } from 'vitest'
import { transactionBytes } from '../../dist/execution/transaction.js'

const hex = (bytes: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const wei = fc.bigInt({ min: 0n, max: 2n ** 90n })
/** Below the order of the group, and s in its lower half: ethers and ethereumjs look. */
const scalar = fc.bigInt({ min: 1n, max: 2n ** 250n })
const accessList = fc.array(
  fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 3 }) }),
  { maxLength: 3 },
)
const common = {
  nonce: fc.nat(),
  gas: fc.bigInt({ min: 21_000n, max: 2n ** 40n }),
  value: wei,
  input: fc.uint8Array({ maxLength: 100 }).map((value) => bytesToHex(value)),
  to: hex(20),
  r: scalar,
  s: scalar,
  yParity: fc.integer({ min: 0, max: 1 }),
}
const fees = fc
  .tuple(wei, wei)
  .map(([one, other]) => ({ tip: one < other ? one : other, fee: one < other ? other : one }))

interface Case {
  readonly transaction: TransactionSerializable
  /** What a server says of it beyond what all types have. */
  readonly json: Record<string, unknown>
  readonly signature: {
    readonly r: bigint
    readonly s: bigint
    readonly yParity: number
    readonly v?: bigint
  }
}

type CommonFields = {
  [name in keyof typeof common]: (typeof common)[name] extends fc.Arbitrary<infer T> ? T : never
}

const jsonOf = ({ nonce, gas, value, input, r, s }: CommonFields): Record<string, unknown> => ({
  ...{ nonce: numberToHex(nonce), gas: numberToHex(gas), value: numberToHex(value), input },
  ...{ r: numberToHex(r), s: numberToHex(s) },
})

const legacy = fc
  .tuple(fc.record(common), wei, fc.boolean(), fc.boolean())
  .map(([fields, gasPrice, isReplayable, isCreation]): Case => {
    const { nonce, gas, value, input: data, r, s, yParity } = fields
    const v = isReplayable ? 27n + BigInt(yParity) : 37n + BigInt(yParity)
    const to = isCreation ? null : fields.to
    return {
      transaction: {
        type: 'legacy',
        nonce,
        gas,
        value,
        data,
        gasPrice,
        to,
        ...(!isReplayable && { chainId: 1 }),
      },
      json: { ...jsonOf(fields), to, type: '0x0', gasPrice: numberToHex(gasPrice), v: numberToHex(v) },
      signature: { r, s, yParity, v },
    }
  })

const typed = fc
  .tuple(
    fc.record(common),
    fees,
    accessList,
    fc.constantFrom('eip2930' as const, 'eip1559' as const, 'eip4844' as const, 'eip7702' as const),
    fc.array(
      hex(31).map((rest): Hex => `0x01${rest.slice(2)}`),
      { minLength: 1, maxLength: 6 },
    ),
    fc.array(
      fc.record({
        address: hex(20),
        chainId: fc.nat(100),
        nonce: fc.nat(),
        r: scalar,
        s: scalar,
        yParity: common.yParity,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    // A creation has no recipient: servers write null, or leave it out.
    fc.constantFrom('call' as const, 'null' as const, 'left out' as const),
  )
  .map(([fields, { tip, fee }, list, type, blobVersionedHashes, authorizationList, recipient]): Case => {
    const { nonce, gas, value, input: data, r, s, yParity } = fields
    // Neither blobs nor authorizations come with a creation.
    const isCreation = recipient !== 'call' && (type === 'eip2930' || type === 'eip1559')
    const to = isCreation ? null : fields.to
    const shared = { chainId: 1, nonce, gas, value, data, to, accessList: list }
    const both = { maxPriorityFeePerGas: tip, maxFeePerGas: fee }
    const price = { maxPriorityFeePerGas: numberToHex(tip), maxFeePerGas: numberToHex(fee) }
    const json = {
      ...jsonOf(fields),
      ...(!(isCreation && recipient === 'left out') && { to }),
      chainId: '0x1',
      accessList: list,
      yParity: numberToHex(yParity),
      v: numberToHex(yParity),
    }
    const signature = { r, s, yParity }
    switch (type) {
      case 'eip2930':
        return {
          transaction: { type, ...shared, gasPrice: fee },
          json: { ...json, type: '0x1', gasPrice: numberToHex(fee) },
          signature,
        }
      case 'eip1559':
        return {
          transaction: { type, ...shared, ...both },
          json: { ...json, ...price, type: '0x2' },
          signature,
        }
      case 'eip4844':
        return {
          transaction: { type, ...shared, ...both, blobVersionedHashes, maxFeePerBlobGas: fee },
          json: { ...json, ...price, type: '0x3', blobVersionedHashes, maxFeePerBlobGas: numberToHex(fee) },
          signature,
        }
      case 'eip7702': {
        const authorizations = authorizationList.map((one) => ({
          ...{ address: one.address, chainId: numberToHex(one.chainId), nonce: numberToHex(one.nonce) },
          ...{ r: numberToHex(one.r), s: numberToHex(one.s), yParity: numberToHex(one.yParity) },
        }))
        return {
          transaction: {
            ...{ type, ...shared, ...both },
            authorizationList: authorizationList.map((one) => ({
              ...one,
              ...{ r: numberToHex(one.r, { size: 32 }), s: numberToHex(one.s, { size: 32 }) },
            })),
          },
          json: { ...json, ...price, type: '0x4', authorizationList: authorizations },
          signature,
        }
      }
    }
  })

/** It wants to have a library of KZG, and calls nothing of it here. */
const ethereumjs = new Common({ chain: Mainnet, hardfork: 'prague', customCrypto: { kzg: {} as never } })

describe.each([
  ['before there were types', legacy],
  ['of each type', typed],
] as const)('transactions %s', (_, cases) => {
  it('are the bytes that viem writes, and have the hash that ethers and ethereumjs find', () => {
    fc.assert(
      fc.property(cases, ({ transaction, json, signature }) => {
        const r = numberToHex(signature.r, { size: 32 })
        const s = numberToHex(signature.s, { size: 32 })
        const theirs = serializeTransaction(transaction, { ...signature, r, s } as never)
        const bytes = transactionBytes(json as never)
        expect(bytesToHex(bytes)).toBe(theirs)
        const hash = keccak256(bytes)
        expect(Transaction.from(bytesToHex(bytes)).hash).toBe(hash)
        const parsed = createTxFromRLP(hexToBytes(theirs), {
          common: ethereumjs,
          allowUnlimitedInitCodeSize: true,
        })
        expect(bytesToHex(parsed.hash())).toBe(hash)
      }),
      { numRuns: 300 },
    )
  })
})
