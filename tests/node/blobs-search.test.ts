/** The search for the blobs of one block by itself: what ends it, what it goes on with, and what is concluded. */
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BlobCache } from 'blobcheck/blobs'
import { answerFrom } from '../../dist/blobs/answer.js'
import type { Claim } from '../../dist/blobs/placement.js'
import type { SearchTarget } from '../../dist/blobs/search.js'
import { startAtTarget, startWithout } from '../../dist/blobs/start.js'
import { DisposedError } from '../../dist/runtime/errors.js'
import { BLOB_BYTES, never, range, turn } from '../support/make.ts'
import {
  blob,
  commitments,
  giving,
  join,
  type Node,
  readsBlock,
  sidecar,
  verified,
} from '../support/sample-context.ts'
import { chainParts, firstOf, vouched, word } from '../support/sampled-chain.ts'
import { byHashes, callIn, hashes, resultIn, searchIn } from '../support/searches.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()

/** That the block has an execution block, which nothing has shown yet. */
const claim = (more: Partial<Claim> = {}): Claim => ({
  ...{ hash: word(5), isTrusted: false, mayBeLater: false },
  ...more,
})
/** A node that has the block, and what another one has beside that. */
const withBlock =
  (other: Node = () => 404): Node =>
  (question) =>
    question.what === 'block' ? new Uint8Array(9) : other(question)
/** A node with bare blobs, all of them. */
const bare =
  (blobs: readonly Uint8Array<ArrayBuffer>[]): Node =>
  ({ what }) =>
    what === 'blobs' ? join(blobs) : 404

describe('by the slot of a block', () => {
  it.each<[string, Partial<SearchTarget>, object]>([
    [
      'there were no blobs yet',
      { selection: 'all' },
      { verdict: 'none', reason: 'before-deneb', detail: null, wanted: 0 },
    ],
    [
      'nor any that hashes could be of',
      { selection: hashes(2) },
      {
        ...{ verdict: 'none', reason: 'before-deneb', wanted: 2 },
        detail: 'there were no blobs yet: none of the 2 versioned hashes can be of it',
      },
    ],
    [
      'whatever execution block it has',
      { selection: 'all', claim: claim() },
      { verdict: 'none', reason: 'before-deneb', detail: null },
    ],
    [
      'so that an execution block with blobs is another one than its own',
      { selection: hashes(2), claim: claim() },
      { verdict: 'unknown', reason: 'not-of-the-chain', detail: 'there were no blobs yet', block: null },
    ],
  ])('before Deneb %s', async (_, target, expected) => {
    const chain = chainParts({})
    const slot = firstOf.none
    const result = await resultIn({ chain }, { header: { root: word(1), slot }, slot, ...target })
    expect(result).toMatchObject(expected)
    expect(result.asked).toEqual([])
  })
})

describe('a header of a light client that says that there are no blobs', () => {
  const header = vouched({ slot: firstOf.columns, root: word(1) }, 0)
  const target = { header, name: header.root, slot: header.slot }

  it('is enough, and nobody is asked', async () => {
    const result = await resultIn({ chain: chainParts({}) }, target)
    expect(result).toMatchObject({ verdict: 'none', reason: 'no-blobs', detail: null, wanted: 0 })
    expect(result.asked).toEqual([])
  })

  it('says nothing of hashes that may be of another block', async () => {
    const chain = chainParts({ giveBlock: () => 404 })
    const result = await resultIn({ chain }, { ...target, selection: hashes(1) })
    expect(result.asked).toContain('block')
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'no-block' })
  })
})

describe('a block of Gloas of which an execution block is claimed to be the own', () => {
  it('has none of the chain where its payload was not revealed', async () => {
    const [own, next] = [firstOf.bids, firstOf.bids + 1].map((slot, at) => ({ slot, root: word(at + 1) }))
    const chain = chainParts({
      resolve: (slot) => (slot === next!.slot ? { status: 'found', header: next! } : { status: 'no-block' }),
      blocks: [
        { ...own!, promised: 5, blobs: 1 },
        { ...next!, parentRoot: own!.root, builtOn: 4, promised: 6 },
      ],
    })
    const target = { header: own!, name: own!.root, slot: own!.slot }
    const revealed = { status: 'empty', blockHash: word(5), child: next }
    expect(await resultIn({ chain }, { ...target, claim: claim() })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-of-the-chain', block: null, payload: revealed },
      detail: 'its payload was not revealed in time',
    })
    // That of the block itself is said otherwise.
    expect(await resultIn({ chain }, target)).toMatchObject({
      ...{ verdict: 'none', reason: 'payload-not-revealed', block: own, payload: revealed },
    })
  })
})

describe('a block that turns out to have another execution block', () => {
  /** Nothing but the block is ever answered, and that after so long. */
  const late =
    (ms: number): Node =>
    async ({ what }) =>
      what === 'block' ? await turn(ms).then(() => new Uint8Array(9)) : await never()

  it('ends the search at once, whatever is asked for meanwhile', async () => {
    await time.during(async () => {
      const world = { nodes: { a: late(20_000) }, readBlock: readsBlock(commitments(2)) }
      const result = await time.until(resultIn(world, { selection: hashes(2), claim: claim() }), 20_000)
      expect(result).toMatchObject({
        ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [] },
        detail: expect.stringMatching(/^the beacon block of slot \d+ has another: none$/) as string,
      })
      expect(result.asked.length).toBeGreaterThan(1)
    })
  })

  it('is asked for nothing more once the place of one of its blobs has shown it', async () => {
    const nodes = { a: giving('sidecars', 3, () => 'true') }
    const others = hashes(6).slice(3)
    const result = await resultIn({ nodes }, { selection: others, claim: claim() })
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'not-of-the-chain' })
    expect(result.detail).toMatch(/does not have the transaction’s blobs$/)
    expect(result.asked.filter((question) => question.startsWith('sidecars'))).toEqual(['sidecars 0'])
  })
})

describe('a search that others wait for', () => {
  /** Of two blobs, each in a file of its own, the one that is named takes 5 s to verify. */
  const slow = (nth: number): Parameters<typeof resultIn>[0] => {
    let calls = 0
    const files = range(2).map((index) => ({
      ...{ name: `file ${index}`, kind: 'blob-sidecars' as const },
      bytes: sidecar(index, 2),
    }))
    return { files, verifying: async () => (calls++ === nth ? await turn(5_000) : undefined) }
  }

  it.each([
    ['is ended where its share of the time has shown nothing', 0, 'unknown'],
    ['goes on where it has', 1, 'complete'],
  ])('%s', async (_, nth, verdict) => {
    await time.during(async () => {
      expect(await time.until(resultIn(slow(nth), {}, 1_000))).toMatchObject({ verdict })
    })
  })
})

describe('a result', () => {
  /** The block is here after 20 ms, and its blobs 300 ms later. */
  const slow: Node = async ({ what }) => {
    await turn(what === 'block' ? 20 : 300)
    return what === 'block' ? new Uint8Array(9) : what === 'blobs' ? blob(0) : 404
  }
  const world = { nodes: { a: slow }, readBlock: readsBlock(commitments(1)) }

  it('tells what became of the time, what its block is and what it rests on', async () => {
    await time.during(async () => {
      await time.pass(70)
      const { call, target } = callIn(world)
      await time.pass(10)
      const result = await time.until(answerFrom(call, startAtTarget(target), 'all', null))
      expect(result.report).toMatchObject({
        ...{ via: ['blobs'], bytes: BLOB_BYTES + 9 },
        timings: { headerMs: 10, blockMs: 20, blobsMs: 300, totalMs: 330 },
      })
      const { slot, root } = target.header!
      expect(result).toMatchObject({
        ...{
          verdict: 'complete',
          detail: null,
          wanted: 1,
          payload: null,
          execution: null,
          transaction: null,
        },
        ...{ block: { slot, root, commitments: commitments(1) } },
        links: {
          ...verified,
          'versioned-hash': 'absent',
          transaction: 'absent',
          'execution-block': 'absent',
        },
      })
    })
  })

  it('leaves nothing behind: no timer, nothing that waits for a signal', async () => {
    await time.during(async () => {
      const [signal, until] = [new AbortController().signal, new AbortController().signal]
      const result = await time.until(resultIn({ ...world, signal, until }, {}, 50_000))
      expect(result).toMatchObject({ verdict: 'complete' })
      expect(time.timers).toBe(0)
      for (const one of [signal, until]) expect(getEventListeners(one, 'abort')).toEqual([])
    })
  })

  it('is none for a caller who has gone, and nobody is asked', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    const { call, target, asked } = callIn({ ...world, signal })
    await expect(answerFrom(call, startAtTarget(target), 'all', null)).rejects.toThrow('gone')
    const known = startWithout({ verdict: 'none', reason: 'empty-slot', detail: null })
    await expect(answerFrom(call, known, 'all', null)).rejects.toThrow('gone')
    expect(asked).toEqual([])
  })
})

it('what is certain is not said to want for time', async () => {
  const { call } = callIn()
  call.shares.waiting.isCutOff = true
  const certain = startWithout({ verdict: 'none', reason: 'no-blobs', detail: null })
  expect(await answerFrom(call, certain, 'all', null)).toMatchObject({ verdict: 'none', detail: null })
})

describe('blobs that are here before their block', () => {
  const found = (at: number): Parameters<ReturnType<typeof searchIn>['search']['take']>[0] => ({
    ...{ index: null, commitment: null, versionedHash: hashes(3)[at]!, blob: blob(at) },
    ...{ via: 'blobs', links: verified },
  })

  it('are kept once it is, and have their places in it', () => {
    const { search } = searchIn({}, { selection: [hashes(3)[2]!, hashes(3)[1]!], areOwnHashes: true })
    onTestFinished(() => search.release())
    search.take(found(2), [])
    search.learnCommitments(commitments(3), verified)
    const places = search.wanted!.blobs.map(({ index, commitment }) => [index, commitment])
    expect(places).toEqual([[2, commitments(3)[2]]])
    expect(search.missing.map(({ index }) => index)).toEqual([1])
  })
})

describe('a cache', () => {
  const cacheOf = (get: BlobCache['get']): BlobCache => ({ get, put: async () => {} })
  const target = { selection: hashes(1) }
  const known = { nodes: { a: withBlock() }, readBlock: readsBlock(commitments(1)) }

  it('gives blobs that rest on what is known of their block', async () => {
    const result = await resultIn({ ...known, cache: cacheOf(async () => blob(0)) }, target)
    expect(result).toMatchObject({
      ...{ verdict: 'complete', report: { via: ['cache'] } },
      links: { ...verified, 'versioned-hash': 'verified' },
    })
  })

  it('may have what our own workers could not look at, which is said, and others are asked', async () => {
    const cache = cacheOf(async () => blob(0, 'crashing'))
    const lost = await resultIn({ ...known, cache }, target)
    expect(lost).toMatchObject({ verdict: 'missing', reason: 'crashed' })
    const failures = [{ kind: 'crashed', detail: 'not verified: worker-crashed' }]
    expect(lost.report.sources.find(({ role }) => role === 'cache')).toMatchObject({ failures, refused: [] })
    expect(lost.asked).toContain('blobs')
    expect(await resultIn({ cache }, byHashes(hashes(1)))).toMatchObject({
      ...{ verdict: 'missing', reason: 'crashed' },
    })
    const nodes = { a: withBlock(bare([blob(0)])) }
    expect(await resultIn({ ...known, nodes, cache }, target)).toMatchObject({ verdict: 'complete' })
  })

  it('is not what fails where the verifier is gone', async () => {
    const gone = new DisposedError()
    const verifying = async (): Promise<void> => await Promise.reject(gone)
    const world = { ...known, verifying, cache: cacheOf(async () => blob(0)) }
    await expect(resultIn(world, target)).rejects.toBe(gone)
  })
})

describe('our own workers', () => {
  const readBlock = readsBlock(commitments(1))
  it.each<[string, Node, object]>([
    ['a bare blob', bare([blob(0, 'crashing')]), {}],
    ['the cells of a blob', giving('columns', 1, () => 'true'), { rebuild: () => null }],
  ])('that crash over %s are named, and nobody else', async (_, node, more) => {
    const result = await resultIn({ nodes: { a: withBlock(node) }, readBlock, ...more })
    expect(result).toMatchObject({ verdict: 'missing', reason: 'crashed', blobs: [] })
    expect(result.detail).toMatch(/^1 of 1 blobs is missing; our own workers crashed/)
    expect(result.report.sources.flatMap(({ refused }) => refused)).toEqual([])
  })
})
