/**
 * From a transaction or an execution block to its blobs: a chain with an execution layer, a light client of it, and calls to a source of
 * blobs, whose results are held against what was sent.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import {
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
  type HeaderSource,
  type Urls,
} from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import type { Chain, ChainBlock, ExecutionBlock, FaultRule, MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { HEADER_FIELDS } from '../../dist/execution/header-fields.js'
import { keccakHex } from '../../dist/execution/keccak.js'
import { readList } from '../../dist/execution/rlp.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { withHeaderField } from '../../dist/serve/execution/header.js'
import { beaconOf } from './beacons.ts'
import { expectTrue, quietly } from './blob-sources.ts'
import { handChain } from './served.ts'

const FORK = 4 * 32
/** Whose payload is never revealed: one block of Gloas in seven. */
export const isWithheld = (slot: number): boolean => slot % 7 === 3
export const FULU = FORK - 3
export const GLOAS = FORK + 4
/** A block of Gloas after which an empty one comes. */
export const BEFORE_EMPTY = FORK + 7

export let chain: MadeChain
export let verifier: Verifier
/** A light client of the chain, at its head. */
export let client: LightClient
let server: BeaconServer
let open: BeaconServer[] = []
export const now = (): number => chain.now()

/** For a file of tests to call once: the chain and those who check it are made before its tests, and what is open is closed after them. */
export function useTransactions(): void {
  beforeAll(async () => {
    chain = await handChain({
      ...{ slots: 81, gloasForkEpoch: 4, isPayloadWithheld: isWithheld, blobsPerBlock: 8 },
    })
    const { checkpoint, network } = chain
    verifier = await createVerifier({ network, workers: 1, cache: false })
    // Its own server stays: it is asked for older headers.
    server = await serveBeacon({ chain })
    client = await LightClient.fromCheckpoint({
      ...{ checkpoint, network, now, store: false, beacon: server.url },
    })
    await client.sync()
  })
  afterEach(async () => {
    await Promise.all(open.map((one) => one.close()))
    open = []
  })
  afterAll(async () => {
    await client.dispose()
    await verifier.dispose()
    await server.close()
  })
}

/** The URL of a server of an execution layer, with these faults. */
export async function executionOf(
  of: Pick<Chain, 'execution' | 'network'>,
  ...rules: FaultRule[]
): Promise<string> {
  const one = await serveExecution({ chain: of as Chain, faults: { seed: 1, rules } })
  open.push(one)
  return one.url
}

export interface Sent {
  readonly block: ChainBlock
  readonly execution: ExecutionBlock
  readonly hash: string
  readonly index: number
  readonly hashes: readonly string[]
  /** The places of its blobs in the block. */
  readonly places: readonly number[]
}

/** All transactions of the block in a slot. */
export function transactionsOf(slot: number): Sent[] {
  const block = chain.at(slot)!
  const execution = block.execution!
  let at = 0
  return execution.transactions.map((bytes, index) => {
    const hashes = versionedHashesOf(bytes)
    const places = hashes.map(() => at++)
    return { block, execution, hash: keccakHex(bytes), index, hashes, places }
  })
}
/** The last one with blobs: others come before it. */
export const sentIn = (slot: number): Sent =>
  transactionsOf(slot).findLast(({ hashes }) => hashes.length > 0)!

export async function get(
  query: GetBlobsOptions,
  execution: Urls,
  options: Partial<BlobSourceOptions> = {},
): Promise<BlobsResult> {
  const beacon = options.beacon ?? (await beaconOf(chain))
  const source = createBlobSource({ ...{ verifier, headers: client, now, ...options, beacon, execution } })
  return quietly(await source.get(query))
}
export const getSent = async (
  sent: Sent,
  execution: Urls,
  options: Partial<BlobSourceOptions> & { anchor?: GetBlobsOptions['anchor'] & object } = {},
): Promise<BlobsResult> => {
  const { anchor, ...others } = options
  const result = await get({ transaction: sent.hash, ...(anchor && { anchor }) }, execution, others)
  // Places are known where the block is.
  if (result.block !== null || result.blobs.length === 0) expectTrue(result, sent.block, sent.places)
  return result
}

const otherState = (header: Uint8Array): Uint8Array =>
  withHeaderField(header, 'stateRoot', (root: Uint8Array) => root.map((byte) => byte ^ 255))

/** A layer in which each block has another header, with another state, so that hashes are true, and of no chain. */
export function forged(change = otherState): Pick<Chain, 'execution' | 'network'> {
  const { execution, network } = chain
  const forge = (block: ExecutionBlock): ExecutionBlock => {
    const header = change(block.header)
    const { number, transactions, gasUsed, blobGasPrice } = block
    return { hash: keccakHex(header), header, number, transactions, gasUsed, blobGasPrice }
  }
  const blocks = new Map<string, ExecutionBlock>()
  for (let number = 0; number <= execution!.head.number; number++) {
    const block = forge(execution!.byNumber(number)!)
    blocks.set(block.hash, block)
  }
  return {
    network,
    execution: {
      ...{ chainId: execution!.chainId, head: execution!.head },
      ...{ safe: execution!.safe, finalized: execution!.finalized },
      byNumber: (number) => [...blocks.values()][number] ?? null,
      byHash: (hash) => blocks.get(hash) ?? null,
      transaction: (hash) => {
        const found = execution!.transaction(hash)
        return found && { block: [...blocks.values()][found.block.number]!, index: found.index }
      },
    },
  }
}

const SLOT_NUMBER = HEADER_FIELDS.findIndex(({ name }) => name === 'slotNumber')

/** A layer in which each block is of that slot of a chain that began then. */
export function inSlot(
  slot: number,
  genesisTime: number = chain.network.genesisTime,
): Pick<Chain, 'execution' | 'network'> {
  const time = genesisTime + 12 * slot
  return forged((header) => {
    const timed = withHeaderField(header, 'timestamp', () => digitsOf(time))
    return readList(header, 64).length > SLOT_NUMBER
      ? withHeaderField(timed, 'slotNumber', () => digitsOf(slot))
      : timed
  })
}

/** A number as RLP has it: big-endian, without leading zeros. */
function digitsOf(value: number): Uint8Array {
  const digits: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.from(digits)
}

/** A `fetch` that answers the first requests for blocks, so many, with 404. */
export function lagging(requests: number): typeof fetch {
  let left = requests
  return async (url, init) =>
    /\/beacon\/blocks\//.test(String(url)) && left-- > 0
      ? new Response('', { status: 404 })
      : await fetch(url, init)
}

const proven = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const
export const allLinks = {
  ...proven,
  ...{ kzg: 'verified', 'versioned-hash': 'verified', inclusion: 'verified' },
  ...{ transaction: 'verified', 'execution-block': 'verified' },
} as const

/** Nobody knows anything. */
export const nobody: HeaderSource = { resolve: async () => ({ status: 'unknown', detail: 'nobody knows' }) }
