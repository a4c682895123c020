/** A blob source against `blobcheck serve`, over real HTTP: each form in which blobs are to be had, alone and put together out of parts. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVerifier, type Verifier } from 'blobcheck'
import {
  type BlobsProgress,
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
  type HeaderSource,
  type SidecarFile,
} from 'blobcheck/blobs'
import { type ChainBlock, type FaultRule, type MadeChain, makeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beaconOf } from '../support/beacons.ts'
import { BlobSidecar, DataColumnSidecar } from '../../dist/serve/ssz/sidecars.js'
import { concat, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { listSsz } from '../support/ssz.ts'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { range } from '../support/make.ts'

let chain: MadeChain
let verifier: Verifier
let block: ChainBlock
beforeAll(async () => {
  chain = await makeChain({ clock: 'by-hand', slots: 8, blobsPerBlock: 4 })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
  block = chain.head
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await verifier.dispose()
})

/** A server that has these blobs alone, in this order, bare. */
async function bareOf(indices: readonly number[]): Promise<string> {
  const { url } = await startServer(({ pathname, searchParams }) => {
    if (pathname === `/eth/v2/beacon/blocks/${block.root}`)
      return { ssz: block.block!.ssz(), json: null, version: block.version }
    if (pathname !== `/eth/v1/beacon/blobs/${block.root}`) return null
    const hashes = searchParams.getAll('versioned_hashes')
    const wanted = indices.filter((at) => hashes.length === 0 || hashes.includes(hashesOf(block)[at] ?? ''))
    return { ssz: concat(...wanted.map((at) => block.blobs[at]!.blob)), json: null }
  })
  return url
}

/** A server that asks another one for something else than it was asked for; null: 400. */
async function rewriting(to: string, rewrite: (path: string) => string | null): Promise<string> {
  const server = createServer((request, response) => {
    const path = rewrite(request.url ?? '')
    if (path === null) return void response.writeHead(400).end('{}')
    void fetch(`${to}${path}`, { headers: { accept: request.headers.accept ?? '' } }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(new Uint8Array(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const servers: Server[] = []

async function get(
  beacon: readonly string[],
  query: GetBlobsOptions = { slot: 'head' },
  options: Partial<BlobSourceOptions> = {},
  asked?: readonly number[],
): Promise<BlobsResult> {
  const source = createBlobSource({
    ...{ verifier, headers: headersFrom(chain), beacon, now: () => chain.now() },
    ...options,
  })
  const result = quietly(await source.get(query))
  expectTrue(result, block, asked)
  return result
}

/** A `fetch`, and the paths and queries that it was asked for. */
function recording() {
  const asked: string[] = []
  const fetch: BlobSourceOptions['fetch'] = (url, init) => {
    const { pathname, search } = new URL(url)
    asked.push(`${pathname}${search}`)
    return globalThis.fetch(url, init as RequestInit)
  }
  return { asked, fetch: fetch! }
}

const without = (...routes: NonNullable<FaultRule['routes']>): FaultRule => ({
  fault: { kind: 'status', code: 404 },
  routes,
})
/** Columns alone, and of these all but those that are withheld. */
const onlyColumns = (withheld: readonly number[] = []): FaultRule[] => [
  without('blobs', 'blob_sidecars'),
  { fault: { kind: 'withhold', columns: withheld } },
]

describe('one endpoint', () => {
  it('gives bare blobs', async () => {
    const url = await beaconOf(chain)
    const { asked, fetch } = recording()
    const result = await get([url], undefined, { fetch })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', detail: null, wanted: 4 },
      block: { slot: block.slot, root: block.root },
      ...{ execution: null, transaction: null },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted', 'versioned-hash': 'absent' },
      report: {
        via: ['blobs'],
        sources: [{ source: url, role: 'beacon', gave: [0, 1, 2, 3], refused: [], failures: [] }],
      },
    })
    // Other forms beside them where the machine was busy for a second.
    expect(asked.filter((path) => /\/(blocks|blobs)\//.test(path))).toHaveLength(2)
    expect(result.report.sources[0]!.requests).toBe(asked.length)
  })

  it('has columns alone: the blobs are rebuilt', async () => {
    const result = await get([await beaconOf(chain, ...onlyColumns())])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
    const some = await get([await beaconOf(chain, ...onlyColumns(range(64)))])
    expect(some).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
  })

  it.each([
    // The first 64 lack four, and eight more, of which three are withheld, too, are enough.
    ['a few', range(7).map((at) => 60 + at), 'complete', 2],
    ['65', range(65).map((at) => 63 + at), 'missing', 5],
  ])(
    'withholds %s of its columns: it takes few questions to know',
    async (_name, withheld, verdict, questions) => {
      const { asked, fetch } = recording()
      const url = await beaconOf(chain, ...onlyColumns(withheld))
      expect(await get([url], undefined, { fetch })).toMatchObject({ verdict })
      expect(asked.filter((path) => path.includes('/data_column_sidecars/'))).toHaveLength(questions)
    },
  )

  it('has sidecars alone', async () => {
    const result = await get([await beaconOf(chain, without('blobs', 'data_column_sidecars'))])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blob-sidecars'] } })
  })

  it('has no block: the commitments come with columns, or with sidecars', async () => {
    const columns = await get([await beaconOf(chain, without('blocks'), ...onlyColumns())])
    expect(columns).toMatchObject({
      ...{ verdict: 'complete', links: { inclusion: 'verified' } },
      block: { commitments: columns.blobs.map(({ commitment }) => commitment) },
    })
    const sidecars = await get([await beaconOf(chain, without('blocks', 'blobs', 'data_column_sidecars'))])
    expect(sidecars).toMatchObject({ verdict: 'complete', report: { via: ['blob-sidecars'] } })
  })

  it('has nothing but the block, or nothing at all', async () => {
    const url = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    expect(await get([url])).toMatchObject({
      ...{ verdict: 'missing', reason: 'not-served', wanted: 4 },
      detail: '4 of 4 blobs are missing; everyone who was asked answered, and nobody has them',
    })
    const empty = await beaconOf(chain, without('blocks', 'blobs', 'blob_sidecars', 'data_column_sidecars'))
    expect(await get([empty])).toMatchObject({ verdict: 'unknown', reason: 'no-block', wanted: null })
  })
})

describe('some of a block', () => {
  it('is asked for by its hashes, and comes in the order of the call', async () => {
    const url = await beaconOf(chain)
    const hashes = hashesOf(block)
    const result = await get(
      [url],
      { slot: block.slot, versionedHashes: [hashes[2]!, hashes[0]!] },
      {},
      [2, 0],
    )
    expect(result).toMatchObject({
      ...{ verdict: 'complete', wanted: 2 },
      links: { 'versioned-hash': 'verified', inclusion: 'verified' },
    })
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual([hashes[2], hashes[0]])
    // No more than these was asked for.
    expect(result.report.bytes).toBeLessThan(3 * 131_072)
  })

  it('that is asked for twice lies in memory of its own twice', async () => {
    const [hash] = hashesOf(block)
    const beacon = await beaconOf(chain)
    const source = createBlobSource({ verifier, headers: headersFrom(chain), beacon, now: () => chain.now() })
    const { blobs } = await source.get({ slot: block.slot, versionedHashes: [hash!, hash!, hash!] })
    for (const { blob } of blobs) {
      expect(blob).toEqual(block.blobs[0]!.blob)
      structuredClone(blob, { transfer: [blob.buffer] })
    }
    expect(blobs).toHaveLength(3)
  })

  it('is rebuilt alone, or comes as its sidecars', async () => {
    const query = { root: block.root, versionedHashes: [hashesOf(block)[3]!] }
    const columns = await get([await beaconOf(chain, ...onlyColumns())], query, {}, [3])
    expect(columns).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
    const url = await beaconOf(chain, without('blobs', 'data_column_sidecars'))
    expect(await get([url], query, {}, [3])).toMatchObject({
      ...{ verdict: 'complete', links: { 'versioned-hash': 'verified' } },
      report: { via: ['blob-sidecars'] },
    })
    const blockless = await beaconOf(chain, without('blocks', 'blobs', 'data_column_sidecars'))
    expect(await get([blockless], query, {}, [3])).toMatchObject({ verdict: 'complete' })
  })

  it('that is not of the block is not found in it', async () => {
    const other = chain.at(block.slot - 1)!
    const [own, foreign] = [
      hashesOf(block)[0]!,
      hashesOf(other).find((hash) => !hashesOf(block).includes(hash)),
    ]
    expect(foreign).toBeDefined()
    const url = await beaconOf(chain)
    const { asked, fetch } = recording()
    const query = { slot: block.slot, versionedHashes: [foreign!, own] }
    const result = await get([url], query, { fetch }, [-1, 0])
    expect(result).toMatchObject({
      ...{ verdict: 'partial', reason: 'not-found', wanted: 2 },
      detail: 'the block does not commit to 1 of 2 versioned hashes',
    })
    const none = await get([url], { slot: block.slot, versionedHashes: [foreign!] }, {}, [-1])
    expect(none).toMatchObject({ verdict: 'missing', reason: 'not-found', wanted: 1 })
    // Its commitments say so: nobody is asked for it, once the block is known. Other forms are asked for where the machine was busy for a second.
    expect(asked.filter((path) => /\/(blocks|blobs)\//.test(path))).toHaveLength(2)
    expect(asked.join()).not.toContain(foreign)
    expect(none.report.sources[0]!.requests).toBe(1)
  })

  it('comes of a node that does not know the question for some, or answers with all', async () => {
    const query = { slot: block.slot, versionedHashes: [hashesOf(block)[1]!] }
    for (const status of [400, null]) {
      const url = await rewriting(await beaconOf(chain), (path) =>
        !path.includes('versioned_hashes') ? path : status === null ? path.replace(/\?.*/, '') : null,
      )
      const result = await get([url], query, {}, [1])
      expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blobs'] } })
      expect(result.report.sources[0]!.refused).toEqual([])
    }
  })
})

describe('parts of several endpoints', () => {
  it('make all of it, whoever has which blobs, in whatever order', async () => {
    const some = (...indices: number[]): Promise<string> => bareOf(indices)
    const [a, b] = [await some(0, 1), await some(2, 3)]
    const result = await get([a, b])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blobs'] } })
    expect(result.report.sources.map(({ gave }) => gave)).toEqual([
      [0, 1],
      [2, 3],
    ])
    const mixed = await get([await some(3, 1), await some(1), await some(2, 0)])
    expect(mixed.verdict).toBe('complete')
    const lacking = await get([await some(3, 1), await some(1)])
    expect(lacking).toMatchObject({ verdict: 'partial', reason: 'not-served', wanted: 4 })
    expect(lacking.blobs.map(({ index }) => index)).toEqual([1, 3])
  })

  it('make all of it out of 40 columns here, and 40 there', async () => {
    const [a, b] = [
      await beaconOf(chain, ...onlyColumns(range(128).filter((at) => at >= 40))),
      await beaconOf(chain, ...onlyColumns(range(128).filter((at) => at < 88))),
    ]
    const result = await get([a, b])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
    expect(result.report.sources.map(({ gave }) => gave)).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ])
    // One alone does not have enough.
    expect(await get([a])).toMatchObject({ verdict: 'missing', reason: 'not-served' })
  })

  it('make all of it out of bare blobs and columns', async () => {
    const result = await get([await bareOf([2]), await beaconOf(chain, ...onlyColumns())])
    expect(result).toMatchObject({ verdict: 'complete' })
    expect([...result.report.via].sort()).toEqual(['blobs', 'data-columns'])
  })
})

describe('an archive', () => {
  it.each(['blobs', 'blob_sidecars'] as const)('has what nodes lack: %s', async (route) => {
    const nodes = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    const others = (['blobs', 'blob_sidecars', 'blocks'] as const).filter((other) => other !== route)
    const archive = await beaconOf(chain, without('headers', ...others))
    const result = await get([nodes], { slot: 'head' }, { archives: archive })
    expect(result).toMatchObject({ verdict: 'complete' })
    expect(result.report.sources.find(({ role }) => role === 'archive')).toMatchObject({
      ...{ source: archive, gave: [0, 1, 2, 3] },
    })
  })

  it('is not asked for what nodes have; but first for what they need not keep', async () => {
    const [url, archive] = [await beaconOf(chain), await beaconOf(chain)]
    const fresh = await get([url], { slot: 'head' }, { archives: [archive] })
    expect(fresh.report.sources.find(({ role }) => role === 'archive')).toMatchObject({ requests: 0 })
    const later = (): number => chain.now() + 4_200 * 32 * 12_000
    const old = await get([url], { slot: 'head' }, { archives: [archive], now: later })
    expect(old.verdict).toBe('complete')
    expect(old.report.sources.find(({ role }) => role === 'archive')!.gave).toHaveLength(4)
    const empty = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    expect(await get([empty], { slot: 'head' }, { now: later })).toMatchObject({
      ...{ verdict: 'missing', reason: 'expired' },
    })
  })
})

describe('files', () => {
  const columnsFile = (from: number, to: number, of = block): SidecarFile => ({
    name: `columns ${from} to ${to}`,
    kind: 'data-column-sidecars',
    bytes: listSsz(range(to - from).map((at) => DataColumnSidecar.serialize(of.column(from + at)))),
  })
  const sidecarsFile = async (...indices: number[]): Promise<SidecarFile> => ({
    name: 'sidecars',
    kind: 'blob-sidecars',
    bytes: concat(
      ...(await Promise.all(indices.map(async (at) => BlobSidecar.serialize(await block.blobSidecar(at))))),
    ),
  })

  it('have all of it, or what endpoints lack', async () => {
    const none = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    const whole = await get([none], { slot: 'head' }, { files: [columnsFile(32, 96)] })
    expect(whole).toMatchObject({ verdict: 'complete', report: { via: ['files'] } })
    const rest = await get([await bareOf([0, 3])], { slot: 'head' }, { files: [await sidecarsFile(1, 2)] })
    expect(rest.verdict).toBe('complete')
    expect(rest.report.sources.find(({ role }) => role === 'file')).toMatchObject({ gave: [1, 2] })
    // Half a file, and half of an endpoint.
    const half = await beaconOf(chain, ...onlyColumns(range(96)))
    expect((await get([half], { slot: 'head' }, { files: [columnsFile(0, 32)] })).verdict).toBe('complete')
  })

  it('of other blocks are passed over, and what is spoilt is refused', async () => {
    const url = await beaconOf(chain)
    const others = { ...columnsFile(0, 2, chain.at(block.slot - 1)!), name: 'others' }
    const spoilt = columnsFile(0, 2)
    spoilt.bytes[spoilt.bytes.length - 5]! ^= 1
    const result = await get(
      [url],
      { slot: 'head' },
      { files: [others, spoilt, { ...others, name: 'short', bytes: others.bytes.subarray(0, 900) }] },
    )
    expect(result.verdict).toBe('complete')
    const [first, second, third] = result.report.sources.filter(({ role }) => role === 'file')
    expect(first).toMatchObject({ refused: [], failures: [], gave: [] })
    expect(second!.refused).toHaveLength(1)
    expect(third!.failures.length + third!.refused.length).toBeGreaterThan(0)
  })

  it('are named for what is false in them where nobody else has it, as endpoints are', async () => {
    const none = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    const columns = columnsFile(0, 64)
    columns.bytes[columns.bytes.length - 5]! ^= 1
    const sidecars = await sidecarsFile(0, 1, 2, 3)
    sidecars.bytes[70_000]! ^= 1
    for (const [file, verdict] of [
      [columns, 'missing'],
      [sidecars, 'partial'],
    ] as const) {
      const result = await get([none], { slot: 'head' }, { files: [file] })
      expect(result).toMatchObject({ verdict, reason: 'false' })
      expect(result.detail).toContain(`what ${file.name} gave for them is false`)
      expect(result.report.sources.find(({ role }) => role === 'file')!.refused).toHaveLength(1)
    }
    // Those of another block were not given for it.
    const others = columnsFile(0, 64, chain.at(block.slot - 1)!)
    expect(await get([none], { slot: 'head' }, { files: [others] })).toMatchObject({ reason: 'not-served' })
  })

  it('have blobs by their hashes alone, where nothing says which block it is', async () => {
    const url = await beaconOf(chain)
    const hashes = hashesOf(block)
    const query = { versionedHashes: [hashes[3]!, hashes[1]!] }
    const source = createBlobSource({
      ...{ verifier, headers: headersFrom(chain), beacon: url },
      files: [await sidecarsFile(1), columnsFile(64, 128)],
    })
    const result = await source.get(query)
    expect(result).toMatchObject({
      ...{ verdict: 'complete', wanted: 2, block: null },
      links: { kzg: 'verified', 'versioned-hash': 'verified', header: 'absent', inclusion: 'absent' },
    })
    expect(result.blobs.map(({ blob }) => toHex(blob))).toEqual(
      [3, 1].map((at) => toHex(block.blobs[at]!.blob)),
    )
    // Nobody was asked.
    expect(result.report.sources.find(({ role }) => role === 'beacon')!.requests).toBe(0)
    const lacking = createBlobSource({
      ...{ verifier, headers: headersFrom(chain), beacon: url, files: [columnsFile(64, 127)] },
    })
    expect(await lacking.get(query)).toMatchObject({ verdict: 'missing', reason: 'not-found', blobs: [] })
  })
})

describe('a call', () => {
  it('tells how far it is, and its listener harms nothing', async () => {
    const heard: BlobsProgress[] = []
    const onProgress = (progress: BlobsProgress): void => {
      heard.push(progress)
      throw new Error('not the call’s fault')
    }
    await get([await bareOf([0, 1]), await bareOf([2, 3])], { slot: 'head', onProgress })
    expect(heard.map(({ stage }) => stage).filter((stage, at, all) => stage !== all[at - 1])).toEqual([
      ...['header', 'block', 'blobs'],
    ])
    const done = heard.filter(({ stage }) => stage === 'blobs')
    expect(done.every(({ total }) => total === 4)).toBe(true)
    expect(done.map((progress) => progress.done)).toEqual([0, 1, 2, 3, 4])
  })

  it('may be one of many at the same time', async () => {
    const source = createBlobSource({
      ...{ verifier, headers: headersFrom(chain), now: () => chain.now() },
      beacon: [await bareOf([0, 1]), await beaconOf(chain, ...onlyColumns(range(50)))],
    })
    const calls = range(12).map(() => source.get({ slot: 'head' }))
    for (const result of await Promise.all(calls)) {
      expectTrue(result, block)
      expect(result.verdict).toBe('complete')
    }
  })

  it('rejects with what a source of headers throws, and with misuse of it', async () => {
    const url = await beaconOf(chain)
    const own = new Error('the node is down')
    const failing = { resolve: () => Promise.reject(own) }
    await expect(get([url], { slot: 1 }, { headers: failing })).rejects.toBe(own)
    const wrong = { resolve: async () => ({ status: 'found', header: { root: '0x12', slot: 1 } }) as const }
    await expect(get([url], { slot: 1 }, { headers: wrong })).rejects.toThrow(TypeError)
    const mute = { resolve: () => undefined as never }
    await expect(get([url], { slot: 1 }, { headers: mute })).rejects.toThrow(/^a source of headers must/)
    const gone = await createVerifier({ network: chain.network, workers: 0, cache: false })
    const source = createBlobSource({ verifier: gone, headers: headersFrom(chain), beacon: url })
    await gone.dispose()
    await expect(source.get({ slot: 'head' })).rejects.toMatchObject({ name: 'DisposedError' })
  })
})

describe('what there is not', () => {
  it('is a block in an empty slot, or one that nobody knows of', async () => {
    const url = await beaconOf(chain)
    const source = createBlobSource({ verifier, headers: headersFrom(chain), beacon: url })
    expect(await source.get({ slot: 1 })).toMatchObject({
      ...{ verdict: 'none', reason: 'empty-slot', blobs: [], wanted: 0, block: null },
    })
    const versionedHashes = hashesOf(block).slice(0, 2)
    expect(await source.get({ slot: 1, versionedHashes })).toMatchObject({
      ...{ verdict: 'none', reason: 'empty-slot', blobs: [], wanted: 2 },
      detail: 'slot 1 has no block: none of the 2 versioned hashes can be of it',
    })
    const { root } = block
    const denying: HeaderSource = { resolve: async () => ({ status: 'no-block' }) }
    expect(
      await get([url], { root, versionedHashes: versionedHashes.slice(1) }, { headers: denying }),
    ).toMatchObject({
      ...{ verdict: 'none', reason: 'empty-slot', wanted: 1 },
      detail: `root ${root} has no block: the versioned hash cannot be of it`,
    })
    expect(await source.get({ slot: block.slot + 5 })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header', detail: 'no such block', wanted: null },
    })
    expect(await source.get({ root: `0x${'11'.repeat(32)}` })).toMatchObject({ reason: 'no-header' })
  })

  it('are blobs in a block without any', async () => {
    const bare = await makeChain({ clock: 'by-hand', slots: 4, blobsPerBlock: 0 })
    const source = createBlobSource({ verifier, headers: headersFrom(bare), beacon: await beaconOf(bare) })
    expect(await source.get({ slot: 'head' })).toMatchObject({
      ...{ verdict: 'none', reason: 'no-blobs', wanted: 0, detail: null },
      block: { root: bare.head.root, commitments: [] },
    })
    const { root } = bare.head
    const versionedHashes = hashesOf(block).slice(0, 2)
    expect(await source.get({ root, versionedHashes })).toMatchObject({
      ...{ verdict: 'none', reason: 'no-blobs', wanted: 2 },
      detail: 'the block has no blobs: none of the 2 versioned hashes can be of it',
    })
  })

  it('is any way to blobs of before Deneb, or of a fork to come', async () => {
    const url = await beaconOf(chain)
    const headers: HeaderSource = {
      resolve: async () => ({ status: 'found', header: { root: block.root, slot: block.slot } }),
    }
    const { deneb: _deneb, ...forks } = chain.network.forkEpochs
    for (const [forkEpochs, reason] of [
      [{ ...forks, deneb: 9, electra: 9, fulu: 9 }, 'before-deneb'],
      [{ ...chain.network.forkEpochs, gloas: 1, unheardOf: 2 }, 'unsupported-fork'],
    ] as const) {
      const other = await createVerifier({
        network: { ...chain.network, forkEpochs },
        workers: 0,
        cache: false,
      })
      const source = createBlobSource({ verifier: other, headers, beacon: url })
      expect(await source.get({ slot: block.slot })).toMatchObject({ reason, blobs: [] })
      await other.dispose()
    }
  })
})
