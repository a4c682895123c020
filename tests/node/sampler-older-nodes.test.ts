/** Nodes of another age: what they have no route for, and how they say so, accuses nobody, and the data's other place is asked. */
import type { SamplerOptions, SampleReport } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BeaconServer, type Manner, type Oracle, plainly } from '../support/beacon-server.ts'
import { concat, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, only } from '../support/column-oracle.ts'
import { makeBlob } from '../support/make.ts'
import { jsonOnly } from '../support/manners.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'
import { blobSidecarSsz } from '../support/ssz.ts'

const CONSTANTS = [3, 4]
const blobs = CONSTANTS.map((c) => makeBlob(c).blob)

let block: ColumnBlock
beforeAll(async () => {
  block = await columnBlock(CONSTANTS)
})

/** A node with 63 columns, of which no sample of 26 has none, or all of its own, and with blobs in both of their places. */
const node: Oracle = (url) => {
  const { pathname, searchParams } = url
  if (pathname === `/eth/v1/beacon/blobs/${block.root}`)
    return { ssz: concat(...blobs), json: { data: blobs.map(toHex) } }
  if (pathname === `/eth/v1/beacon/blob_sidecars/${block.root}`) {
    const asked = searchParams.getAll('indices').map(Number)
    const sidecars = asked.flatMap((index) => block.made.sidecars[index] ?? [])
    const ssz = concat(...sidecars.map((sidecar) => blobSidecarSsz(sidecar)))
    return { ssz, json: { version: 'fulu', data: sidecars } }
  }
  return columnOracle(
    [block],
    only((index) => index % 2 === 0 && index > 0),
  )(url)
}

/** A node that answers so to a route. */
const without =
  (route: string, code: number): Manner =>
  (said, request, response) =>
    request.url?.includes(`/${route}/`) === true
      ? void response.writeHead(code, { 'content-type': 'application/json' }).end('{"code":0,"message":"no"}')
      : plainly(said, request, response)

const askedOf = ({ asked }: BeaconServer, route: string): number =>
  asked.filter(({ path }) => path.includes(`/${route}/`)).length

async function sample(url: string | string[], options: Partial<SamplerOptions>): Promise<SampleReport> {
  const report = await samplerFor(block, url, options).sampleBlock('head', { reconstruct: true })
  expectSound(report)
  return report
}

/** What a route that is not there is answered with, and what it is called in a report. */
const statuses = [
  [400, 'refused'],
  [404, 'not-found'],
  [405, 'no-route'],
  [410, 'not-found'],
  [501, 'no-route'],
] as const

describe.each(statuses)('a node that answers %i to what it has no route for', (code, kind) => {
  it('is asked for blobs in their older place', async () => {
    const server = await startServer(node, without('blobs', code))
    const report = await sample(server.url, { fallbacks: { blobs: true } })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars' },
      endpoints: [{ refused: [], failures: [{ kind, detail: `status ${code}` }] }],
    })
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(blobs.map(toHex))
    // It would say the same again.
    expect(askedOf(server, 'blobs')).toBe(1)
  })

  it('is asked for blobs in their present place, as an archive', async () => {
    const nodes = await startServer(node)
    const server = await startServer(node, without('blob_sidecars', code))
    const report = await sample(nodes.url, { fallbacks: { archives: server.url } })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs' },
      fallback: { from: 'archives', sources: [server.url] },
    })
    expect(report.endpoints[1]).toMatchObject({ endpoint: server.url, refused: [] })
    expect(report.endpoints[1]!.failures.every((failure) => failure.kind === kind)).toBe(true)
  })

  it('denies no column, whatever another one lacks', async () => {
    const server = await startServer(node, without('data_column_sidecars', code))
    const alone = await sample(server.url, { target: { columns: 8 } })
    expect(alone.verdict).toBe('unknown')
    expect(alone.endpoints).toMatchObject([{ refused: [], verified: [] }])
    expect(new Set(alone.endpoints[0]!.failures.map((failure) => failure.kind))).toEqual(new Set([kind]))
    // Of a 404 it is not known that others would be the same: the sample grows, once.
    expect(askedOf(server, 'data_column_sidecars')).toBe(kind === 'not-found' ? 2 : 1)
    const whole = await startServer(columnOracle([block]))
    const helped = await sample([server.url, whole.url], { target: { columns: 8 } })
    expect(helped).toMatchObject({ verdict: 'available', confidence: { missing: 0, contested: [] } })
    // By the other one alone it would be unavailable.
    const half = await startServer(node)
    expect((await sample(half.url, {})).verdict).toBe('unavailable')
    // And by it, beside one that is known to have no such route; of any other status it is not known that this one lacks the data, too.
    const beside = await sample([server.url, half.url], {})
    expect(beside.verdict).toBe(kind === 'no-route' ? 'unavailable' : 'unknown')
    if (kind !== 'no-route') return
    expect(beside.reason).toBe('columns-missing')
    expect(beside.endpoints[0]).toMatchObject({ refused: [], notDelivered: [], failures: [{ kind }] })
    // Asked once when it was alone, once beside each of the others.
    expect(askedOf(server, 'data_column_sidecars')).toBe(3)
    // Where nobody serves the route, nobody denied anything.
    const other = await startServer(node, without('data_column_sidecars', code))
    expect(await sample([server.url, other.url], {})).toMatchObject({ reason: 'unreachable' })
  })
})

describe.each([406, 415] as const)('a node that answers %i to SSZ', (code) => {
  it.each(['blobs', 'blob_sidecars'])('is asked for %s as SSZ first, and then as JSON', async (route) => {
    const server = await startServer((url) => {
      const isOther = !url.pathname.includes(`/${route}/`)
      return isOther && !url.pathname.includes('/data_column_sidecars/') ? null : node(url)
    }, jsonOnly(code))
    const report = await sample(server.url, { fallbacks: { blobs: true } })
    expect(report).toMatchObject({ verdict: 'available', endpoints: [{ refused: [] }] })
    expect(report.via).toBe(route === 'blobs' ? 'blobs' : 'blob-sidecars')
    const [first, ...others] = server.asked.map(({ accept }) => accept)
    expect(first).toBe('application/octet-stream;q=1, application/json;q=0.9')
    expect(new Set(others)).toEqual(new Set(['application/json']))
  })
})

it('a node that has SSZ is asked for nothing else', async () => {
  const server = await startServer(node)
  await sample(server.url, { fallbacks: { blobs: true } })
  for (const { accept } of server.asked) expect(accept).toMatch(/^application\/octet-stream;q=1, /)
})
