/** blobcheck/adapters/ethereumjs with ethereumjs itself. */
import { Common, Mainnet } from '@ethereumjs/common'
import { createBlob4844Tx, createBlob4844TxFromSerializedNetworkWrapper } from '@ethereumjs/tx'
import { createAddressFromString, hexToBytes, type KZG, type PrefixedHexString } from '@ethereumjs/util'
import {
  type EthereumjsBlobFields,
  toEthereumjsBlobFields,
  toEthereumjsKzg,
} from 'blobcheck/adapters/ethereumjs'
import { afterAll, describe, expect, it } from 'vitest'
import { flip, toHex } from '../support/bytes.ts'
import {
  blobs,
  callsAtOnce,
  expectValid,
  fields,
  offThread,
  parsedElsewhere,
  privateKey,
  prover,
  verifier,
} from './support.ts'

afterAll(() => offThread.dispose())

// Assignable as it is: that this compiles is part of the test.
const kzg: KZG = toEthereumjsKzg(prover, verifier)
const inHex = blobs.map(toHex)

function networkOf(version: 0 | 1, more: Partial<EthereumjsBlobFields> = {}): `0x${string}` {
  const common = new Common({
    chain: Mainnet,
    hardfork: version === 0 ? 'cancun' : 'osaka',
    customCrypto: { kzg },
  })
  const { gas, to, ...rest } = fields
  const transaction = createBlob4844Tx(
    {
      ...rest,
      to: createAddressFromString(to.toLowerCase()),
      gasLimit: gas,
      blobs: inHex,
      networkWrapperVersion: version,
      ...more,
    },
    { common },
  )
  return toHex(transaction.sign(hexToBytes(privateKey)).serializeNetworkWrapper())
}

it('the KZG is of no prover of worker threads, whose promises ethereumjs would take for bytes', () => {
  for (const wrong of [offThread, undefined, null])
    expect(() => toEthereumjsKzg(wrong as never, verifier)).toThrow(callsAtOnce('toEthereumjsBlobFields'))
})

it('the KZG is of no verifier whose answers are promises, which ethereumjs would take for true', () => {
  const error = new TypeError(
    'verifier must be what loadKzg() resolves with, since it is called synchronously',
  )
  for (const none of [undefined, {}, Promise.resolve(verifier), offThread])
    expect(() => toEthereumjsKzg(prover, none as never)).toThrow(error)
  // Wrapped, as by Comlink: then when it has answered.
  const later = async (): Promise<boolean> => Promise.reject(new Error('nobody hears this'))
  const wrapped = toEthereumjsKzg(prover, {
    verifyKzgProof: later,
    verifyBlobKzgProofBatch: later,
    verifyCellKzgProofBatch: later,
  } as never)
  expect(() => wrapped.verifyProof('0x', '0x', '0x', '0x')).toThrow(error)
  expect(() => wrapped.verifyBlobProofBatch([], [], [])).toThrow(error)
  expect(() => wrapped.verifyCellKzgProofBatch([], [], [], [])).toThrow(error)
})

it('the EVM of ethereumjs is told that an input is wrong, and not that something failed', () => {
  const error = expect.objectContaining({
    name: 'KzgInputError',
    message: expect.stringContaining('C_KZG_BADARGS') as string,
  }) as Error
  expect(() => kzg.verifyProof('0x00', '0x', '0x', '0x')).toThrow(error)
})

describe.each([0, 1] as const)('ethereumjs, wrapper version %i', (version) => {
  it('a transaction of blobs, signed and serialised, is accepted by others', async () => {
    const network = networkOf(version)
    await expectValid(network, version)
    expect(parsedElsewhere(network).kzgProofs).toHaveLength(version === 1 ? 256 : 2)
  })

  it('fields that were proved off the calling thread make the same transaction', async () => {
    const proved = await toEthereumjsBlobFields(offThread, inHex, version)
    expect(networkOf(version, proved)).toBe(networkOf(version))
  })

  it('it receives what is true, and nothing else', () => {
    const common = new Common({ chain: Mainnet, hardfork: 'osaka', customCrypto: { kzg } })
    const network = networkOf(version)
    const bytes = hexToBytes(network)
    expect(createBlob4844TxFromSerializedNetworkWrapper(bytes, { common }).blobs).toEqual(inHex)
    // A byte in the middle of a blob.
    const spoilt = flip(bytes, network.indexOf(inHex[1]!.slice(2)) / 2 + 65_535)
    expect(() => createBlob4844TxFromSerializedNetworkWrapper(spoilt, { common })).toThrow()
  })
})

describe('ethereumjs, beyond transactions', () => {
  it('proofs at a point, and recovery', () => {
    const [blob] = inHex as [PrefixedHexString]
    const { proof, y } = prover.computeKzgProof(blob, new Uint8Array(32))
    const commitment = kzg.blobToKzgCommitment(blob)
    const zero = `0x${'00'.repeat(32)}`
    expect(kzg.verifyProof(commitment, zero, toHex(y), toHex(proof))).toBe(true)
    expect(kzg.verifyProof(commitment, zero, toHex(flip(y, 31)), toHex(proof))).toBe(false)
    const [cells, proofs] = kzg.computeCellsAndProofs(blob)
    expect(kzg.computeCells(blob)).toEqual(cells)
    const indices = Array.from({ length: 64 }, (_, at) => at + 64)
    expect(kzg.recoverCellsAndProofs(indices, cells.slice(64))).toEqual([cells, proofs])
  })
})
