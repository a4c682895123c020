/** What the tests of the execution layer of `blobcheck/serve` share: a made chain, the calls, and headers written down by hand. */
import { encode } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3'
import type { ExecutionApp, MadeChain } from 'blobcheck/serve'
import { expect } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { range } from './make.ts'
import { handChain } from './served.ts'

/** Blocks of Fulu from epoch 2 on, of Gloas from epoch 4 on; the payload of one in seven is never revealed. */
export async function executionChain(): Promise<MadeChain> {
  return await handChain({
    slots: 100,
    blobsPerBlock: (slot) => (slot % 9 === 5 ? 0 : 1 + (slot % 8)),
    isMissed: (slot) => slot % 11 === 4,
    gloasForkEpoch: 4,
    isPayloadWithheld: (slot) => slot % 7 === 3,
  })
}

interface RpcAnswer {
  readonly jsonrpc: string
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Posts a body to an app, without a network. */
export async function post(to: ExecutionApp, body: string): Promise<Response> {
  return (await to.fetch(new Request('http://execution.test/', { method: 'POST', body }))) as Response
}

/** The answer of JSON-RPC to a call, result or error. */
export async function answerOf(to: ExecutionApp, method: string, ...params: unknown[]): Promise<RpcAnswer> {
  const response = await post(to, JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
  expect(response.status).toBe(200)
  return (await response.json()) as RpcAnswer
}

/** The result of a call. */
export async function callOf<T>(to: ExecutionApp, method: string, ...params: unknown[]): Promise<T> {
  const { error, result, ...rest } = await answerOf(to, method, ...params)
  expect(error).toBeUndefined()
  expect(rest).toEqual({ jsonrpc: '2.0', id: 7 })
  return result as T
}

export type Transaction = Record<string, string> & { readonly blobVersionedHashes?: readonly string[] }
export type Block = Record<string, string> & { readonly transactions: Transaction[] }

/** A number as JSON-RPC has it. */
export const quantity = (value: number): string => `0x${value.toString(16)}`

/** The number of each block of a chain. */
export const everyBlock = ({ execution }: MadeChain): number[] => range(execution.head.number + 1)

const legacy = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
const later = [
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
  ...['requestsHash', 'blockAccessListHash', 'slotNumber'],
]
/** The fields of a header in order, written down anew. */
export const headerFields: readonly string[] = [...legacy, ...later]
const numbers = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'],
  ...['blobGasUsed', 'excessBlobGas', 'slotNumber'],
])

/** The RLP of the header that a block's JSON has, by hand. */
export function headerRlp(block: Block): Uint8Array {
  const names = headerFields.filter((name) => block[name] !== undefined)
  return encode(
    names.map((name) => {
      const value = block[name]!
      if (!numbers.has(name)) return fromHex(value)
      return value === '0x0'
        ? new Uint8Array(0)
        : fromHex(`0x${value.slice(2).padStart(Math.ceil((value.length - 2) / 2) * 2, '0')}`)
    }),
  )
}

export const keccak = (bytes: Uint8Array): string => toHex(keccak_256(bytes))
