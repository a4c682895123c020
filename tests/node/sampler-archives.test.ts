/** Whole blobs of others than the endpoints: archives, and files at hand. Whose it was is said, and what is false is refused. */
import type { SampleReport, SamplerOptions, SidecarFile } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BeaconServer, type Oracle, plainly } from '../support/beacon-server.ts'
import { makeSidecars, slots } from '../support/blocks.ts'
import { concat, flip, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, only } from '../support/column-oracle.ts'
import { makeBlob, range } from '../support/make.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'
import { blobSidecarSsz, headerRoot, listSsz } from '../support/ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

const CONSTANTS = [3, 4, 9]
const blobs = CONSTANTS.map((c) => makeBlob(c).blob)
const commitments = CONSTANTS.map((c) => toHex(makeBlob(c).commitment as Uint8Array))

let block: ColumnBlock
let older: ColumnBlock
let other: ColumnBlock
let nodes: BeaconServer
beforeAll(async () => {
  block = await columnBlock(CONSTANTS)
  other = await columnBlock([5, 6], slots.fulu, 2)
  const made = await makeSidecars(slots.electra, CONSTANTS)
  older = {
    made,
    root: toHex(await headerRoot(made.block.header)),
    slot: Number(slots.electra),
    columns: [],
  }
})

const sidecarsOf = ({ made }: ColumnBlock): Bytes[] =>
  made.sidecars.map((sidecar) => blobSidecarSsz(sidecar) as Bytes)

/** 63 columns, of which no sample of 26 has none, or all of its own. */
const halfGone = (): Oracle =>
  columnOracle(
    [block],
    only((index) => index % 2 === 0 && index > 0),
  )

/** An archive: sidecars by their indices, and nothing else; `bare`: blobs, and nothing else. */
const archive =
  (of: ColumnBlock, change: (sidecar: Bytes, index: number) => Bytes | null = (same) => same): Oracle =>
  ({ pathname, searchParams }) => {
    if (pathname !== `/eth/v1/beacon/blob_sidecars/${of.root}`) return null
    const asked = searchParams.getAll('indices').map(Number)
    const given = asked.flatMap((index) => {
      const sidecar = sidecarsOf(of)[index]
      return (sidecar && change(sidecar, index)) ?? []
    })
    return { ssz: concat(...given), json: null }
  }
const bare =
  (of: ColumnBlock): Oracle =>
  ({ pathname }) =>
    pathname === `/eth/v1/beacon/blobs/${of.root}` ? { ssz: concat(...blobs), json: null } : null

async function sample(
  of: ColumnBlock,
  node: Oracle,
  fallbacks: SamplerOptions['fallbacks'] & object,
): Promise<SampleReport> {
  nodes = await startServer(node)
  const report = await samplerFor(of, nodes.url, { fallbacks }).sampleBlock('head', { reconstruct: true })
  expectSound(report)
  return report
}

function expectBlobs({ blobs: rebuilt }: SampleReport): void {
  expect(rebuilt?.map(({ blob }) => toHex(blob))).toEqual(blobs.map(toHex))
}

describe('an archive', () => {
  it.each(['sidecars', 'bare blobs'])(
    'that has %s makes good what nodes lack, and is named',
    async (what) => {
      const { url, asked } = await startServer(what === 'sidecars' ? archive(block) : bare(block))
      const report = await sample(block, halfGone(), { archives: url })
      expect(report).toMatchObject({
        ...{ verdict: 'available', reason: 'complete', commitments },
        via: what === 'sidecars' ? 'blob-sidecars' : 'blobs',
        fallback: { from: 'archives', sources: [url] },
        confidence: { certain: true, servers: 1, independent: false },
        links: { kzg: 'verified', inclusion: 'verified' },
        endpoints: [{ endpoint: nodes.url }, { endpoint: url, asked: [], verified: [], notDelivered: [] }],
      })
      expect(report.confidence.assumption).toContain('this server has them')
      expectBlobs(report)
      // Columns are none of its business; and whole blobs are none of the nodes'.
      expect(asked.filter(({ path }) => path.includes('data_column'))).toEqual([])
      expect(nodes.asked.every(({ path }) => path.includes('data_column'))).toBe(true)
      expect(report.endpoints[1]!.requests).toBe(asked.length)
    },
  )

  it('has blobs of before Fulu, which nodes have forgotten', async () => {
    const { url } = await startServer(archive(older), plainly)
    const report = await sample(older, () => null, { archives: [url] })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars', columns: [] },
      fallback: { from: 'archives', sources: [url] },
    })
    expectBlobs(report)
  })

  it('is not asked for what the nodes have', async () => {
    const { url, asked } = await startServer(archive(block))
    const report = await sample(block, columnOracle([block]), { archives: url })
    expect(report).toMatchObject({ verdict: 'available', via: 'data-columns', fallback: null })
    expect(asked).toEqual([])
    expect(report.endpoints).toHaveLength(1)
  })

  it('that lies, lacks something, or is not there changes nothing, and is named', async () => {
    const cases: [Oracle, failure: { kind: string; detail: string } | null][] = [
      [
        archive(block, (sidecar, index) => (index === 1 ? flip(sidecar, 8 + 31) : sidecar)),
        { kind: 'invalid', detail: 'blob-sidecar 1: commitment-mismatch' },
      ],
      [archive(block, (sidecar, index) => (index === 2 ? null : sidecar)), null],
      [() => null, { kind: 'not-found', detail: 'status 404' }],
    ]
    for (const [oracle, failure] of cases) {
      const { url } = await startServer(oracle)
      const report = await sample(block, halfGone(), { archives: url })
      // What an archive lacks is no evidence, and what nodes denied still is.
      expect(report).toMatchObject({
        ...{ verdict: 'unavailable', reason: 'columns-missing', via: 'data-columns', fallback: null },
        blobs: null,
      })
      const [, share] = report.endpoints
      expect(share).toMatchObject({ endpoint: url })
      if (failure !== null) expect(share!.failures).toContainEqual(failure)
    }
  })

  it('at the address of an endpoint has a name of its own', async () => {
    const all: Oracle = (url) => halfGone()(url) ?? archive(block)(url)
    const server = await startServer(all)
    const terms = { fallbacks: { archives: server.url } }
    const report = await samplerFor(block, server.url, terms).sampleBlock('head')
    expectSound(report)
    expect(report.fallback).toEqual({ from: 'archives', sources: [`${server.url}#2`] })
  })
})

describe('the endpoints’ own whole blobs', () => {
  it('may be sidecars, where one column is there and bare blobs are not', async () => {
    const report = await sample(block, (url) => halfGone()(url) ?? archive(block)(url), { blobs: true })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars' },
      fallback: { from: 'endpoints', sources: [nodes.url] },
    })
    expectBlobs(report)
  })

  it('name who sent false ones, although another one had true ones', async () => {
    const columns = halfGone()
    const liar = await startServer((url) => {
      const spoilt = concat(flip(blobs[0]!, 31), ...blobs.slice(1))
      return columns(url) ?? (bare(block)(url) && { ssz: spoilt, json: null })
    })
    const honest = await startServer((url) => columns(url) ?? bare(block)(url))
    const named = new Set<boolean>()
    // Whom they are asked of first is for their pace to say.
    for (let turn = 0; turn < 8 && !named.has(true); turn++) {
      const terms = { fallbacks: { blobs: true } }
      const report = await samplerFor(block, [liar.url, honest.url], terms).sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({
        verdict: 'available',
        fallback: { from: 'endpoints', sources: [honest.url] },
      })
      const [share] = report.endpoints
      named.add(share!.failures.some(({ kind, detail }) => kind === 'invalid' && detail.includes('blob 0')))
    }
    expect(named).toContain(true)
  })
})

describe('files at hand', () => {
  const encode = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json))
  const file = (name: string, kind: SidecarFile['kind'], bytes: Uint8Array): SidecarFile => ({
    ...{ name, kind, bytes },
  })

  it.each(['SSZ', 'JSON', 'an answer in JSON'])('of blob sidecars in %s are whole blobs', async (form) => {
    const bytes =
      form === 'SSZ'
        ? concat(...sidecarsOf(block))
        : encode(form === 'JSON' ? block.made.sidecars : { data: block.made.sidecars })
    const report = await sample(block, halfGone(), { files: [file('a.bin', 'blob-sidecars', bytes)] })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars', commitments },
      fallback: { from: 'files', sources: ['a.bin'] },
      confidence: { certain: true, servers: 0, independent: false },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
    })
    expect(report.confidence.assumption).toContain('that others can get it is not shown')
    expectBlobs(report)
    expect(nodes.asked.every(({ path }) => path.includes('data_column'))).toBe(true)
  })

  it('may be one for each sidecar, and hold those of other blocks, which are no use', async () => {
    const [first, ...rest] = sidecarsOf(block)
    const files = [
      file('others', 'blob-sidecars', concat(...other.made.sidecars.map((one) => blobSidecarSsz(one)))),
      file('first', 'blob-sidecars', first!),
      file('rest', 'blob-sidecars', concat(...rest)),
    ]
    const report = await sample(block, halfGone(), { files })
    expect(report).toMatchObject({
      verdict: 'available',
      fallback: { from: 'files', sources: ['first', 'rest'] },
    })
    expect(report.endpoints.map(({ endpoint, failures }) => [endpoint, failures.length])).toEqual([
      [nodes.url, 0],
      ['others', 2],
    ])
    expect(report.endpoints[1]!.failures[0]!.detail).toContain('header-mismatch')
    expectBlobs(report)
  })

  it('of 64 columns are the whole, and those of 63 are not', async () => {
    const half = block.columns.slice(60, 124)
    const several = [
      file('list', 'data-column-sidecars', listSsz(half.slice(0, 63))),
      file('one', 'data-column-sidecars', half[63]!),
    ]
    const report = await sample(block, () => null, { files: several })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'reconstructible', via: 'data-columns', commitments },
      fallback: { from: 'files', sources: ['list', 'one'] },
      confidence: { certain: true },
      blobCount: { count: 3, by: 'committed' },
    })
    expectBlobs(report)
    const json = encode({ data: range(64).map((index) => block.made.column(index)) })
    expect(
      await sample(block, () => null, { files: [file('json', 'data-column-sidecars', json)] }),
    ).toMatchObject({ verdict: 'available', fallback: { from: 'files', sources: ['json'] } })
    for (const files of [several.slice(0, 1), [several[0]!, several[0]!]])
      expect(await sample(block, () => null, { files })).toMatchObject({
        ...{ verdict: 'unknown', reason: 'may-have-no-blobs', fallback: null, commitments: [] },
      })
  })

  it('that are spoilt, incomplete, or none at all change nothing, and are named', async () => {
    const whole = concat(...sidecarsOf(block))
    const cases: [Uint8Array, SidecarFile['kind'], why: string][] = [
      [flip(whole, 8 + 31), 'blob-sidecars', 'blob-sidecar 0: commitment-mismatch'],
      [whole.subarray(0, -1), 'blob-sidecars', 'no SSZ list of sidecars'],
      [whole, 'data-column-sidecars', 'no SSZ list of sidecars'],
      [encode({ data: [{}] }), 'blob-sidecars', 'JSON that is no list of sidecars'],
      [encode('x'.repeat(9)), 'blob-sidecars', 'no SSZ list of sidecars'],
      [new Uint8Array(0), 'data-column-sidecars', ''],
      [sidecarsOf(block)[0]!, 'blob-sidecars', ''],
      [concat(...sidecarsOf(other)), 'blob-sidecars', 'blob-sidecar 1: header-mismatch'],
    ]
    for (const [bytes, kind, why] of cases) {
      const report = await sample(block, halfGone(), { files: [file('bad', kind, bytes)] })
      expect(report).toMatchObject({ verdict: 'unavailable', via: 'data-columns', fallback: null })
      const share = report.endpoints.find(({ endpoint }) => endpoint === 'bad')
      if (why === '') expect(share).toBeUndefined()
      else expect(share!.failures.map(({ detail }) => detail)).toContain(why)
    }
  })

  it('serve where no endpoint answers until the deadline', async () => {
    const silent = await startServer(
      () => null,
      () => {},
    )
    const files = [file('a', 'blob-sidecars', concat(...sidecarsOf(block)))]
    const terms = { fallbacks: { files }, deadlineMs: 300 }
    const report = await samplerFor(block, silent.url, terms).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', fallback: { from: 'files', sources: ['a'] } })
  })
})

it('fallbacks that make no sense are misuse', () => {
  const bytes = new Uint8Array(0)
  for (const fallbacks of [
    { archives: [] },
    { archives: 'ftp://a.example' },
    { files: {} },
    { files: [null] },
    { files: [{ name: 'a', kind: 'blobs', bytes }] },
    { files: [{ name: 'a', kind: 'toString', bytes }] },
    { files: [{ name: 1, kind: 'blob-sidecars', bytes }] },
    { files: [{ name: 'a', kind: 'blob-sidecars', bytes: 'text' }] },
    'blobs',
  ])
    expect(() => samplerFor(block, 'http://a.example', { fallbacks } as never)).toThrow(TypeError)
})
