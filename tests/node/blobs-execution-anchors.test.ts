/** Anchors of the execution layer: a block that the caller trusts, in the place of a light client. */
import type { BlobSourceOptions } from 'blobcheck/blobs'
import type { ExecutionBlock } from 'blobcheck/serve'
import { describe, expect, it } from 'vitest'
import { expectTrue } from '../support/blob-sources.ts'
import { toHex } from '../support/bytes.ts'
import {
  allLinks,
  BEFORE_EMPTY,
  chain,
  executionOf,
  FULU,
  get,
  getSent,
  GLOAS,
  lagging,
  nobody,
  type Sent,
  sentIn,
  useTransactions,
} from '../support/sent-blobs.ts'

useTransactions()

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
