/** What is there where columns are not: blob sidecars before Fulu, and whole blobs where they are asked for. */
import { createVerifier } from 'blobcheck'
import type { SampleReport } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { platform } from '../../dist/runtime/platform/node.js'
import { type Oracle, plainly } from '../support/beacon-server.ts'
import { invented, makeSidecars, slots } from '../support/blocks.ts'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, headersOf, only } from '../support/column-oracle.ts'
import { makeBlob } from '../support/make.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'
import { type BlobSidecarJson, blobSidecarSsz, headerRoot, sha256, uint64 } from '../support/ssz.ts'

const CONSTANTS = [3, 4, 9]
const commitments = CONSTANTS.map((c) => toHex(makeBlob(c).commitment as Uint8Array))

/** blob_kzg_commitments[0] in a body, and where its branch has the length of the list. */
const [GINDEX, LENGTH_AT] = [221_184, 12]

/** A sidecar with another length of its block's list, and the root of the header that has to go with it. */
async function forged(
  sidecar: BlobSidecarJson,
  length: bigint,
): Promise<[root: string, ssz: Uint8Array<ArrayBuffer>]> {
  const branch = sidecar.kzg_commitment_inclusion_proof.map((node, at) =>
    at === LENGTH_AT ? uint64(length, 32) : fromHex(node),
  )
  let node = await sha256(concat(fromHex(sidecar.kzg_commitment), new Uint8Array(16)))
  for (const [height, sibling] of branch.entries())
    node = await sha256((GINDEX >> height) & 1 ? concat(sibling, node) : concat(node, sibling))
  const message = { ...sidecar.signed_block_header.message, body_root: toHex(node) }
  const ssz = blobSidecarSsz({
    ...sidecar,
    signed_block_header: { ...sidecar.signed_block_header, message },
    kzg_commitment_inclusion_proof: branch.map(toHex),
  })
  return [toHex(await headerRoot(message)), ssz]
}

describe('a block of before Fulu', () => {
  let block: ColumnBlock
  let sidecars: Uint8Array<ArrayBuffer>[]
  beforeAll(async () => {
    const made = await makeSidecars(slots.electra, CONSTANTS)
    const root = toHex(await headerRoot(made.block.header))
    block = { made, root, slot: Number(slots.electra), columns: [] }
    sidecars = made.sidecars.map((sidecar) => blobSidecarSsz(sidecar))
  })

  const oracle =
    (change: (asked: readonly number[]) => Uint8Array[], json = false): Oracle =>
    ({ pathname, searchParams }) => {
      if (pathname !== `/eth/v1/beacon/blob_sidecars/${block.root}`) return null
      const asked = searchParams.getAll('indices').map(Number)
      const data = asked.flatMap((index) => block.made.sidecars[index] ?? [])
      return { ssz: json ? null : concat(...change(asked)), json: { version: 'electra', data } }
    }
  const honest = (asked: readonly number[]): Uint8Array[] => asked.flatMap((index) => sidecars[index] ?? [])
  const run = async (...oracles: Oracle[]): Promise<SampleReport> => {
    const servers = await Promise.all(oracles.map((one) => startServer(one, plainly)))
    const sampler = samplerFor(
      block,
      servers.map(({ url }) => url),
    )
    const report = await sampler.sampleBlock('head', { reconstruct: true })
    expectSound(report)
    return report
  }

  it.each([false, true])('is there where all its sidecars are (JSON: %j)', async (json) => {
    const report = await run(oracle(honest, json))
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars', columns: [], commitments },
      blobCount: { count: 3, by: 'committed' },
      confidence: { certain: true, servers: 1 },
      links: { kzg: 'verified', inclusion: 'verified' },
    })
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(
      CONSTANTS.map((c) => toHex(makeBlob(c).blob)),
    )
  })

  it('is unavailable where one is withheld, or false, and it is known that there should be more', async () => {
    const withheld = (asked: readonly number[]): Uint8Array[] => honest(asked.filter((index) => index !== 2))
    expect(await run(oracle(withheld))).toMatchObject({
      verdict: 'unavailable',
      reason: 'columns-missing',
      blobs: null,
    })
    const tampered = (asked: readonly number[]): Uint8Array[] =>
      asked.map((index) => (index === 1 ? flip(sidecars[1]!, 8 + 31) : sidecars[index]!))
    const report = await run(oracle(tampered))
    expect(report).toMatchObject({
      verdict: 'unavailable',
      endpoints: [{ refused: [{ index: 1, reason: 'proof-mismatch' }] }],
    })
    const both = await run(oracle(tampered), oracle(honest))
    expect(both).toMatchObject({ verdict: 'available', reason: 'complete' })
  })

  it('accuses nobody by a list that was cut between two sidecars: the rest is asked for again', async () => {
    // The first sidecar alone goes through whole, as of a proxy that cuts after so many bytes.
    const asks: number[][] = []
    const cut = (asked: readonly number[]): Uint8Array[] => {
      asks.push([...asked])
      return honest(asked.slice(0, 1))
    }
    const report = await run(oracle(cut))
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', commitments },
      endpoints: [{ notDelivered: [], refused: [], failures: [{ kind: 'truncated' }] }],
    })
    expect(asks).toEqual([[0], [1, 2], [2]])
  })

  it('is not known to be unavailable where an answer is cut each time, and another one is asked for the rest', async () => {
    let isFirst = true
    const breaking: Oracle = (url) => {
      const asked = url.searchParams.getAll('indices').map(Number)
      if (asked.length > 1 || isFirst) {
        isFirst = false
        return oracle((some) => honest(some.slice(0, 1)))(url)
      }
      return { ssz: honest(asked)[0]!.subarray(1), json: null }
    }
    const alone = await run(breaking)
    expect(alone.verdict).toBe('unknown')
    expect(alone.endpoints[0]).toMatchObject({ notDelivered: [], refused: [] })
    isFirst = true
    expect(await run(breaking, oracle(honest))).toMatchObject({ verdict: 'available', reason: 'complete' })
  })

  it('is unavailable by a list without one of its middle, and by JSON, which cannot have been cut', async () => {
    const asks: number[][] = []
    const lacking =
      (lacks: number) =>
      (asked: readonly number[]): Uint8Array[] => {
        asks.push([...asked])
        return honest(asked.filter((index) => index !== lacks))
      }
    const unavailable = { verdict: 'unavailable', reason: 'columns-missing' }
    expect(await run(oracle(lacking(1)))).toMatchObject({
      ...unavailable,
      endpoints: [{ notDelivered: [1], failures: [] }],
    })
    expect(asks).toEqual([[0], [1, 2]])
    const json: Oracle = ({ pathname, searchParams }) => {
      const asked = searchParams.getAll('indices').map(Number)
      const data = asked.flatMap((index) => (index === 2 ? [] : [block.made.sidecars[index]]))
      return pathname.endsWith(block.root) ? { ssz: null, json: { version: 'electra', data } } : null
    }
    expect(await run(json)).toMatchObject({
      ...unavailable,
      endpoints: [{ notDelivered: [2], failures: [] }],
    })
  })

  it('whose header is made up, and its list as long as no block’s, is asked no further', async () => {
    for (const length of [0n, 10n, 4_096n, 4n * 10n ** 8n, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
      const [root, sidecar] = await forged(block.made.sidecars[0]!, length)
      const asked: number[][] = []
      const liar = await startServer(({ pathname, searchParams }) => {
        if (!pathname.endsWith(root)) return null
        asked.push(searchParams.getAll('indices').map(Number))
        return { ssz: sidecar, json: null }
      }, plainly)
      const report = await samplerFor({ ...block, root }, liar.url).sampleBlock('head')
      expectSound(report)
      // The sidecar itself is true: its blob is in a list of that header.
      expect(report).toMatchObject({
        ...{ verdict: 'unknown', reason: 'unsupported-fork' },
        links: { kzg: 'verified', inclusion: 'verified' },
      })
      expect(asked).toEqual([[0]])
    }
  })

  it('of which nothing is delivered may have no blobs, for all that is known', async () => {
    expect(await run(oracle(() => []))).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
    expect(await run(() => null)).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
  })
})

describe('whole blobs', () => {
  let block: ColumnBlock
  beforeAll(async () => {
    block = await columnBlock(CONSTANTS)
  })

  /** Blobs as they are told, and 63 columns: no sample of 26 is likely to have all of its columns, or none. */
  const oracle = (blobs: readonly Uint8Array[], json: boolean): Oracle => {
    const columns = columnOracle(
      [block],
      only((index) => index % 2 === 0 && index > 0),
    )
    return (url) =>
      url.pathname === `/eth/v1/beacon/blobs/${block.root}`
        ? { ssz: json ? null : concat(...blobs), json: { data: blobs.map(toHex) } }
        : columns(url)
  }
  const blobs = CONSTANTS.map((c) => makeBlob(c).blob)
  const terms = { fallbacks: { blobs: true } } as const

  it.each([false, true])('are taken where that is asked for, and said to be (JSON: %j)', async (json) => {
    const server = await startServer(oracle(blobs, json))
    const report = await samplerFor(block, server.url, terms).sampleBlock('head', { reconstruct: true })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs', commitments },
      confidence: { certain: true },
    })
    expect(report.columns.some(({ status }) => status === 'missing')).toBe(true)
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(blobs.map(toHex))
    // Not otherwise.
    const without = await samplerFor(block, server.url).sampleBlock('head')
    expectSound(without)
    expect(without).toMatchObject({ verdict: 'unavailable', via: 'data-columns' })
  })

  /** A server without a single column: it has the sidecars of blobs, as they are told. */
  const sidecarOracle =
    (change: (asked: readonly number[]) => Uint8Array[]): Oracle =>
    ({ pathname, searchParams }) =>
      pathname === `/eth/v1/beacon/blob_sidecars/${block.root}`
        ? { ssz: concat(...change(searchParams.getAll('indices').map(Number))), json: null }
        : null
  const sidecarsOf = (asked: readonly number[]): Uint8Array<ArrayBuffer>[] =>
    asked.flatMap((index) => block.made.sidecars[index] ?? []).map((sidecar) => blobSidecarSsz(sidecar))

  it('come as sidecars where there is no column to tell the commitments', async () => {
    const server = await startServer(sidecarOracle(sidecarsOf))
    const report = await samplerFor(block, server.url, terms).sampleBlock('head', { reconstruct: true })
    expectSound(report)
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars', commitments },
      blobCount: { count: 3, by: 'committed' },
      confidence: { certain: true, servers: 1, samples: 26 },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
      endpoints: [{ verified: [], refused: [] }],
    })
    expect(report.columns.map(({ status }) => status)).toEqual(Array(26).fill('missing'))
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(blobs.map(toHex))
    const [share] = report.endpoints
    expect(share!.requests).toBe(server.asked.length)
    expect(share!.bytes).toBe(CONSTANTS.length * sidecarsOf([0])[0]!.length)
    // Not otherwise.
    const without = await samplerFor(block, server.url).sampleBlock('head')
    expect(without).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
  })

  it('as sidecars change nothing where one of them is lacking or false, and who lied is named', async () => {
    const lacking = await startServer(sidecarOracle((asked) => sidecarsOf(asked.filter((at) => at !== 1))))
    const report = await samplerFor(block, lacking.url, terms).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs', via: 'data-columns' })
    const spoil = (at: number, sidecar: Uint8Array): Uint8Array =>
      at === 2 ? flip(sidecar, 8 + 31) : sidecar
    const lying = await startServer(
      sidecarOracle((asked) => asked.map((at) => spoil(at, sidecarsOf([at])[0]!))),
    )
    const lied = await samplerFor(block, lying.url, terms).sampleBlock('head')
    expectSound(lied)
    expect(lied).toMatchObject({ verdict: 'unknown', via: 'data-columns', commitments: [] })
    expect(lied.endpoints[0]!.failures).toContainEqual({
      kind: 'invalid',
      detail: 'blob-sidecar 2: commitment-mismatch',
    })
  })

  it('that are not what the block commits to are refused, and their sender is named', async () => {
    const lies: Uint8Array[][] = [
      [blobs[0]!, blobs[2]!, blobs[1]!],
      [blobs[0]!, flip(blobs[1]!, 31), blobs[2]!],
      [blobs[0]!, concat(new Uint8Array(32).fill(0xff), blobs[1]!.subarray(32)), blobs[2]!],
      [...blobs, blobs[0]!],
    ]
    for (const lie of lies) {
      const server = await startServer(oracle(lie, false))
      const report = await samplerFor(block, server.url, terms).sampleBlock('head')
      expect(report).toMatchObject({ verdict: 'unavailable', via: 'data-columns', fallback: null })
      // Then it is asked for sidecars, and has none.
      const kinds = report.endpoints[0]!.failures.map(({ kind }) => kind)
      expect(kinds).toEqual(['invalid', 'not-found'])
    }
    for (const few of [blobs.slice(1), []]) {
      const server = await startServer(oracle(few, false))
      const report = await samplerFor(block, server.url, terms).sampleBlock('head')
      expect(report).toMatchObject({ verdict: 'unavailable', via: 'data-columns', fallback: null })
      // It may have no more, and is distrusted for nothing.
      expect(report.endpoints[0]!.failures.map(({ kind }) => kind)).toEqual(['not-found', 'not-found'])
    }
    const cut = await startServer(oracle([blobs[0]!.subarray(1)], false))
    const short = await samplerFor(block, cut.url, terms).sampleBlock('head')
    expect(short.verdict).toBe('unavailable')
    expect(short.endpoints[0]!.failures[0]!.kind).toBe('malformed')
  })

  it.each<[string, string, unknown]>([
    ['malformed', 'no record', 'blobs'],
    ['malformed', 'no list', { data: 'blobs' }],
    ['malformed', 'a list of something else', { data: [null, {}, 3] }],
    ['malformed', 'no hex', { data: [...blobs.slice(1).map(toHex), `${toHex(blobs[0]!).slice(0, -1)}g`] }],
    ['malformed', 'one too many', { data: ['0x', ...blobs.map(() => '0x')] }],
    ['too-large', 'one too many', { data: [...blobs, blobs[0]!].map(toHex) }],
    ['invalid', 'one short of a byte', { data: blobs.map((blob) => toHex(blob).slice(0, -2)) }],
    ['not-found', 'one too few', { data: blobs.slice(1).map(toHex) }],
    ['invalid', 'others', { data: [...blobs].reverse().map(toHex) }],
  ])('in JSON that are %s (%s) are refused', async (kind, _, json) => {
    const server = await startServer((url) => {
      const told = oracle(blobs, true)(url)
      return url.pathname.startsWith('/eth/v1/beacon/blobs/') ? { ssz: null, json } : told
    })
    const report = await samplerFor(block, server.url, terms).sampleBlock('head')
    expect(report).toMatchObject({ verdict: 'unavailable', via: 'data-columns', fallback: null })
    expect(report.endpoints[0]!.failures[0]!.kind).toBe(kind)
  })

  it('that cannot be verified for want of the setup leave what was found', async () => {
    const { readAsset } = platform
    const spy = vi.spyOn(platform, 'readAsset').mockImplementation(async (url, how) => {
      if (url.href.includes('prover-setup.bin')) throw new Error('no such file')
      return await readAsset(url, how)
    })
    // One that has not loaded it yet.
    const verifier = await createVerifier({ network: invented, workers: 1, cache: false })
    const own = { ...terms, verifier }
    try {
      const server = await startServer(oracle(blobs, false))
      const sampler = samplerFor(block, server.url, own)
      const report = await sampler.sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'unavailable', reason: 'columns-missing', via: 'data-columns' })
      expect(report.detail).toBe('whole blobs could not be verified: setup-unavailable')
      const headers = {
        ...headersOf(block),
        headers: async function* () {
          yield await Promise.resolve({ root: block.root, slot: block.slot })
        },
      }
      for await (const { outcome } of samplerFor(block, server.url, { ...own, headers }).follow())
        expect(outcome).toBe('unavailable')
      // Sidecars are asked for all the same. Those of constant blobs have the point at infinity for a proof, which is a stub since Fulu.
      const both: Oracle = (url) => oracle(blobs, false)(url) ?? sidecarOracle(sidecarsOf)(url)
      const richer = await startServer(both)
      const whole = await samplerFor(block, richer.url, own).sampleBlock('head')
      expectSound(whole)
      expect(whole.verdict).toBe('unavailable')
      expect(whole.endpoints.flatMap(({ failures }) => failures)).toEqual([])
      // Once it is there, so are they; and the prover's module never was.
      spy.mockRestore()
      const compile = vi.spyOn(platform, 'compile')
      expect((await sampler.sampleBlock('head')).verdict).toBe('available')
      expect(compile.mock.calls.map(([url]) => url.pathname.split('/').at(-1))).toEqual([
        `blobcheck_${verifier.kernel.replace('-', '_')}.wasm`,
      ])
    } finally {
      vi.restoreAllMocks()
      await verifier.dispose()
    }
  })

  it('in JSON are not parsed on the calling thread', async () => {
    const server = await startServer(oracle(blobs, true))
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const report = await samplerFor(block, server.url, terms).sampleBlock('head')
      expect(report.verdict).toBe('available')
      const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length))
      expect(longest).toBeLessThan(blobs[0]!.length)
    } finally {
      parse.mockRestore()
    }
  })
})
