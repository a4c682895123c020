/** From a transaction or an execution block to its blobs, over a light client or the caller’s word, and servers of the execution layer that lie about what they have. */
import type { BlobSourceOptions, HeaderSource } from 'blobcheck/blobs'
import type { ExecutionLie, FaultRule } from 'blobcheck/serve'
import { describe, expect, it } from 'vitest'
import { lies } from '../../dist/serve/faults/faults.js'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, headersFrom } from '../support/blob-sources.ts'
import { startRpc } from '../support/json-rpc-server.ts'
import {
  allLinks,
  BEFORE_EMPTY,
  chain,
  client,
  executionOf,
  forged,
  FULU,
  get,
  getSent,
  GLOAS,
  isWithheld,
  lagging,
  sentIn,
  transactionsOf,
  useTransactions,
} from '../support/sent-blobs.ts'

useTransactions()

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

const lying = (about: ExecutionLie): Promise<string> => executionOf(chain, { fault: { kind: 'lie', about } })

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
