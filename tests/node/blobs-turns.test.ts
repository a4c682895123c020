/** Many calls at once of a blob source, whose requests wait for their turn at an endpoint: in virtual time. */
import { createVerifier, type Verifier } from 'blobcheck'
import { type BlobsResult, type BlobSourceOptions, createBlobSource } from 'blobcheck/blobs'
import { createBeaconApp, type FaultRule, type MadeChain } from 'blobcheck/serve'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectTrue, headersFrom, quietly } from '../support/blob-sources.ts'
import { handChain } from '../support/served.ts'
import { INSTANT, VirtualTime } from '../support/virtual-time.ts'

const CALLS = 60
const NODES = ['http://node.example', 'http://other.example']
const ARCHIVE = 'http://archive.example'

let chain: MadeChain
let verifier: Verifier
beforeAll(async () => {
  chain = await handChain()
  verifier = await createVerifier({ network: chain.network, ...INSTANT })
  // What is loaded when it is wanted first takes time of another kind.
  const { results } = await getAll(1)
  expect(results[0]).toMatchObject({ verdict: 'complete' })
})
afterAll(async () => await verifier.dispose())

const time = new VirtualTime()
afterEach(() => time.end())

/** So many calls at once, of nodes with these rules, and an archive that has all, a moment later; what came of them, and what they were asked for. */
async function getAll(
  calls: number,
  options: Partial<BlobSourceOptions> = {},
  ...nodes: readonly (readonly FaultRule[])[]
): Promise<{ readonly results: readonly BlobsResult[]; readonly asked: readonly URL[] }> {
  const apps = (nodes.length > 0 ? nodes : [[]]).map((rules, at) =>
    createBeaconApp({ chain, faults: { seed: at + 1, rules } }),
  )
  const archive = createBeaconApp({ chain, faults: { seed: 9, rules: late(300) } })
  const asked: URL[] = []
  const source = createBlobSource({
    ...{ verifier, headers: headersFrom(chain), beacon: NODES.slice(0, apps.length) },
    ...{ now: () => chain.now(), requestsPerEndpoint: 4, ...options },
    fetch: async (url, { headers, signal }) => {
      const { origin } = asked[asked.push(new URL(url)) - 1]!
      const request = new Request(url, { headers: { ...headers }, signal: signal as AbortSignal })
      return (await (apps[NODES.indexOf(origin)] ?? archive).fetch(request)) as Response
    },
  })
  const results = await Promise.all(
    Array.from({ length: calls }, async () => quietly(await source.get({ slot: 'head' }))),
  )
  for (const result of results) expectTrue(result, chain.head)
  return { results, asked }
}

const late = (ms: number): FaultRule[] => [{ fault: { kind: 'delay', ms } }]

/** That reports count what nodes were sent, and nothing else. */
function expectCounted({ results, asked }: Awaited<ReturnType<typeof getAll>>): void {
  const told = results.flatMap(({ report }) => report.sources.map(({ requests }) => requests))
  expect(told.reduce((sum, one) => sum + one, 0)).toBe(asked.length)
  for (const { report } of results)
    for (const { failures, requests } of report.sources) expect(failures.length).toBeLessThanOrEqual(requests)
}

it('waiting for a node that is at work is no reason to ask it for more', async () => {
  await time.during(async () => {
    const all = await time.until(getAll(CALLS, {}, late(200)))
    expect(new Set(all.results.map(({ verdict }) => verdict))).toEqual(new Set(['complete']))
    expect(all.asked.filter(({ pathname }) => !/\/(blocks|blobs)\//.test(pathname))).toEqual([])
    expect(all.asked).toHaveLength(2 * CALLS)
    expectCounted(all)
  })
})

it('a call that ends while it waits says so, and nothing of the node', async () => {
  await time.during(async () => {
    const all = await time.until(getAll(CALLS, { deadlineMs: 2_000 }, late(200)))
    expectCounted(all)
    const waited = all.results.filter(({ report }) => report.sources[0]!.requests === 0)
    expect(waited.length).toBeGreaterThan(0)
    for (const { detail, report, verdict } of waited) {
      expect(verdict).toBe('unknown')
      expect(detail).toBe(
        'the block could not be had in time; at the deadline, a request still waited for its turn (requestsPerEndpoint)',
      )
      expect(report.sources[0]!.failures).toEqual([])
    }
  })
})

it('waiting for a node that is silent is silence', async () => {
  await time.during(async () => {
    const hidden: FaultRule = { fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] }
    const silent: FaultRule = { fault: { kind: 'delay', ms: 90_000 } }
    const all = await time.until(getAll(12, {}, [silent], [hidden]))
    expect(new Set(all.results.map(({ verdict }) => verdict))).toEqual(new Set(['complete']))
    expectCounted(all)
  })
})

it('a node that takes its time over each turn, and has nothing, keeps no archive from being asked', async () => {
  await time.during(async () => {
    const slow = [...late(500), { fault: { kind: 'status', code: 404 } } as const]
    const all = await time.until(getAll(16, { archives: ARCHIVE, requestsPerEndpoint: 1 }, slow))
    expect(new Set(all.results.map(({ verdict }) => verdict))).toEqual(new Set(['complete']))
    expectCounted(all)
  })
})
