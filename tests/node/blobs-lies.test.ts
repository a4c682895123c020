/** A blob source and endpoints that lie, fail or are silent, alone and beside an honest one; and whatever they do, no byte that is not the chain's. */
import { createVerifier, type VerdictCache, type Verifier } from 'blobcheck'
import {
  type BlobCache,
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
  type SidecarFile,
} from 'blobcheck/blobs'
import type { ChainBlock, FaultRule, MadeChain } from 'blobcheck/serve'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { placeBlobs } from '../../dist/blobs/forms/place-blobs.js'
import { allOf } from '../../dist/blobs/wanted.js'
import { DataColumnSidecar } from '../../dist/serve/ssz/sidecars.js'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { flip, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { range, seeded } from '../support/make.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { handChain } from '../support/served.ts'
import { listSsz } from '../support/ssz.ts'

const { random } = Math
let chain: MadeChain
let verifier: Verifier
let block: ChainBlock
beforeAll(async () => {
  Math.random = seeded(1)
  chain = await handChain({ slots: 6, blobsPerBlock: 3 })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
  block = chain.head
})
afterAll(async () => {
  Math.random = random
  await verifier.dispose()
})

async function get(
  beacon: readonly string[],
  options: Partial<BlobSourceOptions> = {},
  query: GetBlobsOptions = { slot: 'head' },
): Promise<BlobsResult> {
  const source = createBlobSource({
    ...{ verifier, headers: headersFrom(chain), beacon, now: () => chain.now(), timeoutMs: 20_000 },
    ...options,
  })
  const result = quietly(await source.get(query))
  expectTrue(result, block)
  return result
}

const DATA = ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const
const on = (fault: FaultRule['fault'], routes: FaultRule['routes'] & object = DATA): FaultRule => ({
  ...{ fault, routes },
})
const shareOf = (result: BlobsResult, source: string): BlobsResult['report']['sources'][number] =>
  result.report.sources.find((share) => share.source === source)!

const faults: [string, FaultRule['fault']][] = [
  ['false cells', { kind: 'corrupt', part: 'cell' }],
  ['false proofs', { kind: 'corrupt', part: 'proof' }],
  ['false commitments', { kind: 'corrupt', part: 'commitment' }],
  ['false branches', { kind: 'corrupt', part: 'branch' }],
  ['false headers', { kind: 'corrupt', part: 'header' }],
  ['false indices', { kind: 'corrupt', part: 'index' }],
  ['hidden blobs', { kind: 'hide-blobs' }],
  ['answers that are cut', { kind: 'truncate', at: 0.6 }],
  ['answers that are too long', { kind: 'oversized', bytes: 100_000 }],
  ['another type', { kind: 'content-type', value: 'text/html' }],
  ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:9/' }],
  ['status 500', { kind: 'status', code: 500 }],
  ['status 404', { kind: 'status', code: 404 }],
  ['status 400', { kind: 'status', code: 400 }],
  ['too few columns', { kind: 'withhold', columns: 65 }],
]

const hide = (routes: FaultRule['routes'] & object): FaultRule[] =>
  routes.map((route) => on({ kind: 'status', code: 404 }, [route]))
/** Whether it falsifies what bare blobs do not have. */
const NOBODY = 'everyone who was asked answered, and nobody has them'
const UNANSWERED = 'not every request was answered'
const isInProofs = (fault: FaultRule['fault']): boolean => fault.kind === 'corrupt' && fault.part !== 'cell'

/** That whoever has a fault was asked for what it makes false or hides, and that it is told. `isPassedOver`: unless that is no failure. */
function expectNamed(
  { failures, refused, requests }: ReturnType<typeof shareOf>,
  { kind }: FaultRule['fault'],
  isPassedOver = kind === 'withhold',
): void {
  if (isPassedOver) expect(requests).toBeGreaterThan(failures.length)
  else expect(kind === 'corrupt' ? refused : failures).not.toEqual([])
}

describe('a server with', () => {
  it.each(faults)('%s, asked first, hides nothing that an honest one has', async (_name, fault) => {
    const hidden = hide(fault.kind === 'withhold' || isInProofs(fault) ? ['blobs', 'blob_sidecars'] : [])
    const [bad, good] = [await beaconOf(chain, ...hidden, on(fault)), await beaconOf(chain, ...hidden)]
    // The first one is asked for the block, and then the other one for its data, since it may be the quicker.
    for (const urls of [
      [bad, good],
      [good, bad],
    ]) {
      const result = await get(urls)
      expect(result).toMatchObject({ verdict: 'complete', reason: 'verified' })
      if (urls[1] === bad) expectNamed(shareOf(result, bad), fault)
    }
  })

  it.each(faults.filter(([, fault]) => isInProofs(fault)))(
    '%s in its blob sidecars',
    async (_name, fault) => {
      const hidden = hide(['blobs', 'data_column_sidecars'])
      const [bad, good] = [await beaconOf(chain, ...hidden, on(fault)), await beaconOf(chain, ...hidden)]
      const result = await get([good, bad])
      expect(result).toMatchObject({ verdict: 'complete' })
      // A sidecar of an index that was not asked for is passed over, and those are few that are asked of one server.
      const isPassedOver = fault.kind === 'corrupt' && fault.part === 'index'
      expectNamed(shareOf(result, bad), fault, isPassedOver)
    },
  )

  it.each(faults.filter(([, fault]) => !isInProofs(fault)))(
    '%s, beside one that has columns alone',
    async (_name, fault) => {
      const hidden = hide(['blobs', 'blob_sidecars'])
      const bad = await beaconOf(chain, ...(fault.kind === 'withhold' ? hidden : []), on(fault))
      const result = await get([await beaconOf(chain, ...hidden), bad])
      expect(result).toMatchObject({ verdict: 'complete' })
      expectNamed(shareOf(result, bad), fault)
    },
  )

  it.each([
    ['false cells', { kind: 'corrupt', part: 'cell' }, 'false', 'what URL gave for them is false'],
    ['hidden blobs', { kind: 'hide-blobs' }, 'not-served', NOBODY],
    ['status 500', { kind: 'status', code: 500 }, 'unreachable', `${UNANSWERED}: URL (server-error)`],
    ['status 401', { kind: 'status', code: 401 }, 'unreachable', `${UNANSWERED}: URL (refused)`],
    ['status 405', { kind: 'status', code: 405 }, 'unreachable', `${UNANSWERED}: URL (no-route)`],
    ['status 404', { kind: 'status', code: 404 }, 'not-served', NOBODY],
  ] as const)('%s alone gives nothing, and that is said', async (_name, fault, reason, why) => {
    const url = await beaconOf(chain, on(fault))
    const result = await get([url])
    expect(result).toMatchObject({ verdict: 'missing', reason, blobs: [], wanted: 3 })
    expect(result.detail).toBe(`3 of 3 blobs are missing; ${why.replace('URL', url)}`)
    const { failures, refused } = shareOf(result, url)
    expect(failures.length + refused.length).toBeGreaterThan(0)
    expect(refused.length > 0).toBe(reason === 'false')
  })

  it('each that is why blobs are missing is named for what it did', async () => {
    const [liar, failing, denying] = await Promise.all([
      beaconOf(chain, on({ kind: 'corrupt', part: 'cell' })),
      beaconOf(chain, on({ kind: 'status', code: 503 })),
      beaconOf(chain, on({ kind: 'hide-blobs' })),
    ])
    const result = await get([liar, failing, denying])
    expect(result).toMatchObject({ verdict: 'missing', reason: 'unreachable' })
    expect(result.detail).toBe(
      `3 of 3 blobs are missing; what ${liar} gave for them is false; ${UNANSWERED}: ${failing} (server-error)`,
    )
  })

  it('an answer whose last column is cut off accuses nobody, and is named', async () => {
    const path = `/eth/v1/debug/beacon/data_column_sidecars/${block.root}`
    const indices = Array.from({ length: 64 }, (_, index) => index).join()
    const answer = await fetch(`${await beaconOf(chain)}${path}?indices=${indices}`, {
      headers: { accept: 'application/octet-stream' },
    })
    const cut = new Uint8Array(await answer.arrayBuffer()).slice(0, -10)
    const { url } = await startServer(({ pathname }) =>
      pathname.startsWith('/eth/v2/beacon/blocks/')
        ? { ssz: block.block!.ssz(), json: null, version: block.version }
        : pathname === path
          ? { ssz: cut, json: null, version: block.version }
          : null,
    )
    const result = await get([url])
    expect(result).toMatchObject({ verdict: 'missing', reason: 'unreachable' })
    expect(result.detail).toBe(`3 of 3 blobs are missing; an answer of ${url} could not be read`)
    const { failures, refused } = shareOf(result, url)
    expect(refused).toEqual([])
    expect(failures).toContainEqual({ kind: 'malformed', detail: '1 of 64 sidecars do not decode' })
  })

  it('one false blob loses that one alone, and is named for it', async () => {
    const one = await beaconOf(
      chain,
      on({ kind: 'corrupt', part: 'cell', indices: [1] }, ['blobs']),
      on({ kind: 'status', code: 404 }, ['blob_sidecars', 'data_column_sidecars']),
    )
    const result = await get([one])
    expect(result).toMatchObject({ verdict: 'partial', reason: 'false' })
    expect(result.blobs.map(({ index }) => index)).toEqual([0, 2])
    expect(shareOf(result, one).refused).toEqual([
      { what: 'blob 1 of its answer', reason: 'commitment-mismatch' },
    ])
    // The honest one answers later, and is left with what is missing.
    const slow = await beaconOf(chain, on({ kind: 'delay', ms: 1_000 }, ['blobs']))
    const both = await get([slow, one])
    expect(both.verdict).toBe('complete')
    expect(shareOf(both, one).gave).toEqual([0, 2])
  })

  it('the block of another slot is named, and another one asked', async () => {
    const other = chain.at(block.slot - 1)!
    const { url } = await startServer(({ pathname }) =>
      pathname.startsWith('/eth/v2/beacon/blocks/')
        ? { ssz: other.block!.ssz(), json: null, version: other.version }
        : null,
    )
    const result = await get([url, await beaconOf(chain)])
    expect(result.verdict).toBe('complete')
    expect(shareOf(result, url).refused).toEqual([
      { what: 'block', reason: 'another block than the one asked for' },
    ])
  })

  describe('a block of a fork to come', () => {
    /** It gives nothing else. */
    const newer = async (): Promise<string> => {
      const message = { slot: `${block.slot}` }
      const json = { version: 'heze', data: { message, signature: `0x${'00'.repeat(96)}` } }
      const told = { ssz: null, json, version: 'heze' }
      const { url } = await startServer(({ pathname }) =>
        pathname.startsWith('/eth/v2/beacon/blocks/') ? told : null,
      )
      return url
    }
    const queries: [string, () => GetBlobsOptions][] = [
      ['all', () => ({ slot: 'head' })],
      ['some, by their hashes', () => ({ slot: block.slot, versionedHashes: hashesOf(block) })],
    ]
    const unread = 'the block cannot be read: version: unsupported-fork'

    it.each(queries)(
      'hides nothing that an archive, another node or a file has: %s',
      async (_which, query) => {
        const url = await newer()
        const archives = await beaconOf(chain)
        const bytes = new Uint8Array(
          await (
            await fetch(`${archives}/eth/v1/beacon/blob_sidecars/${block.slot}`, {
              headers: { accept: 'application/octet-stream' },
            })
          ).arrayBuffer(),
        )
        const files = [{ name: 'sidecars', kind: 'blob-sidecars', bytes }] as const
        const failing = await beaconOf(chain, on({ kind: 'status', code: 503 }, ['blocks']))
        for (const result of [
          await get([url], { archives }, query()),
          await get([url], { files }, query()),
          await get([url, failing], {}, query()),
        ]) {
          expect(result).toMatchObject({ verdict: 'complete', reason: 'verified' })
          expect(shareOf(result, url).failures).toContainEqual({ kind: 'unsupported-fork', detail: unread })
        }
      },
    )

    it.each(queries)('is the reason where nobody has anything: %s', async (_which, query) => {
      const result = await get([await newer()], { archives: await beaconOf(chain, ...hide(DATA)) }, query())
      expect(result).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', blobs: [] })
      expect(result.detail).toContain(unread)
    })
  })

  it('silence costs little where another one has columns', async () => {
    const { url: silent } = await startServer(
      () => null,
      () => {},
    )
    const columns = await beaconOf(chain, on({ kind: 'status', code: 404 }, ['blobs', 'blob_sidecars']))
    expect(await get([silent, columns], { timeoutMs: 1_000 })).toMatchObject({ verdict: 'complete' })
  })
})

describe('the deadline', () => {
  it('leaves what is there by then', async () => {
    const { url } = await startServer(({ pathname }) =>
      pathname.startsWith('/eth/v2/beacon/blocks/')
        ? { ssz: block.block!.ssz(), json: null, version: block.version }
        : pathname.startsWith('/eth/v1/beacon/blobs/')
          ? { ssz: block.blobs[1]!.blob, json: null }
          : null,
    )
    const silent = await beaconOf(chain, on({ kind: 'delay', ms: 60_000 }))
    // The deadline is over as soon as there is a blob: a number of milliseconds would be too few on some machine.
    const deadlineMs = 300_000
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const result = await get(
      [url, silent],
      { timeoutMs: 60_000 },
      {
        ...{ slot: 'head', deadlineMs },
        onProgress({ stage, done }) {
          if (stage !== 'blobs' || done === 0) return
          const [end] = timers.mock.calls.find(([, ms]) => ms === deadlineMs)!
          end()
        },
      },
    ).finally(() => timers.mockRestore())
    expect(result).toMatchObject({ verdict: 'partial', reason: 'unreachable', wanted: 3 })
    expect(result.blobs.map(({ index }) => index)).toEqual([1])
  })

  it('ends the search for a header, and for a block', async () => {
    const url = await beaconOf(chain, on({ kind: 'delay', ms: 60_000 }, ['blocks', ...DATA]))
    const never = { resolve: () => new Promise<never>(() => {}) }
    expect(await get([url], { headers: never, deadlineMs: 100 })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header', detail: 'the header could not be had in time' },
    })
    expect(await get([url], { deadlineMs: 1_000, timeoutMs: 60_000 })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-block' },
    })
  })
})

describe('a call that is aborted', () => {
  it.each(['headers', 'blocks', 'blobs', 'data_column_sidecars'] as const)(
    'while it waits for %s rejects with the reason',
    async (route) => {
      const slow = await beaconOf(
        chain,
        on({ kind: 'delay', ms: 60_000 }, [route]),
        ...(route === 'data_column_sidecars' ? [on({ kind: 'status', code: 404 }, ['blobs'])] : []),
      )
      const leave = new AbortController()
      const reason = new Error('enough')
      const headers =
        route === 'headers' ? { resolve: () => new Promise<never>(() => {}) } : headersFrom(chain)
      const source = createBlobSource({ verifier, headers, beacon: slow, now: () => chain.now() })
      const call = source.get({ slot: 'head', signal: leave.signal })
      setTimeout(() => leave.abort(reason), 300)
      await expect(call).rejects.toBe(reason)
    },
  )

  it('before it begins asks nobody, and hears nothing', async () => {
    const { url, asked } = await startServer(() => null)
    const heard: unknown[] = []
    const source = createBlobSource({ verifier, headers: headersFrom(chain), beacon: url })
    await expect(
      source.get({ slot: 'head', signal: AbortSignal.abort(), onProgress: (event) => heard.push(event) }),
    ).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect([asked, heard]).toEqual([[], []])
  })
})

describe('a cache', () => {
  class MapCache implements BlobCache {
    readonly blobs = new Map<string, Uint8Array>()
    async get(hash: string): Promise<Uint8Array | null> {
      return this.blobs.get(hash) ?? null
    }
    async put(hash: string, blob: Uint8Array): Promise<void> {
      this.blobs.set(hash, new Uint8Array(blob))
    }
  }

  it('is filled, and asked before anybody else', async () => {
    const cache = new MapCache()
    const url = await beaconOf(chain)
    await get([url], { cache })
    expect([...cache.blobs.keys()].sort()).toEqual([...new Set(hashesOf(block))].sort())
    const again = await get([await beaconOf(chain, on({ kind: 'status', code: 404 }))], { cache })
    expect(again).toMatchObject({ verdict: 'complete', report: { via: ['cache'] } })
    expect(again.report.sources.find(({ role }) => role === 'cache')).toMatchObject({
      ...{ source: 'cache', requests: 3, bytes: 3 * 131_072, gave: [0, 1, 2], refused: [] },
    })
    const byHash = createBlobSource({ verifier, headers: headersFrom(chain), beacon: url, cache })
    expect(await byHash.get({ versionedHashes: [hashesOf(block)[1]!] })).toMatchObject({
      ...{ verdict: 'complete', block: null, blobs: [{ index: null, commitment: null }] },
      links: { kzg: 'verified', 'versioned-hash': 'verified' },
    })
  })

  it('that is poisoned is refused, blob by blob, and mended', async () => {
    const cache = new MapCache()
    const [first, second, third] = hashesOf(block)
    cache.blobs.set(first!, flip(block.blobs[0]!.blob, 131_071))
    cache.blobs.set(second!, block.blobs[2]!.blob)
    cache.blobs.set(third!, new Uint8Array(7))
    const result = await get([await beaconOf(chain)], { cache })
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blobs'] } })
    expect(result.report.sources.find(({ role }) => role === 'cache')!.refused).toHaveLength(3)
    expect((await get([await beaconOf(chain)], { cache })).report.via).toEqual(['cache'])
  })

  it('that is poisoned is as good as one that is empty where nobody else has a blob', async () => {
    const cache = new MapCache()
    for (const hash of hashesOf(block)) cache.blobs.set(hash, flip(block.blobs[0]!.blob, 131_071))
    const result = await get([await beaconOf(chain, ...hide(DATA))], { cache })
    expect(result).toMatchObject({ verdict: 'missing', reason: 'not-served' })
    expect(result.report.sources.find(({ role }) => role === 'cache')!.refused).toHaveLength(3)
  })

  it('that throws, rejects, hangs or gives nonsense is passed over, and counted', async () => {
    const url = await beaconOf(chain)
    const unreadable = Object.defineProperty(new Error('no disk'), 'message', {
      get: () => {
        throw new Error('nor this')
      },
    })
    const ways: [BlobCache['get'], number][] = [
      [() => Promise.reject(new Error('no disk')), 6],
      [
        () => {
          throw new Error('no disk')
        },
        6,
      ],
      [() => Promise.reject(Object.create(null) as Error), 6],
      [() => Promise.reject(unreadable), 6],
      [async () => 'blob' as never, 6],
      [async () => undefined as never, 3],
    ]
    for (const [ask, failures] of ways) {
      const cache = { get: ask, put: () => Promise.reject(new Error('full')) }
      const result = await get([url], { cache })
      expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blobs'] } })
      expect(result.report.sources.find(({ role }) => role === 'cache')!.failures).toHaveLength(failures)
    }
    const hangs = { get: () => new Promise<null>(() => {}), put: async () => {} }
    expect((await get([url], { cache: hangs })).verdict).toBe('complete')
  })

  it('that keeps blobs without copying them keeps them whole whatever becomes of the caller’s', async () => {
    const url = await beaconOf(chain)
    const blobs = new Map<string, Uint8Array>()
    const cache: BlobCache = {
      get: async (hash) => blobs.get(hash) ?? null,
      put: async (hash, blob) => void blobs.set(hash, blob),
    }
    const result = await get([url], { cache })
    const [first, ...others] = result.blobs
    structuredClone(first!.blob, { transfer: [first!.blob.buffer] })
    // Each has memory of its own.
    expect(others.map(({ blob }) => [blob.length, blob.buffer.byteLength])).toEqual([
      [131_072, 131_072],
      [131_072, 131_072],
    ])
    // So have the cache's entries.
    expect(blobs.get(first!.versionedHash)).toEqual(block.blobs[0]!.blob)
    for (const { blob } of others) structuredClone(blob, { transfer: [blob.buffer] })
    expect((await get([url], { cache })).report.via).toEqual(['cache'])
    for (const blob of blobs.values()) structuredClone(blob, { transfer: [blob.buffer as ArrayBuffer] })
    const again = await get([url], { cache })
    expect(again).toMatchObject({ verdict: 'complete', report: { via: ['blobs'] } })
    expect((await get([url], { cache })).report.via).toEqual(['cache'])
  })

  it('cannot change what it gave after it was verified', async () => {
    const given = hashesOf(block).map((_, at) => new Uint8Array(block.blobs[at]!.blob))
    const cache = { get: async (hash: string) => given[hashesOf(block).indexOf(hash)]!, put: async () => {} }
    const result = await get([await beaconOf(chain)], { cache })
    for (const bytes of given) bytes.fill(0)
    expectTrue(result, block)
  })
})

describe('a verifier whose cache lies', () => {
  /** A verifier that finds in its cache what this says, and its blob source. */
  async function believing(
    has: VerdictCache['has'],
    options: Pick<BlobSourceOptions, 'beacon'> & Partial<BlobSourceOptions>,
  ) {
    const cache: VerdictCache = { has, add: async () => {}, clear: async () => {} }
    const believer = await createVerifier({ network: chain.network, workers: 1, cache })
    onTestFinished(() => believer.dispose())
    const terms = { verifier: believer, headers: headersFrom(chain), now: () => chain.now() }
    return { believer, source: createBlobSource({ ...terms, ...options }) }
  }
  const always: VerdictCache['has'] = async (digests) => digests.map(() => true)
  const once: VerdictCache['has'] = async (digests) => digests.map((_, at) => at === 0)
  const columnsFile = (): SidecarFile => ({
    ...{ name: 'columns', kind: 'data-column-sidecars' },
    bytes: listSsz(range(64).map((at) => DataColumnSidecar.serialize(block.column(at)))),
  })

  it.each<[string, NonNullable<FaultRule['routes']>, BlobsResult['report']['via'][number]]>([
    ['bare blobs', ['blob_sidecars', 'data_column_sidecars'], 'blobs'],
    ['columns', ['blobs', 'blob_sidecars'], 'data-columns'],
    ['sidecars', ['blobs', 'data_column_sidecars'], 'blob-sidecars'],
  ])('is all that vouches for %s, even where it is for one of them', async (_, hidden, via) => {
    const beacon = await beaconOf(chain, ...hide(hidden))
    for (const has of [always, once]) {
      const { source } = await believing(has, { beacon })
      expect(quietly(await source.get({ slot: 'head' }))).toMatchObject({
        ...{ verdict: 'complete', report: { via: [via] } },
        links: { kzg: 'trusted', inclusion: 'verified', header: 'trusted' },
      })
    }
  })

  it('is all that vouches for blobs out of columns in files, by a header or by their hashes', async () => {
    const beacon = await beaconOf(chain, ...hide(DATA))
    for (const has of [always, once]) {
      const { source } = await believing(has, { beacon, files: [columnsFile()] })
      const byHeader = quietly(await source.get({ slot: 'head' }))
      expect(byHeader).toMatchObject({ verdict: 'complete', links: { kzg: 'trusted' } })
      expect(byHeader.report.via).toEqual(['files'])
    }
    for (const has of [always, once]) {
      const { source } = await believing(has, { beacon, files: [columnsFile()] })
      const byHash = quietly(await source.get({ versionedHashes: [hashesOf(block)[1]!] }))
      // The commitment was compared with the hash here; that the blob is of the commitment was not computed.
      expect(byHash).toMatchObject({
        verdict: 'complete',
        links: { kzg: 'trusted', 'versioned-hash': 'verified' },
      })
    }
  })

  it('is all that vouches for a blob, and its hash, that a cache of blobs has', async () => {
    const cache: BlobCache = { get: async () => block.blobs[2]!.blob, put: async () => {} }
    const beacon = await beaconOf(chain)
    const { source } = await believing(always, { beacon, cache })
    const versionedHashes = [hashesOf(block)[0]!]
    expect(quietly(await source.get({ versionedHashes }))).toMatchObject({
      ...{ verdict: 'complete', report: { via: ['cache'] } },
      links: { kzg: 'trusted', 'versioned-hash': 'trusted' },
    })
  })

  it('is all that vouches for a blob in its place, and has no say in which place that is', async () => {
    const { believer } = await believing(always, { beacon: await beaconOf(chain) })
    const candidates = allOf(block.blobs.map(({ commitment }) => toHex(commitment)))
    const blobs = [{ bytes: new Uint8Array(block.blobs[2]!.blob), guess: undefined }]
    const { signal } = new AbortController()
    for (const [asked, kzg] of [
      [believer, 'trusted'],
      [verifier, 'verified'],
    ] as const) {
      const placed: unknown[] = []
      for await (const one of placeBlobs(asked, blobs, candidates, 'a', signal)) placed.push(one)
      expect(placed).toEqual([[0, { blob: candidates[2], kzg }]])
    }
  })
})

describe('several servers at random', () => {
  it('never make a false answer, and a whole one wherever one of them is honest', async () => {
    const kinds = faults.map(([, fault]) => fault)
    const rule = fc.record({
      fault: fc.constantFrom(...kinds),
      routes: fc.subarray([...DATA, 'blocks'] as const, { minLength: 1 }),
      probability: fc.constantFrom(1, 0.5),
    })
    const server = fc.record({ seed: fc.nat(1_000), rules: fc.array(rule, { minLength: 1, maxLength: 3 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(server, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(null, 'all', 'columns', 'sidecars', 'blobs'),
        fc.nat(3),
        fc.subarray([0, 1, 2], { minLength: 1 }),
        async (servers, honest, place, places) => {
          const urls = await Promise.all(servers.map(({ rules }) => beaconOf(chain, ...rules)))
          const hidden = {
            all: [],
            columns: ['blobs', 'blob_sidecars'],
            sidecars: ['blobs', 'data_column_sidecars'],
            blobs: ['blob_sidecars', 'data_column_sidecars'],
          } as const
          if (honest !== null) {
            const rules = hidden[honest].map((route) => on({ kind: 'status', code: 404 }, [route]))
            urls.splice(place, 0, await beaconOf(chain, ...rules))
          }
          const hashes = hashesOf(block)
          const query: GetBlobsOptions =
            places.length === 3
              ? { slot: 'head' }
              : { root: block.root, versionedHashes: places.map((at) => hashes[at]!) }
          const source = createBlobSource({
            ...{ verifier, headers: headersFrom(chain), beacon: urls, now: () => chain.now() },
            timeoutMs: 20_000,
          })
          const result = quietly(await source.get(query))
          expectTrue(result, block, places)
          if (honest !== null) expect(result.verdict).toBe('complete')
        },
      ),
      // The model of a source of blobs has hundreds of such histories, in a time that does not pass: here it does.
      { numRuns: timesRounds(20), seed: SEED },
    )
  })
})
