/** The proxy in front of endpoints that lie, are slow, break off or are gone: never a wrong byte, and a reason where there is none. */
import type { Chain, Faults, FaultRule } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import { headerIn } from '../../dist/beacon/header-answer.js'
import { later, until } from '../support/make.ts'
import {
  ask,
  blobsAt,
  digestOf,
  type Endpoint,
  endpointOf,
  pause,
  proxiedChain,
  type Proxied,
  proxyOf,
} from '../support/proxies.ts'

let chain: Chain
beforeAll(async () => {
  chain = await proxiedChain()
})

const [THREE, RECENT] = [95, 155]

/** Each is told the truth by everybody about headers, unless the fault is about them. */
const lies: readonly (readonly [name: string, rules: readonly FaultRule[], reasons: readonly string[]])[] = [
  [
    'corrupts everything that holds blobs',
    ['cell', 'proof', 'commitment'].map((part) => ({
      fault: { kind: 'corrupt' as const, part: part as 'cell' },
      routes: ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const,
    })),
    ['false'],
  ],
  ['hides blobs', [{ fault: { kind: 'hide-blobs' } }], ['not-served', 'unreachable', 'false']],
  [
    'has no block',
    [{ fault: { kind: 'status', code: 404 }, routes: ['blocks'] }, { fault: { kind: 'hide-blobs' } }],
    ['no-block'],
  ],
  [
    'withholds 65 columns, and serves nothing else',
    [
      { fault: { kind: 'withhold', columns: 65 } },
      { fault: { kind: 'status', code: 501 }, routes: ['blobs', 'blob_sidecars'] },
    ],
    ['not-served', 'unreachable'],
  ],
  [
    'breaks off all data',
    [{ fault: { kind: 'truncate', at: 0.5 }, routes: ['blobs', 'blob_sidecars', 'data_column_sidecars'] }],
    ['unreachable'],
  ],
  [
    'is slower than anybody waits',
    [
      {
        fault: { kind: 'drip', bytes: 1_000, everyMs: 200 },
        routes: ['blobs', 'blob_sidecars', 'data_column_sidecars'],
      },
    ],
    ['unreachable'],
  ],
  [
    'answers 503 to all data',
    [
      {
        fault: { kind: 'status', code: 503 },
        routes: ['blobs', 'blob_sidecars', 'data_column_sidecars', 'blocks'],
      },
    ],
    ['unreachable'],
  ],
  [
    'sends as another type',
    [
      {
        fault: { kind: 'content-type', value: 'text/html' },
        routes: ['blobs', 'blob_sidecars', 'data_column_sidecars'],
      },
    ],
    ['false', 'unreachable'],
  ],
]

describe.each(lies)('an endpoint that %s', (_, rules, reasons) => {
  let liar: Endpoint
  beforeAll(async () => {
    liar = await endpointOf(chain, rules)
  })

  it('makes no answer wrong, and keeps none away, beside an honest one', async () => {
    const honest = await endpointOf(chain)
    const proxied = await proxyOf(chain, [liar.url, honest.url])
    for (const slot of [THREE, RECENT]) {
      const { status, json } = await ask(proxied, `/eth/v1/beacon/blobs/${slot}`)
      expect(status).toBe(200)
      expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, slot)))
    }
  })

  it('alone, is a 503 that says why', async () => {
    const proxied = await proxyOf(chain, [liar.url], { deadlineMs: 30_000, timeoutMs: 1_000 })
    const { status, json } = await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect(status).toBe(503)
    expect(json).toMatchObject({ code: 503, message: expect.stringContaining('blobs of slot 95') as string })
    expect(reasons).toContain(json['reason'])
    expect(json).not.toHaveProperty('data')
    expect(proxied.log.at(-1)).toMatchObject({ status: 503, reason: json['reason'], block: String(THREE) })
    expect(proxied.faults).toEqual([])
  })
})

describe('a block that the one endpoint does not give', () => {
  const status = (code: number, ...routes: NonNullable<FaultRule['routes']>): FaultRule => ({
    ...{ fault: { kind: 'status', code }, routes },
  })
  const data = ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const
  const slow: FaultRule = { fault: { kind: 'delay', ms: 600_000 }, routes: ['blocks'] }
  it.each<readonly [name: string, reason: string, rules: readonly FaultRule[], timeoutMs: number]>([
    ['since it fails', 'unreachable', [status(503, 'blocks'), status(404, ...data)], 1_000],
    ['in the time for an answer', 'unreachable', [slow, status(404, ...data)], 200],
    ['before a client has waited enough', 'unreachable', [slow, status(404, ...data)], 600_000],
    ['since it wants to know who asks', 'unreachable', [status(401, 'blocks', ...data)], 1_000],
    ['since it has none', 'no-block', [status(404, 'blocks', ...data)], 1_000],
    [
      'since it has none, nor a way to columns',
      'no-block',
      [status(404, 'blocks'), status(501, ...data)],
      1_000,
    ],
  ])('%s, is told as %s', async (_, reason, rules, timeoutMs) => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], { deadlineMs: 2_000, timeoutMs })
    await ask(proxied, `/eth/v1/beacon/headers/${THREE}`)
    server.faults.rules = rules
    const { status, headers, json } = await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect([status, json['reason']]).toEqual([503, reason])
    expect(headers.get('retry-after')).toBe(reason === 'unreachable' ? '1' : null)
  })
})

describe('an archive', () => {
  it('is asked for what the endpoints have not, and believed as little', async () => {
    const data = ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const
    const [forgetful, liar, honest] = await Promise.all([
      endpointOf(chain, [{ fault: { kind: 'status', code: 404 }, routes: data }]),
      endpointOf(chain, [{ fault: { kind: 'corrupt', part: 'cell' } }]),
      endpointOf(chain),
    ])
    const without = await proxyOf(chain, [forgetful.url], { archives: [liar.url], timeoutMs: 1_000 })
    expect((await ask(without, `/eth/v1/beacon/blobs/${THREE}`)).status).toBe(503)
    const proxied = await proxyOf(chain, [forgetful.url], { archives: [liar.url, honest.url] })
    const { status, json } = await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect(status).toBe(200)
    expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, THREE)))
  })
})

describe('a proxy that is behind', () => {
  it('says so, and goes on with what it has', async () => {
    const server = await endpointOf(chain)
    const nextDay = (): number => chain.now() + 20 * 3_600_000
    const proxied = await proxyOf(chain, [server.url], { now: nextDay })
    const healthBy = async (query: string): Promise<number> =>
      (await ask(proxied, `/eth/v1/node/health${query}`)).status
    expect(await healthBy('')).toBe(206)
    for (const status of [200, 204, 299, 503, 599])
      expect(await healthBy(`?syncing_status=${status}`)).toBe(status)
    for (const status of ['99', '100', '600', '-1', '1e2', '', 'any'])
      expect([status, await healthBy(`?syncing_status=${status}`)]).toEqual([status, 400])
    expect((await ask(proxied, '/eth/v1/node/syncing')).json['data']).toMatchObject({ is_syncing: true })
    const health = await ask(proxied, '/health')
    expect([health.status, health.json['status']]).toEqual([503, 'behind'])
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)).status).toBe(200)
  })
})

describe('headers', () => {
  it('are right although half of the endpoints make them up, or fail', async () => {
    const rules: FaultRule[] = [{ fault: { kind: 'corrupt', part: 'header' } }]
    const [first, second, honest] = await Promise.all([
      endpointOf(chain, rules),
      endpointOf(chain, [{ fault: { kind: 'status', code: 500 }, probability: 0.5 }]),
      endpointOf(chain),
    ])
    const proxied = await proxyOf(chain, [first.url, second.url, honest.url])
    for (let slot = 64; slot < chain.head.slot - 1; slot++) {
      const { status, json } = await ask(proxied, `/eth/v1/beacon/headers/${slot}`)
      const block = chain.at(slot)
      if (block === null) expect([slot, status]).toEqual([slot, 404])
      else expect(json['data']!['root']).toBe(block.root)
    }
  })

  it('are not known to be absent where nobody answers: that is no 404', async () => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], { deadlineMs: 3_000, timeoutMs: 500 })
    server.faults.rules = [{ fault: { kind: 'status', code: 404 }, routes: ['headers'] }]
    const { status, json } = await ask(proxied, '/eth/v1/beacon/headers/87')
    expect([status, json['reason']]).toEqual([503, 'unreachable'])
  })
})

describe('requests for the same block', () => {
  const slowly = async (): Promise<{ proxied: Proxied; faults: Faults }> => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], { timeoutMs: 600_000, deadlineMs: 600_000 })
    // The header first, which is shared in another way.
    await ask(proxied, `/eth/v1/beacon/headers/${THREE}`)
    server.faults.rules = [{ fault: { kind: 'delay', ms: 300 } }]
    proxied.asked.length = 0
    return { proxied, faults: server.faults }
  }
  // Sidecars may be asked for beside, where the machine was busy.
  const dataOf = ({ asked }: Proxied): string[] => asked.filter((path) => path.includes('/beacon/blobs/'))

  it('share one fetch, and the next one needs none', async () => {
    const { proxied } = await slowly()
    const ids = [THREE, THREE, chain.at(THREE)!.root, `${THREE}?versioned_hashes=0x01${'00'.repeat(31)}`]
    const answers = await Promise.all(
      [...ids, ...ids, ...ids].map(async (id) => await ask(proxied, `/eth/v1/beacon/blobs/${id}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(dataOf(proxied)).toHaveLength(1)
    expect(new Set(answers.map(({ json }) => json['data']!.length))).toEqual(new Set([3, 0]))
    await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect(dataOf(proxied)).toHaveLength(1)
    expect(proxied.log.at(-1)).toMatchObject({ via: 'memory' })
  })

  it('do not end with one who goes', async () => {
    const { proxied } = await slowly()
    const path = `${proxied.proxy.url}/eth/v1/beacon/blobs/${THREE}`
    const [leaving, staying] = [new AbortController(), ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)]
    const left = fetch(path, { signal: leaving.signal }).catch(() => 'gone')
    await pause(100)
    leaving.abort()
    expect(await left).toBe('gone')
    expect((await staying).status).toBe(200)
    expect(dataOf(proxied)).toHaveLength(1)
    expect(proxied.faults).toEqual([])
  })

  it('end where all have gone, and the next one begins anew', async () => {
    const server = await endpointOf(chain)
    const { promise: mayAnswer, resolve: letAnswer } = later()
    const requests: { readonly route: string; readonly signal: AbortSignal }[] = []
    const proxied = await proxyOf(chain, [server.url], {
      // No request ends because of the time: those for data are answered when the test lets them.
      ...{ timeoutMs: 600_000, deadlineMs: 600_000 },
      fetch: async (url, init) => {
        const [, route] = /\/(blobs|blob_sidecars|data_column_sidecars)\//.exec(url) ?? []
        if (route !== undefined) {
          requests.push({ route, signal: init.signal as AbortSignal })
          await mayAnswer
        }
        return await fetch(url, init as RequestInit)
      },
    })
    const path = `/eth/v1/beacon/blobs/${RECENT}`
    const leaving = new AbortController()
    const left = fetch(proxied.proxy.url + path, { signal: leaving.signal })
    await until(() => requests.length > 0)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await until(() => proxied.log.at(-1)?.reason === 'gone')
    await until(() => requests.every(({ signal }) => signal.aborted))
    const ofBlobs = (): unknown[] => requests.filter(({ route }) => route === 'blobs')
    expect(ofBlobs()).toHaveLength(1)
    letAnswer()
    expect((await ask(proxied, path)).status).toBe(200)
    expect(ofBlobs()).toHaveLength(2)
    expect(proxied.faults).toEqual([])
    const metrics = new TextDecoder().decode((await ask(proxied, '/metrics')).bytes)
    // Whoever is woken by refusals can leave out clients that went.
    const counted = (labels: string): string =>
      `requests_total{route="/eth/v1/beacon/blobs/{block_id}",${labels}} 1`
    expect(metrics).toContain(counted('status="503",reason="gone"'))
    expect(metrics).toContain(counted('status="200",reason=""'))
  })
})

describe('an endpoint that is gone', () => {
  it('does not keep the proxy from starting, and it follows as soon as there is one', async () => {
    const server = await endpointOf(chain, [{ fault: { kind: 'status', code: 502 } }])
    const proxied = await proxyOf(chain, [server.url], { isReady: false })
    const early = await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect([early.status, early.json['reason']]).toEqual([503, 'starting'])
    expect(early.headers.get('retry-after')).toBe('1')
    // Nothing is on trust: there is no header yet.
    expect(early.headers.has('blobcheck-headers')).toBe(false)
    expect(await ask(proxied, '/health')).toMatchObject({ status: 503, json: { headers: null } })
    expect((await ask(proxied, '/eth/v1/node/health')).status).toBe(503)
    expect((await ask(proxied, '/eth/v1/node/syncing')).status).toBe(503)
    while (proxied.news.length === 0) await pause(10)
    expect(proxied.news[0]).toContain('502')
    const metrics = async (): Promise<string> =>
      new TextDecoder().decode((await ask(proxied, '/metrics')).bytes)
    const failures = (text: string): number =>
      Number(/header_failures_total\{.*for="light-client",kind="server-error"\} (\d+)/.exec(text)?.[1])
    const starting = await metrics()
    expect(starting).toMatch(/^blobcheck_proxy_healthy 0$/m)
    expect(failures(starting)).toBeGreaterThan(0)
    server.faults.rules = []
    while (!proxied.news.includes('in step with the chain')) await pause(10)
    const inStep = await metrics()
    expect(inStep).toMatch(/^blobcheck_proxy_healthy 1$/m)
    expect(failures(inStep)).toBeGreaterThanOrEqual(failures(starting))
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)).status).toBe(200)
    // And again: what is in memory is still right.
    server.faults.rules = [{ fault: { kind: 'status', code: 502 } }]
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)).status).toBe(200)
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${RECENT}`)).status).toBe(503)
    // Nobody has said that there is no such block.
    const byRoot = await ask(proxied, `/eth/v1/beacon/blobs/${chain.at(RECENT - 9)!.root}`)
    expect([byRoot.status, byRoot.json['reason']]).toEqual([503, 'unreachable'])
    expect(byRoot.headers.get('retry-after')).toBe('1')
  })
})

describe('headers on trust', () => {
  it('are called so, an endpoint’s 404 proves nothing, and blobs are held against commitments all the same', async () => {
    const [liar, honest] = await Promise.all([
      endpointOf(chain, [{ fault: { kind: 'corrupt', part: 'cell' } }]),
      endpointOf(chain),
    ])
    const proxied = await proxyOf(chain, [liar.url, honest.url], { checkpoint: null })
    expect((await ask(proxied, '/health')).json['headers']).toBe('on trust')
    const { json, headers } = await ask(proxied, `/eth/v1/beacon/blobs/${THREE}`)
    expect(headers.get('blobcheck-headers')).toBe('on-trust')
    expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, THREE)))
    const none = await ask(proxied, '/eth/v1/beacon/blobs/87')
    expect([none.status, none.json['reason']]).toEqual([503, 'unreachable'])
    // What somebody asked for that there is not is no trouble of the proxy's.
    expect((await ask(proxied, '/health')).json).toMatchObject({ status: 'ok', trouble: null })
    const header = (await ask(proxied, `/eth/v1/beacon/headers/${THREE}`)).json
    expect(header).toMatchObject({ finalized: true, data: { root: chain.at(THREE)!.root } })
  })

  it('are not those of a node that stands still, unless all do, which is told once', async () => {
    let isFrozen = false
    const [quick, slow] = await Promise.all([
      endpointOf(chain),
      endpointOf(chain, [{ fault: { kind: 'delay', ms: 30 } }]),
    ])
    const { slot: old } = chain.at(RECENT - 20)!
    const proxied = await proxyOf(chain, [quick.url, slow.url], {
      checkpoint: null,
      fetch: async (url, init) => {
        const { host, pathname } = new URL(url)
        if (!pathname.endsWith('/headers/head') || !(isFrozen || quick.url.endsWith(host)))
          return await fetch(url, init)
        return await fetch(String(url).replace(/head$/, String(old)), init)
      },
    })
    const headNow = async (): Promise<number> =>
      Number((await ask(proxied, '/eth/v1/beacon/headers/head')).json['data']!['header']!['message']!['slot'])
    const head = await headNow()
    expect(head).toBeGreaterThan(old)
    expect((await ask(proxied, '/health')).json).toMatchObject({ status: 'ok', trouble: null })
    expect(proxied.news).toEqual([])

    isFrozen = true
    // The newest one that is known stays the head, however old the others' is.
    expect(await headNow()).toBeGreaterThanOrEqual(head)
    await headNow()
    const trouble = expect.stringMatching(
      /^the newest head is \d+ slots behind the clock .*: behind \(a head of slot \d+, where by the clock it is slot \d+\)/,
    )
    expect((await ask(proxied, '/health')).json).toMatchObject({ trouble })
    expect(proxied.news).toEqual([trouble])

    isFrozen = false
    await headNow()
    expect((await ask(proxied, '/health')).json).toMatchObject({ trouble: null })
    expect(proxied.news).toEqual([trouble, 'endpoints give new headers again'])
  })

  it('of a slot that has not come accuse nobody: our own clock may be slow', async () => {
    const server = await endpointOf(chain)
    let slowMs = 3 * 3_600_000
    const now = (): number => chain.now() - slowMs
    const proxied = await proxyOf(chain, [server.url], { checkpoint: null, isReady: false, now })
    const head = await ask(proxied, '/eth/v1/beacon/headers/head')
    expect([head.status, head.json['reason']]).toEqual([503, 'unreachable'])
    const why =
      /: ahead \(a header of slot \d+, where by the clock it is slot \d+\); or this machine's clock is slow$/
    expect(head.json['message']).toMatch(why)
    expect((await ask(proxied, '/health')).json['trouble']).toMatch(why)
    const metrics = new TextDecoder().decode((await ask(proxied, '/metrics')).bytes)
    expect(metrics).toContain('kind="ahead"')
    expect(metrics).not.toContain('kind="invalid"')
    slowMs = 0
    expect((await ask(proxied, '/eth/v1/beacon/headers/head')).status).toBe(200)
  })

  it.each([
    [false, false],
    [false, true],
    [true, true],
  ])('are final (%s) and of the chain (%s) where the endpoint says so', async (finalized, canonical) => {
    const server = await endpointOf(chain)
    const word = '11'.repeat(32)
    const message = {
      ...{ slot: String(THREE), proposer_index: '1' },
      ...{ parent_root: `0x${word}`, state_root: `0x${word}`, body_root: `0x${word}` },
    }
    const answer = new TextEncoder().encode(
      JSON.stringify({ finalized, data: { canonical, header: { message } } }),
    )
    const { root } = headerIn({ form: 'json', version: null, body: answer })
    const proxied = await proxyOf(chain, [server.url], {
      checkpoint: null,
      fetch: async (url, init) =>
        new URL(url).pathname.endsWith(root)
          ? new Response(answer, { headers: { 'content-type': 'application/json' } })
          : await fetch(url, init),
    })
    while (proxied.proxy.status().finalized === null) await pause(10)
    const { json } = await ask(proxied, `/eth/v1/beacon/headers/${root}`)
    expect(json).toMatchObject({ finalized, data: { root, canonical } })
    // What is handed out without that word beside it is of the chain.
    for (const path of [`/eth/v1/beacon/blobs/${root}`, `/eth/v1/beacon/blocks/${root}/root`]) {
      const { status, json: refusal } = await ask(proxied, path)
      if (!canonical) expect([path, status, refusal['reason']]).toEqual([path, 503, 'not-of-the-chain'])
      else expect(refusal['reason']).not.toBe('not-of-the-chain')
    }
  })
})
