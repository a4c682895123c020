/** From a transaction or an execution block to its blobs, over a light client, the caller's word, and servers of the execution layer that lie. */
import { createVerifier, type Verifier } from 'blobcheck'
import {
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
  type HeaderSource,
  type Resolution,
  type Urls,
} from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import {
  type Chain,
  type ChainBlock,
  type ExecutionBlock,
  type ExecutionLie,
  type FaultRule,
  type MadeChain,
} from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readParts } from '../../dist/block-data/read-parts.js'
import type { Call } from '../../dist/blobs/context.js'
import { startFromExecution } from '../../dist/blobs/from-execution.js'
import { Shares } from '../../dist/blobs/shares.js'
import type { ExecutionSource, ProvenTransaction } from '../../dist/execution/execution.js'
import { HEADER_FIELDS } from '../../dist/execution/header-fields.js'
import { keccakHex } from '../../dist/execution/keccak.js'
import { readList } from '../../dist/execution/rlp.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { withHeaderField } from '../../dist/serve/execution/header.js'
import { lies } from '../../dist/serve/faults/faults.js'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { toHex } from '../support/bytes.ts'
import { startRpc } from '../support/json-rpc-server.ts'
import { later } from '../support/make.ts'
import { handChain } from '../support/served.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
const zeros = `0x${'00'.repeat(32)}`

const FORK = 4 * 32
/** Whose payload is never revealed: one block of Gloas in seven. */
const isWithheld = (slot: number): boolean => slot % 7 === 3
const FULU = FORK - 3
const GLOAS = FORK + 4
/** A block of Gloas after which an empty one comes. */
const BEFORE_EMPTY = FORK + 7

let chain: MadeChain
let verifier: Verifier
let client: LightClient
let server: BeaconServer
let open: BeaconServer[] = []
const now = (): number => chain.now()
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

/** The URL of a server of an execution layer, with these faults. */
async function executionOf(of: Pick<Chain, 'execution' | 'network'>, ...rules: FaultRule[]): Promise<string> {
  const one = await serveExecution({ chain: of as Chain, faults: { seed: 1, rules } })
  open.push(one)
  return one.url
}
const lying = (about: ExecutionLie): Promise<string> => executionOf(chain, { fault: { kind: 'lie', about } })

interface Sent {
  readonly block: ChainBlock
  readonly execution: ExecutionBlock
  readonly hash: string
  readonly index: number
  readonly hashes: readonly string[]
  /** The places of its blobs in the block. */
  readonly places: readonly number[]
}

/** All transactions of the block in a slot. */
function transactionsOf(slot: number): Sent[] {
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
const sentIn = (slot: number): Sent => transactionsOf(slot).findLast(({ hashes }) => hashes.length > 0)!

async function get(
  query: GetBlobsOptions,
  execution: Urls,
  options: Partial<BlobSourceOptions> = {},
): Promise<BlobsResult> {
  const beacon = options.beacon ?? (await beaconOf(chain))
  const source = createBlobSource({ ...{ verifier, headers: client, now, ...options, beacon, execution } })
  return quietly(await source.get(query))
}
const getSent = async (
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
function forged(change = otherState): Pick<Chain, 'execution' | 'network'> {
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

/** A `fetch` that answers the first requests for blocks, so many, with 404. */
function lagging(requests: number): typeof fetch {
  let left = requests
  return async (url, init) =>
    /\/beacon\/blocks\//.test(String(url)) && left-- > 0
      ? new Response('', { status: 404 })
      : await fetch(url, init)
}

const proven = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const
const allLinks = {
  ...proven,
  ...{ kzg: 'verified', 'versioned-hash': 'verified', inclusion: 'verified' },
  ...{ transaction: 'verified', 'execution-block': 'verified' },
} as const

/** Nobody knows anything. */
const nobody: HeaderSource = { resolve: async () => ({ status: 'unknown', detail: 'nobody knows' }) }

it('is tested with more than one transaction in a block, and with blocks in which some have no blobs', () => {
  for (const slot of [FULU, GLOAS]) {
    const all = transactionsOf(slot)
    expect(all.filter(({ hashes }) => hashes.length > 0).length).toBeGreaterThan(1)
    expect(sentIn(slot).places[0]).toBeGreaterThan(0)
    expect(all.flatMap(({ hashes }) => hashes)).toEqual(hashesOf(chain.at(slot)!))
  }
  expect(chain.at(BEFORE_EMPTY + 1)!.execution ?? null).toBeNull()
})

describe('a transaction', () => {
  it.each([
    ['Fulu', FULU],
    ['Gloas', GLOAS],
    ['Gloas, before an empty block', BEFORE_EMPTY],
  ])('of %s leads to its blobs, each step verified', async (_name, slot) => {
    const sent = sentIn(slot)
    const result = await getSent(sent, await executionOf(chain))
    const { hash, number } = sent.execution
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', detail: null, wanted: sent.hashes.length },
      block: { slot, root: sent.block.root },
      execution: { hash, number },
      transaction: { hash: sent.hash, index: sent.index, versionedHashes: sent.hashes },
      links: allLinks,
    })
    expect(result.execution!.timestamp).toBe(chain.network.genesisTime + 12 * slot)
    expect(result.report.sources.filter(({ role }) => role === 'execution')).toMatchObject([
      { refused: [], gave: [] },
    ])
  })

  it('comes from columns, too, and with a header on trust', async () => {
    const sent = sentIn(FULU)
    const { root, slot } = sent.block
    const headers: HeaderSource = { resolve: async () => ({ status: 'found', header: { root, slot } }) }
    const routes = ['blobs', 'blob_sidecars'] as const
    const beacon = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes })
    const result = await getSent(sent, await executionOf(chain), { beacon, headers })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', report: { via: ['data-columns'] } },
      links: {
        'execution-block': 'trusted',
        transaction: 'verified',
        header: 'trusted',
        inclusion: 'verified',
      },
    })
    // Where there are blob sidecars, too, columns are asked for first; the others beside them where the machine was busy for a second.
    const asked: string[] = []
    const fetch: BlobSourceOptions['fetch'] = (url, init) => {
      asked.push(new URL(url).pathname)
      return globalThis.fetch(url, init as RequestInit)
    }
    const withBoth = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['blobs'] })
    const either = await getSent(sent, await executionOf(chain), { beacon: withBoth, headers, fetch: fetch! })
    expect(either.verdict).toBe('complete')
    expect(asked.find((path) => path.includes('_sidecars'))).toContain('/data_column_sidecars/')
  })

  it('without blobs has none, and one that there is not is not found', async () => {
    const plain = [FULU, FULU - 1, GLOAS, FULU - 2]
      .flatMap(transactionsOf)
      .find(({ hashes }) => hashes.length === 0)
    const url = await executionOf(chain)
    if (plain !== undefined)
      expect(await getSent(plain, url)).toMatchObject({
        ...{ verdict: 'none', reason: 'no-blobs', wanted: 0, transaction: { versionedHashes: [] } },
        links: { transaction: 'verified', 'execution-block': 'verified' },
      })
    expect(await get({ transaction: `0x${'77'.repeat(32)}` }, url)).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-transaction', transaction: null, execution: null, blobs: [] },
      detail:
        'no execution endpoint knows a transaction of this hash: is it that of a block, or of another network?',
    })
    expect(await get({ transaction: sentIn(FULU).hash }, 'http://127.0.0.1:9')).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-transaction' },
    })
  })

  it('that is in no block yet is said to be pending', async () => {
    const hash = `0x${'77'.repeat(32)}`
    const { url } = await startRpc({ eth_getTransactionByHash: () => ({ hash, blockHash: null }) })
    for (const execution of [[url.href], [url.href, await executionOf(chain)]])
      expect(await get({ transaction: hash }, execution)).toMatchObject({
        ...{ verdict: 'unknown', reason: 'no-transaction', transaction: null, blobs: [] },
        detail: 'it is pending: an execution endpoint says that it is in no block yet',
      })
  })

  it('whose block no beacon endpoint gives is held against the columns alone', async () => {
    const sent = sentIn(FULU)
    const beacon = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['blocks'] })
    const result = await getSent(sent, await executionOf(chain), { beacon })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', links: { ...allLinks, 'execution-block': 'absent' } },
    })
  })
})

describe('a transaction whose beacon block does not come in time', () => {
  it('is known all the same', async () => {
    const sent = sentIn(FULU)
    const beacon = await beaconOf(chain, { fault: { kind: 'delay', ms: 600_000 } })
    const options = { beacon, headers: headersFrom(chain), deadlineMs: 1_000 }
    const result = await getSent(sent, await executionOf(chain), options)
    expect(result).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-block', transaction: { hash: sent.hash } },
      links: { transaction: 'verified', 'execution-block': 'absent' },
    })
  })
})

describe('a transaction of the newest block of Gloas', () => {
  it('is of a payload that the next block is to show', async () => {
    while (isWithheld(chain.head.slot)) chain.advance(1)
    const sent = sentIn(chain.head.slot)
    const headers = headersFrom(chain)
    const result = await getSent(sent, await executionOf(chain), { headers })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', wanted: sent.hashes.length },
      links: { transaction: 'verified', 'execution-block': 'absent', header: 'trusted' },
    })
    expect(result.detail).toContain('the next block')
    const anchor = { executionHeader: { hash: sent.execution.hash } }
    expect(await getSent(sent, await executionOf(chain), { headers, anchor })).toMatchObject({
      ...{ verdict: 'complete', detail: expect.stringContaining('what the anchor says') },
      links: { 'execution-block': 'trusted' },
    })
  })

  it('whose blobs nobody has may have none, unless an anchor says that it was revealed', async () => {
    while (isWithheld(chain.head.slot)) chain.advance(1)
    const { hash } = chain.head.execution!
    const without: FaultRule = {
      fault: { kind: 'status', code: 404 },
      routes: ['blobs', 'blob_sidecars', 'data_column_sidecars'],
    }
    const options = { headers: headersFrom(chain), beacon: await beaconOf(chain, without) }
    const execution = await executionOf(chain)
    const missing = { verdict: 'missing', blobs: [], payload: { status: 'unknown' } }
    expect(await get({ blockHash: hash }, execution, options)).toMatchObject({
      ...{ ...missing, reason: 'may-have-no-payload' },
    })
    const anchor = { executionHeader: { hash } }
    expect(await get({ blockHash: hash, anchor }, execution, options)).toMatchObject({
      ...{ ...missing, reason: 'not-served' },
    })
  })
})

describe('an execution block', () => {
  it.each([FULU, GLOAS])('leads to all of its blobs: slot %i', async (slot) => {
    const block = chain.at(slot)!
    const result = await get({ blockHash: block.execution!.hash }, await executionOf(chain))
    expectTrue(result, block)
    expect(result).toMatchObject({
      ...{ verdict: 'complete', wanted: 8, transaction: null, execution: { hash: block.execution!.hash } },
      links: { ...allLinks, transaction: 'absent', 'versioned-hash': 'absent' },
    })
  })
})

describe('an execution block that no execution endpoint has', () => {
  it('is said to be that, since its hash may be a beacon root', async () => {
    const { root } = chain.at(FULU)!
    expect(await get({ blockHash: root }, await executionOf(chain))).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-transaction' },
      detail:
        'no execution endpoint has a block of this hash, which is that of an execution block, not a beacon root',
    })
  })
})

describe('an execution block whose beacon block is late', () => {
  it.each([FULU, GLOAS])('is held against it when it comes: slot %i', async (slot) => {
    const block = chain.at(slot)!
    const { hash } = block.execution!
    const options = { fetch: lagging(1) }
    const result = await get({ blockHash: hash }, await executionOf(chain), options)
    expectTrue(result, block)
    expect(result).toMatchObject({ verdict: 'complete', wanted: 8, block: { slot, root: block.root } })

    const of = forged()
    const orphan = of.execution!.byNumber(block.execution!.number)!.hash
    for (const headers of [client, headersFrom(chain)])
      for (const anchor of [undefined, { executionHeader: { hash: orphan } }]) {
        const query = { blockHash: orphan, ...(anchor && { anchor }) }
        expect(await get(query, await executionOf(of), { headers, fetch: lagging(1) })).toMatchObject({
          ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [], wanted: null, block: null },
          detail: expect.stringContaining(hash) as string,
          links: { 'execution-block': 'absent', inclusion: 'absent', kzg: 'absent' },
        })
      }
  })

  it.each([FULU, GLOAS])('has no blobs that are known where that never comes: slot %i', async (slot) => {
    const { number } = chain.at(slot)!.execution!
    for (const of of [chain, forged()])
      for (const headers of [client, headersFrom(chain)]) {
        const blockHash = of.execution!.byNumber(number)!.hash
        const options = { headers, fetch: lagging(Infinity) }
        expect(await get({ blockHash }, await executionOf(of), options)).toMatchObject({
          ...{ verdict: 'unknown', reason: 'no-block', blobs: [], wanted: null },
          links: { 'execution-block': 'absent' },
        })
      }
  })

  it.each([FULU, GLOAS])(
    'has none of its transactions’ blobs where it is an orphan: slot %i',
    async (slot) => {
      const options = { fetch: lagging(1) }
      expect(await getSent(sentIn(slot), await executionOf(forged()), options)).toMatchObject({
        ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [], block: null },
        links: { transaction: 'verified', 'execution-block': 'absent' },
      })
    },
  )
})

describe('a server of the execution layer that lies', () => {
  /** Where it has another way to what is true, or the lie is about what nobody asks for. */
  const harmless = ['other-block', 'missing-transaction', 'other-index', 'proof']

  it.each(lies)('about %s has no false blob, and hides nothing that an honest one says', async (about) => {
    for (const slot of [FULU, GLOAS]) {
      const sent = sentIn(slot)
      const alone = await getSent(sent, await lying(about))
      expect(alone).toMatchObject(
        harmless.includes(about)
          ? { verdict: 'complete', links: allLinks }
          : { verdict: 'unknown', reason: 'no-transaction', blobs: [] },
      )
      const both = await getSent(sent, [await lying(about), await executionOf(chain)])
      expect(both).toMatchObject({ verdict: 'complete', links: allLinks })
    }
  })

  it.each(lies)('about %s in its proofs alone hides nothing: its blocks are true', async (about) => {
    const routes = ['proof_getTransactionByHash'] as const
    const sent = sentIn(FULU)
    const url = await executionOf(chain, { fault: { kind: 'lie', about }, routes })
    const result = await getSent(sent, url)
    expect(result).toMatchObject({ verdict: 'complete', links: allLinks })
    expect(result.report.sources.find(({ source }) => source === url)).toMatchObject({
      ...{ refused: [], failures: [] },
    })
  })

  it('with a chain of its own has proven transactions, and they are of no chain', async () => {
    for (const slot of [FULU, GLOAS]) {
      const sent = sentIn(slot)
      const alone = await getSent(sent, await executionOf(forged()))
      expect(alone).toMatchObject({ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [] })
      expect(alone.detail).toContain(sent.execution.hash)
      expect(alone.detail).toContain('or the execution endpoint is of another network')
      const both = await getSent(sent, [await executionOf(forged()), await executionOf(chain)])
      expect(both).toMatchObject({ verdict: 'complete', links: allLinks })
    }
    const block = chain.at(FULU)!
    const { hash } = forged().execution!.byNumber(block.execution!.number)!
    expect(await get({ blockHash: hash }, await executionOf(forged()))).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [] },
      detail: expect.stringContaining('or the execution endpoint is of another network') as string,
    })
  })
})

describe('a server of the execution layer that lies about time', () => {
  const number = (value: number): Uint8Array => {
    const digits: number[] = []
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
    return Uint8Array.from(digits)
  }
  /** A layer in which each block is of a slot far off. */
  const inSlot = (slot: number): Pick<Chain, 'execution' | 'network'> => {
    const time = chain.network.genesisTime + 12 * slot
    return forged((header) => {
      const timed = withHeaderField(header, 'timestamp', () => number(time))
      return readList(header, 64).length > SLOT_NUMBER
        ? withHeaderField(timed, 'slotNumber', () => number(slot))
        : timed
    })
  }
  const SLOT_NUMBER = HEADER_FIELDS.findIndex(({ name }) => name === 'slotNumber')

  it.each([FULU, GLOAS])('hides nothing that an honest one says: slot %i', async (slot) => {
    const sent = sentIn(slot)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    const good = await executionOf(chain)
    for (const headers of [client, headersFrom(chain)]) {
      const source = createBlobSource({
        ...{ verifier, headers, now, beacon: await beaconOf(chain), execution: [liar, good] },
      })
      const result = quietly(await source.get({ transaction: sent.hash }))
      expectTrue(result, sent.block, sent.places)
      expect(result).toMatchObject({ verdict: 'complete', execution: { hash: sent.execution.hash } })
      const shares = result.report.sources.filter(({ role }) => role === 'execution')
      expect(shares.find(({ source: name }) => name === liar)?.failures).toMatchObject([{ kind: 'behind' }])
      expect(shares.find(({ source: name }) => name === good)?.failures).toEqual([])
    }
  })

  /** Headers of the chain, but for one that never comes, to whoever waits for it; and who does so no longer. */
  const withoutEnd = (slow: number): { headers: HeaderSource; left: Promise<void> } => {
    const { promise: left, resolve: leave } = later()
    const headers: HeaderSource = {
      async resolve(id, options) {
        if (id !== slow) return await headersFrom(chain).resolve(id, options)
        options.signal?.addEventListener('abort', () => leave())
        return await new Promise(() => {})
      },
    }
    return { headers, left }
  }

  it('takes a second, and not all of it, where the header of its slot is long in coming', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(FULU - 9))
    const { headers, left } = withoutEnd(FULU - 9)
    const result = await getSent(sent, [liar, await executionOf(chain)], { headers, deadlineMs: 60_000 })
    expect(result).toMatchObject({ verdict: 'complete', execution: { hash: sent.execution.hash } })
    expect(result.report.timings.headerMs).toBeLessThan(30_000)
    expect(result.report.sources.find(({ source }) => source === liar)?.failures).toMatchObject([
      { kind: 'behind' },
    ])
    // The header is not waited for after the call, either.
    await left
  })

  it('alone has a transaction whose header did not come in time', async () => {
    const sent = sentIn(FULU)
    const { headers } = withoutEnd(FULU - 9)
    const result = await getSent(sent, await executionOf(inSlot(FULU - 9)), { headers, deadlineMs: 1_000 })
    expect(result).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header', transaction: { hash: sent.hash } },
      detail: 'the header could not be had in time',
    })
  })

  it('leaves nothing to be done once an honest one has the answer', async () => {
    const [liar, honest] = [100_000, FULU].map((slot) => provenIn(slot))
    const late = later<Resolution>()
    const headers: HeaderSource = {
      resolve: async (slot) =>
        slot === FULU
          ? { status: 'found', header: { root: `0x${'bb'.repeat(32)}`, slot: FULU } }
          : await late.promise,
    }
    let placed: Promise<unknown> | undefined
    const execution: ExecutionSource = {
      header: async () => null,
      async transaction(_hash, { isOfChain }) {
        placed = isOfChain!(liar!)
        expect(await isOfChain!(honest!)).toBe('yes')
        return honest!
      },
    }
    await time.during(async () => {
      const query = { kind: 'transaction', hash: honest!.hash } as const
      const start = startFromExecution(callOf(headers, 10_000), execution, query, null)
      expect(await time.until(start)).toMatchObject({ conclusion: null })
      late.resolve({ status: 'unknown', detail: 'not known here' })
      expect(await placed).toBe('unknown')
      expect(time.timers).toBe(0)
    })
  })

  it('alone has a transaction whose beacon block is not known', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    for (const others of [
      [],
      ['http://127.0.0.1:9'],
      [await executionOf(chain, { fault: { kind: 'status', code: 404 } })],
    ]) {
      const result = await getSent(sent, [liar, ...others])
      expect(result).toMatchObject({
        ...{ verdict: 'unknown', reason: 'no-header', blobs: [] },
        ...{
          transaction: { hash: sent.hash },
          links: { transaction: 'verified', 'execution-block': 'absent' },
        },
      })
      const share = result.report.sources.find(({ source }) => source === liar)
      // Nothing says that it is wrong.
      expect(share).toMatchObject({ failures: [], refused: [], requests: expect.any(Number) as number })
    }
  })

  it('beside one that is silent ends the wait early', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    const silent = await executionOf(chain, { fault: { kind: 'delay', ms: 600_000 } })
    const result = await getSent(sent, [liar, silent], { timeoutMs: 600_000, deadlineMs: 10_000 })
    expect(result).toMatchObject({
      verdict: 'unknown',
      reason: 'no-header',
      transaction: { hash: sent.hash },
    })
  })

  it('gives the others no more time by being the second such one', async () => {
    const sent = sentIn(FULU)
    const liars = await Promise.all([1, 2].map((n) => executionOf(inSlot(chain.head.slot + n * 100_000))))
    const silent = await executionOf(chain, { fault: { kind: 'delay', ms: 600_000 } })
    const { performance, setTimeout: start } = globalThis
    const tell = performance.now.bind(performance)
    let late = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => tell() + late)
    // After the first one half of the time goes by, and so does the third that the others had.
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms = 0) => {
      if (ms > 90_000 && ms <= 100_000) late = 150_000
      return start(callback, ms)
    }) as typeof setTimeout)
    onTestFinished(() => {
      timers.mockRestore()
      clock.mockRestore()
    })
    const result = await getSent(sent, [...liars, silent], { timeoutMs: 600_000, deadlineMs: 300_000 })
    expect(late).toBe(150_000)
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'no-header' })
  })

  it('ends no call, by being the second such one, while the block of an honest one is being placed', async () => {
    const [liar, honest, other] = [100_000, FULU, 200_000].map((slot) => provenIn(slot))
    const root = `0x${'bb'.repeat(32)}`
    const header = later<Resolution>()
    const headers: HeaderSource = {
      resolve: async (slot) =>
        slot === FULU ? await header.promise : { status: 'unknown', detail: 'not known here' },
    }
    const execution: ExecutionSource = {
      header: async () => null,
      async transaction(_hash, { isOfChain, signal }) {
        expect(await isOfChain!(liar!)).toBe('unknown')
        const placed = isOfChain!(honest!)
        expect(await isOfChain!(other!)).toBe('unknown')
        await time.pass(4_000)
        expect(signal.aborted).toBe(false)
        header.resolve({ status: 'found', header: { root, slot: FULU } })
        expect(await placed).toBe('yes')
        return honest!
      },
    }
    await time.during(async () => {
      const start = startFromExecution(
        callOf(headers, 10_000),
        execution,
        { kind: 'transaction', hash: honest!.hash },
        null,
      )
      expect(await time.until(start)).toMatchObject({ target: { name: root }, conclusion: null })
    })
  })

  /** A transaction in a block of that slot, proven. */
  function provenIn(slot: number): ProvenTransaction {
    const header = {
      ...{ hash: `0x${slot.toString(16).padStart(64, '0')}`, rlp: new Uint8Array(), number: slot },
      ...{ timestamp: chain.network.genesisTime + 12 * slot, parentHash: zeros, transactionsRoot: zeros },
      ...{ blobGasUsed: 131_072, parentBeaconBlockRoot: zeros, slotNumber: null },
    }
    return { hash: zeros, index: 0, versionedHashes: [zeros], firstBlob: null, header }
  }

  /** A call that may take so long, with these headers and a beacon endpoint that has nothing. */
  function callOf(headers: HeaderSource, deadlineMs: number): Call {
    const { parts } = readParts({
      ...{ verifier, headers, now, beacon: 'http://node.invalid', timeoutMs: 10_000, requestsPerEndpoint: 2 },
      fetch: async () => new Response(null, { status: 404 }),
    })
    return {
      ...{
        parts: parts as Call['parts'],
        shares: new Shares(new AbortController().signal),
        notify: () => {},
        signal: undefined,
      },
      ...{ until: new AbortController().signal, beganAt: performance.now() },
      endsAt: performance.now() + deadlineMs,
    }
  }
})

describe('an anchor of the execution layer', () => {
  const headerOf = ({ execution }: Sent): { executionHeader: { rlp: Uint8Array } } => ({
    executionHeader: { rlp: execution.header },
  })
  const childOf = ({ execution }: Sent): ExecutionBlock => chain.execution!.byNumber(execution.number + 1)!

  it.each([FULU, GLOAS])('that is the very block: blobs by their hashes alone (slot %i)', async (slot) => {
    const sent = sentIn(slot)
    const url = await executionOf(chain)
    for (const anchor of [
      headerOf(sent),
      { executionHeader: { hash: sent.execution.hash.toUpperCase().replace('0X', '0x') } },
    ]) {
      const result = await getSent(sent, url, { headers: nobody, anchor })
      expect(result).toMatchObject({
        ...{ verdict: 'complete', wanted: sent.hashes.length, block: null },
        execution: { hash: sent.execution.hash },
        links: {
          ...{ kzg: 'verified', 'versioned-hash': 'verified', inclusion: 'absent', header: 'absent' },
          ...{ transaction: 'verified', 'execution-block': 'trusted' },
        },
      })
      expect(result.blobs.map(({ blob }) => toHex(blob))).toEqual(
        sent.places.map((at) => toHex(sent.block.blobs[at]!.blob)),
      )
      expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(sent.hashes)
    }
  })

  it.each([
    ['as RLP', FULU],
    ['as RLP', GLOAS],
    ['by its hash', FULU],
  ])('that is the next block names the beacon block (%s, slot %i)', async (how, slot) => {
    const sent = sentIn(slot)
    const { hash, header } = childOf(sent)
    const anchor = { executionHeader: how === 'as RLP' ? { rlp: toHex(header) } : { hash } }
    const result = await getSent(sent, await executionOf(chain), { headers: nobody, anchor })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', block: { slot, root: sent.block.root } },
      links: {
        ...{ kzg: 'verified', 'versioned-hash': 'verified', inclusion: 'verified', header: 'trusted' },
        ...{ transaction: 'verified', 'execution-block': 'trusted' },
      },
    })
    const all = await get({ blockHash: sent.execution.hash, anchor }, await executionOf(chain), {
      headers: nobody,
    })
    expectTrue(all, sent.block)
    expect(all.verdict).toBe('complete')
  })

  it('that comes after an empty block of Gloas names that one, which is not taken for the block', async () => {
    const sent = sentIn(BEFORE_EMPTY)
    const anchor = { executionHeader: { rlp: childOf(sent).header } }
    const result = await getSent(sent, await executionOf(chain), { headers: nobody, anchor })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', block: null },
      links: { 'versioned-hash': 'verified', 'execution-block': 'trusted', header: 'absent' },
    })
  })

  it.each([1, Infinity])(
    'after an empty block, where %d requests for blocks fail, is not taken for it',
    async (requests) => {
      const sent = sentIn(BEFORE_EMPTY)
      const anchor = { executionHeader: { rlp: childOf(sent).header } }
      const options = { headers: nobody, fetch: lagging(requests), anchor }
      expect(await getSent(sent, await executionOf(chain), options)).toMatchObject({
        ...{ verdict: 'complete', block: null },
        links: { 'versioned-hash': 'verified', 'execution-block': 'trusted', header: 'absent' },
      })
      const query = { blockHash: sent.execution.hash, anchor }
      const all = await get(query, await executionOf(chain), { headers: nobody, fetch: lagging(requests) })
      expect(all).toMatchObject({
        ...{ verdict: 'unknown', reason: requests === 1 ? 'no-header' : 'no-block', blobs: [] },
      })
    },
  )

  it.each([FULU, GLOAS])('that is the next block names it where it is late, too (slot %i)', async (slot) => {
    const sent = sentIn(slot)
    const anchor = { executionHeader: { rlp: childOf(sent).header } }
    const options = (): Partial<BlobSourceOptions> => ({ headers: nobody, fetch: lagging(1) })
    expect(await getSent(sent, await executionOf(chain), { ...options(), anchor })).toMatchObject({
      ...{ verdict: 'complete', block: { slot, root: sent.block.root } },
      links: { inclusion: 'verified', 'execution-block': 'trusted' },
    })
    const all = await get({ blockHash: sent.execution.hash, anchor }, await executionOf(chain), options())
    expectTrue(all, sent.block)
    expect(all.verdict).toBe('complete')
  })

  it.each([FULU, GLOAS])(
    'that is the very block asks nobody for what it is itself (slot %i)',
    async (slot) => {
      const block = chain.at(slot)!
      const { hash, header } = block.execution!
      const query = { blockHash: hash, anchor: { executionHeader: { rlp: header } } }
      const result = await get(query, 'http://127.0.0.1:9')
      expectTrue(result, block)
      expect(result).toMatchObject({
        verdict: 'complete',
        execution: { hash },
        links: { header: 'verified' },
      })
      expect(result.report.sources.filter(({ role }) => role === 'execution')).toEqual([])
    },
  )

  it('gives way to a light client', async () => {
    const sent = sentIn(FULU)
    const result = await getSent(sent, await executionOf(chain), { anchor: headerOf(sent) })
    expect(result).toMatchObject({ verdict: 'complete', links: allLinks })
  })

  it('of another block says that this one is not of its chain', async () => {
    const [sent, other] = [sentIn(FULU), sentIn(FULU - 1)]
    const result = await getSent(sent, await executionOf(chain), { headers: nobody, anchor: headerOf(other) })
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [] })
    expect(result.detail).toMatch(/neither the block of the anchor nor the one before it$/)
  })

  it('and no header source: without it, the header is not known', async () => {
    expect(await getSent(sentIn(FULU), await executionOf(chain), { headers: nobody })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header', detail: 'nobody knows', blobs: [] },
    })
    const { execution } = sentIn(FULU)
    const anchor = { executionHeader: { hash: execution.hash } }
    expect(
      await get({ blockHash: execution.hash, anchor }, await executionOf(chain), { headers: nobody }),
    ).toMatchObject({ verdict: 'unknown', reason: 'no-header' })
  })
})

describe('misuse', () => {
  it.each<[string, object]>([
    ['two things at once', { slot: 1, root: `0x${'00'.repeat(32)}` }],
    ['nothing', {}],
    ['no slot', { slot: -1 }],
    ['a slot in words', { slot: 'genesis' }],
    ['a head with hashes', { slot: 'head', versionedHashes: [`0x${'01'.repeat(32)}`] }],
    ['no root', { root: '0x12' }],
    ['no hashes', { versionedHashes: [] }],
    ['a hash that is none', { versionedHashes: ['0x01'] }],
    [
      'hashes of a transaction',
      { transaction: `0x${'00'.repeat(32)}`, versionedHashes: [`0x${'01'.repeat(32)}`] },
    ],
    ['an anchor of a slot', { slot: 1, anchor: { executionHeader: { hash: `0x${'00'.repeat(32)}` } } }],
    ['an anchor that is none', { transaction: `0x${'00'.repeat(32)}`, anchor: { executionHeader: {} } }],
    [
      'an anchor that is no header',
      { transaction: `0x${'00'.repeat(32)}`, anchor: { executionHeader: { rlp: '0xc0' } } },
    ],
    ['an unknown option', { slot: 1, retries: 3 }],
    ['a deadline that is none', { slot: 1, deadlineMs: 0 }],
    ['a signal that is none', { slot: 1, signal: {} }],
    ['a listener that is none', { slot: 1, onProgress: 1 }],
    ['a call without a query', null as never],
  ])('is a TypeError: %s', async (_name, query) => {
    const source = createBlobSource({
      ...{ verifier, headers: nobody, beacon: 'http://127.0.0.1:9', execution: 'http://127.0.0.1:9' },
    })
    await expect(source.get(query as never)).rejects.toThrow(TypeError)
  })

  it('is a clock that gives no number', () => {
    const options = { verifier, headers: nobody, beacon: 'http://127.0.0.1:9' }
    for (const now of [() => new Date(), () => Number.NaN])
      expect(() => createBlobSource({ ...options, now: now as () => number })).toThrow(
        /^now must return milliseconds since 1970 as a number/,
      )
  })

  it('is a light client of another network than the verifier’s', async () => {
    const stranger = await createVerifier({ network: 'sepolia', workers: 0, cache: false })
    onTestFinished(() => stranger.dispose())
    expect(() =>
      createBlobSource({ verifier: stranger, headers: client, beacon: 'http://127.0.0.1:9' }),
    ).toThrow(/^headers is a light client of another network/)
  })

  it('is to ask for a transaction without an execution layer', async () => {
    const source = createBlobSource({ verifier, headers: nobody, beacon: 'http://127.0.0.1:9' })
    await expect(source.get({ transaction: `0x${'00'.repeat(32)}` })).rejects.toThrow(/execution/)
  })
})
