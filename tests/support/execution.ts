/** What the tests of the execution layer share: the recorded block, blocks that are made, and what is thrown for what does not hold. */
import { keccak_256 } from '@noble/hashes/sha3'
import { encode } from '@ethereumjs/rlp'
import { expect } from 'vitest'
import type { Portable } from '../../dist/util/portable.js'
import { toHex } from './bytes.ts'
import { readValue } from './files.ts'

export type Json = { [field: string]: Portable }

export type RecordedBlock = Json & { hash: string; transactions: (Json & { hash: string })[] }

/** Mainnet block 24476000, as `eth_getBlockByHash` gives it with its transactions. Each caller has a copy of its own. */
export async function recordedBlock(): Promise<RecordedBlock> {
  return structuredClone(
    await readValue<RecordedBlock>('vectors/execution/mainnet_execution_block_24476000.json'),
  )
}

export const keccakOf = (bytes: Uint8Array): string => toHex(keccak_256(bytes))

/** A field of each name of a header, in their order, as JSON-RPC names them: written down anew, apart from the code under test. */
export const headerNames: readonly string[] = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
  ...['requestsHash', 'blockAccessListHash', 'slotNumber'],
]

const numbers: ReadonlySet<string> = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'],
  ...['blobGasUsed', 'excessBlobGas', 'slotNumber'],
])

/** The values of a header's fields as JSON-RPC writes them. */
export function headerJson(values: readonly Uint8Array[]): Record<string, string> {
  const entries = values.map((value, at): [string, string] => {
    const name = headerNames[at]!
    return [name, numbers.has(name) ? toQuantity(value) : toHex(value)]
  })
  return Object.fromEntries(entries)
}

/** A number as JSON-RPC writes it: no zeros in front. */
function toQuantity(bytes: Uint8Array): string {
  return `0x${BigInt(bytes.length === 0 ? 0 : toHex(bytes)).toString(16)}`
}

/** A header like that of any block, with these values in the place of its own; its RLP and its JSON. */
export function makeHeader(values: Readonly<Record<string, Uint8Array>> = {}, names = headerNames) {
  const all = names.map((name) => values[name] ?? anyValue(name))
  const rlp = encode(all)
  return {
    rlp,
    hash: keccakOf(rlp),
    json: { ...headerJson(all), hash: keccakOf(rlp) } as Json & { hash: string },
  }
}

function anyValue(name: string): Uint8Array {
  if (numbers.has(name)) return Uint8Array.of(name.length)
  const length = { miner: 20, logsBloom: 256, nonce: 8, extraData: 5 }[name] ?? 32
  return new Uint8Array(length).fill(name.length)
}

/** That a call throws an `ExecutionDataError`, of this fault where one is given, and nothing else. */
export function expectFault(act: () => unknown, fault?: string): void {
  try {
    act()
  } catch (error) {
    expect(error).toMatchObject({ name: 'ExecutionDataError', ...(fault !== undefined && { fault }) })
    return
  }
  expect.unreachable('nothing was thrown')
}

/** The result of a call, or `null` where it throws an `ExecutionDataError`; any other error gets out. */
export function orFault<T>(act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionDataError') return null
    throw error
  }
}
