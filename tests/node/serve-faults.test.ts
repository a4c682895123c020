/** The switches of `blobcheck serve`: each does what it says, and nothing else. */
import { createVerifier, type Verifier } from 'blobcheck'
import {
  createBeaconApp,
  createExecutionApp,
  type Fault,
  type Faults,
  type MadeChain,
  withheldColumns,
} from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { listen } from '../support/listen.ts'
import { later, range } from '../support/make.ts'
import { type App, ask, blobs, blobSidecars, columns, faultyApp, handChain, SSZ } from '../support/served.ts'

let chain: MadeChain
let verifier: Verifier
beforeAll(async () => {
  chain = await handChain({ slots: 40, blobsPerBlock: 2 })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
})
afterAll(async () => await verifier.dispose())

const only = (fault: Fault): Faults['rules'] => [{ fault }]
const columnPath = columns('head')

async function indicesIn(app: App, path: string): Promise<number[]> {
  const { json } = await ask(app, path)
  return (json['data'] as unknown as { index: string }[]).map(({ index }) => Number(index))
}

describe('withholding', () => {
  it('leaves out the columns that are named', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'withhold', columns: [3, 7, 127] })
    const all = await indicesIn(app, columnPath)
    expect(all).toEqual(range(128).filter((index) => ![3, 7, 127].includes(index)))
    expect(await indicesIn(app, columns('head', '?indices=3,4'))).toEqual([4])
    faults.rules = []
    expect(await indicesIn(app, columns('head', '?indices=3,4'))).toEqual([3, 4])
  })

  it('leaves out so many of each block, other ones in each, always the same', async () => {
    const { app, faults } = faultyApp(chain)
    const fault: Fault = { kind: 'withhold', columns: 65 }
    faults.rules = only(fault)
    const sets = new Set<string>()
    for (const slot of range(20).map((at) => chain.head.slot - at)) {
      const has = await indicesIn(app, columns(slot))
      expect(has).toHaveLength(63)
      expect(await indicesIn(app, columns(slot))).toEqual(has)
      const withheld = withheldColumns([fault], chain.at(slot)!.root)
      expect(has.filter((index) => withheld.has(index))).toEqual([])
      sets.add(has.join())
    }
    expect(sets.size).toBe(20)
  })

  it('is spread evenly over the columns', () => {
    const counts = new Array<number>(128).fill(0)
    const blocks = 2_000
    for (const at of range(blocks)) {
      const root = `0x${((at * 2_654_435_761) >>> 0).toString(16).padStart(8, '0').padEnd(64, '0')}`
      for (const index of withheldColumns([{ kind: 'withhold', columns: 32 }], root)) counts[index]!++
    }
    // A quarter of the blocks each: binomial, with a standard deviation of 19.4. Six of them, for 128 counts.
    for (const count of counts) expect(Math.abs(count - blocks / 4)).toBeLessThan(117)
  })

  it('of everything, or of nothing, is as it says', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'withhold', columns: 128 })
    expect(await indicesIn(app, columnPath)).toEqual([])
    faults.rules = only({ kind: 'withhold', columns: 0 })
    expect(await indicesIn(app, columnPath)).toHaveLength(128)
  })
})

describe('hiding blobs', () => {
  it('empties the lists, while the block still commits to them', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'hide-blobs' })
    for (const path of [columnPath, blobSidecars('head'), blobs('head')]) {
      expect((await ask(app, path)).json['data']).toEqual([])
      expect(await ask(app, path, SSZ)).toMatchObject({ status: 200, bytes: new Uint8Array(0) })
    }
    const { json } = await ask(app, '/eth/v2/beacon/blocks/head')
    expect(json['data']!['message']!['body']!['blob_kzg_commitments']).toHaveLength(2)
  })
})

describe('corruption', () => {
  it.each([
    ['cell', 'kzg', 'kzg'],
    ['proof', 'kzg', 'kzg'],
    ['commitment', 'inclusion', 'inclusion'],
    ['branch', 'inclusion', 'inclusion'],
    ['header', 'anchor', 'anchor'],
    ['index', 'kzg', 'inclusion'],
  ] as const)('of %s is found out by %s, and in blob sidecars by %s', async (part, inColumns, inSidecars) => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'corrupt', part, indices: [1] })
    const anchor = { header: chain.head.root }
    for (const accept of [SSZ, 'application/json']) {
      const read = async (path: string): Promise<Uint8Array | string> => {
        const { bytes } = await ask(app, path, accept)
        return accept === SSZ ? bytes : new TextDecoder().decode(bytes)
      }
      expect(
        await verifier.verifyDataColumnSidecars(await read(columns('head', '?indices=0,1,2')), { anchor }),
      ).toMatchObject([{ status: 'valid' }, { status: 'invalid', stage: inColumns }, { status: 'valid' }])
      expect(await verifier.verifyBlobSidecars(await read(blobSidecars('head')), { anchor })).toMatchObject([
        { status: 'valid' },
        { status: 'invalid', stage: inSidecars },
      ])
    }
  })

  it('leaves what is kept as it was', async () => {
    const { app, faults } = faultyApp(chain)
    const before = await ask(app, columnPath, SSZ)
    faults.rules = (['cell', 'proof', 'commitment', 'branch', 'header', 'index'] as const).map((part) => ({
      fault: { kind: 'corrupt', part },
    }))
    expect((await ask(app, columnPath, SSZ)).bytes).not.toEqual(before.bytes)
    faults.rules = []
    expect((await ask(app, columnPath, SSZ)).bytes).toEqual(before.bytes)
  })

  it('of a cell spoils a blob by itself, too', async () => {
    const { app, faults } = faultyApp(chain)
    const [first, second] = (await ask(app, blobs('head'))).json['data']!
    faults.rules = only({ kind: 'corrupt', part: 'cell', indices: [1] })
    const after = (await ask(app, blobs('head'))).json['data']!
    expect([after[0] === first, after[1] === second]).toEqual([true, false])
  })
})

describe('rules', () => {
  it.each([
    [[{ fault: { kind: 'withold', columns: 5 } }], '[0].fault.kind must be one of withhold, hide-blobs'],
    [[{ fault: { kind: 'hide-blobs' } }, { fault: { kind: 'status' } }], '[1].fault.code must be an integer'],
    [
      [{ fault: { kind: 'status', code: 999 } }],
      '[0].fault.code must be an integer from 200 to 599, not 999',
    ],
    [[{ fault: { kind: 'status', code: '503' } }], '[0].fault.code'],
    [[{ fault: { kind: 'status', code: 503, retryAfter: 1 } }], '[0].fault.retryAfter: there is no such'],
    [
      [{ fault: { kind: 'status', code: 503 }, routes: ['header'] }],
      '[0].routes must be a list, each one of',
    ],
    [[{ fault: { kind: 'status', code: 503 }, routes: 'headers' }], '[0].routes'],
    [
      [{ fault: { kind: 'status', code: 503 }, probability: 50 }],
      '[0].probability must be a number from 0 to 1',
    ],
    [[{ fault: { kind: 'status', code: 503 }, probability: NaN }], '[0].probability'],
    [[{ fault: { kind: 'status', code: 503 }, route: ['headers'] }], '[0].route: there is no such field'],
    [[{ fault: { kind: 'truncate', at: 2 } }], '[0].fault.at'],
    [
      [{ fault: { kind: 'delay', ms: 'abc' } }],
      '[0].fault.ms must be a number from 0 to 2147483647, not abc',
    ],
    [[{ fault: { kind: 'delay', ms: -5 } }], '[0].fault.ms'],
    [
      [{ fault: { kind: 'withhold', columns: 200 } }],
      '[0].fault.columns must be an integer from 0 to 128, or a list',
    ],
    [[{ fault: { kind: 'withhold', columns: [128] } }], '[0].fault.columns'],
    [[{ fault: { kind: 'withhold', columns: ['1'] } }], '[0].fault.columns'],
    [[{ fault: { kind: 'corrupt', part: 'cells' } }], '[0].fault.part must be one of cell, proof'],
    [[{ fault: { kind: 'corrupt', part: 'cell', indices: 3 } }], '[0].fault.indices'],
    [[{ fault: { kind: 'lie', about: 'headers' } }], '[0].fault.about must be one of header, other-block'],
    [[{ fault: { kind: 'lie', about: 'header', field: 'state_root' } }], '[0].fault.field must be one of'],
    [[{ fault: { kind: 'rpc-error' } }], '[0].fault.code'],
    [[{ fault: { kind: 'redirect' } }], '[0].fault.to'],
    [[{ fault: { kind: 'content-type', value: 'a\nb' } }], '[0].fault.value'],
    [[{ fault: { kind: 'toString' } }], '[0].fault.kind'],
    [[{ kind: 'status', code: 503 }], '[0] must have a fault'],
    [[null], '[0] must have a fault'],
    [null, ' must be a list'],
    ['x', ' must be a list'],
  ])('that are none are refused in words that say why: %j', async (bad, words) => {
    const rules = bad as never
    const message = expect.stringContaining(`faults.rules${words}`) as unknown
    for (const create of [createBeaconApp, createExecutionApp])
      expect(() => create({ chain, faults: { rules } })).toThrow(
        expect.objectContaining({ name: 'TypeError', message }),
      )
    const { app, faults } = faultyApp(chain)
    faults.rules = rules
    for (const _ of range(2))
      expect(await ask(app, '/eth/v1/beacon/headers')).toMatchObject({
        status: 500,
        json: { code: 500, message },
      })
    faults.rules = []
    expect((await ask(app, '/eth/v1/beacon/headers')).status).toBe(200)
  })

  it.each(['a', NaN])('have no seed %j', (seed) => {
    expect(() => createBeaconApp({ chain, faults: { rules: [], seed: seed as number } })).toThrow(
      new TypeError(`faults.seed must be a number, not ${seed}`),
    )
  })

  it('are for the routes that they name', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: ['headers', 'bootstrap'] }]
    const statusOf = async (path: string): Promise<number> => (await ask(app, path)).status
    expect(await statusOf('/eth/v1/beacon/headers')).toBe(503)
    expect(await statusOf('/eth/v1/beacon/headers/head')).toBe(503)
    expect(await statusOf(`/eth/v1/beacon/light_client/bootstrap/${chain.checkpoint}`)).toBe(503)
    expect(await statusOf('/eth/v2/beacon/blocks/head')).toBe(200)
    expect(await statusOf('/eth/v1/node/version')).toBe(200)
  })

  it('befall as many requests as they say, the same for the same seed', async () => {
    const outcomes = async (seed: number): Promise<boolean[]> => {
      const { app, faults } = faultyApp(chain, seed)
      faults.rules = [{ fault: { kind: 'status', code: 500 }, probability: 0.25 }]
      const out: boolean[] = []
      for (let at = 0; at < 800; at++) out.push((await ask(app, '/eth/v1/node/health')).status === 500)
      return out
    }
    const [a, b, c] = [await outcomes(1), await outcomes(1), await outcomes(2)]
    expect(b).toEqual(a)
    expect(c).not.toEqual(a)
    // Six standard deviations of 12.2.
    expect(Math.abs(a.filter(Boolean).length - 200)).toBeLessThan(74)
  })
})

/** One column of the head, as an app without faults gives it. */
const oneColumn = columns('head', '?indices=1')
const whole = async (): Promise<Uint8Array> => (await ask(createBeaconApp({ chain }), oneColumn, SSZ)).bytes

describe('on the wire', () => {
  const servers: BeaconServer[] = []
  afterEach(async () => {
    vi.restoreAllMocks()
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  async function bad(fault: Fault): Promise<string> {
    const server = await serveBeacon({ chain, faults: { rules: only(fault) } })
    servers.push(server)
    return server.url + oneColumn
  }
  /** The same, and what resolves once the server has let go of the body of its first answer. */
  async function watched(fault: Fault): Promise<{ readonly url: string; readonly isLetGo: Promise<void> }> {
    const { app, faults } = faultyApp(chain)
    faults.rules = only(fault)
    const { promise: isLetGo, resolve: letGo } = later()
    const server = await listen(
      async (request: Request) => {
        const response = await app.fetch(request)
        const reader = response.body!.getReader()
        const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            async pull(controller) {
              const { done, value } = await reader.read()
              if (done) controller.close()
              else controller.enqueue(value)
            },
            async cancel(reason) {
              await reader.cancel(reason)
              letGo()
            },
          },
          { highWaterMark: 0 },
        )
        return new Response(body, response)
      },
      0,
      '127.0.0.1',
    )
    servers.push(server)
    return { url: server.url + oneColumn, isLetGo }
  }
  const get = async (url: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(url, { headers: { accept: SSZ }, ...init })

  it('a server without faults says what the app says', async () => {
    const server = await serveBeacon({ chain })
    servers.push(server)
    const response = await get(server.url + oneColumn)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(await whole())
    expect(response.headers.get('eth-consensus-version')).toBe('fulu')
  })

  it.each([0, 0.5, 0.9999])('truncation at %d breaks off what was promised', async (at) => {
    const honest = await whole()
    const response = await get(await bad({ kind: 'truncate', at })).catch((error: Error) => error)
    // With nothing sent, there may be no answer at all.
    if (response instanceof Error) return expect(at).toBe(0)
    const read: Uint8Array[] = []
    const reading = async (): Promise<void> => {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) read.push(part)
    }
    // At once: a stream that breaks off forgets what nobody has read of it.
    await expect(reading()).rejects.toThrow()
    expect(response.headers.get('content-length')).toBe(honest.length.toString())
    expect(Buffer.concat(read)).toEqual(Buffer.from(honest.subarray(0, Math.floor(honest.length * at))))
  })

  it('an oversized answer goes on after its end', async () => {
    const response = await get(await bad({ kind: 'oversized', bytes: 1_000_000 }))
    const bytes = new Uint8Array(await response.arrayBuffer())
    const honest = await whole()
    expect(bytes.length).toBe(honest.length + 1_000_000)
    expect(bytes.subarray(0, honest.length)).toEqual(honest)
  })

  it('an answer without end ends when nobody reads it', async () => {
    const controller = new AbortController()
    const { url, isLetGo } = await watched({ kind: 'oversized', bytes: 2 ** 40 })
    const response = await get(url, { signal: controller.signal })
    let length = 0
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += part.length
      if (length > 3_000_000) break
    }
    controller.abort()
    await isLetGo
  })

  it('a slow loris sends a few bytes at a time', async () => {
    const response = await get(await bad({ kind: 'drip', bytes: 1_000, everyMs: 20 }))
    const sizes: number[] = []
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) sizes.push(part.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe((await whole()).length)
    expect(sizes.length).toBeGreaterThan(2)
  })

  it('a slow loris ends when nobody waits for it', async () => {
    const controller = new AbortController()
    const { url, isLetGo } = await watched({ kind: 'drip', bytes: 1, everyMs: 50 })
    const response = await get(url, { signal: controller.signal })
    await response.body!.getReader().read()
    controller.abort()
    await isLetGo
  })

  it('a wrong content type is all that is wrong', async () => {
    const response = await get(await bad({ kind: 'content-type', value: 'text/html' }))
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(await whole())
  })

  it('a redirect leads elsewhere', async () => {
    const to = 'http://127.0.0.1:1/elsewhere'
    const response = await get(await bad({ kind: 'redirect', to }), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, to])
  })

  it('a status has the body that the API gives one', async () => {
    const response = await get(await bad({ kind: 'status', code: 503, retryAfterSeconds: 7 }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7'])
    expect(await response.json()).toMatchObject({ code: 503 })
  })

  it.each([204, 205, 304])('a status of %d has no body, as HTTP has it', async (code) => {
    const response = await get(await bad({ kind: 'status', code, retryAfterSeconds: 7 }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([code, '7'])
    expect(response.headers.get('content-type')).toBeNull()
    expect(await response.text()).toBe('')
  })

  it('a limit answers so many requests in a second', async () => {
    const url = await bad({ kind: 'rate-limit', perSecond: 5 })
    // No second ends in between, unless we say so.
    let time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    for (let second = 0; second < 2; second++) {
      const statuses = await Promise.all(range(40).map(async () => (await get(url)).status))
      expect(statuses.filter((status) => status === 200)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(35)
      time += 1_000
    }
  })
})

describe('several faults of one request', () => {
  it('spoil the data, say another type, and break off, in whatever order they come', async () => {
    const shapes: Fault[] = [
      { kind: 'truncate', at: 0.5 },
      { kind: 'oversized', bytes: 10 },
      { kind: 'drip', bytes: 100_000, everyMs: 1 },
    ]
    const others: Fault[] = [
      { kind: 'content-type', value: 'text/plain' },
      { kind: 'withhold', columns: [1] },
    ]
    for (const shape of range(3).map((at) => [...shapes.slice(at), ...shapes.slice(0, at)])) {
      const faults: Faults = { rules: [...others, ...shape, ...others].map((fault) => ({ fault })) }
      const server = await serveBeacon({ chain, faults })
      const response = await fetch(`${server.url}${columns('head', '?indices=1,2')}`, {
        headers: { accept: SSZ },
      })
      expect(response.headers.get('content-type')).toBe('text/plain')
      const length = await response.arrayBuffer().then(
        (body) => body.byteLength,
        () => null,
      )
      const whole = (await ask(createBeaconApp({ chain }), columns('head', '?indices=2'), SSZ)).bytes.length
      expect(length).toBe({ truncate: null, oversized: whole + 10, drip: whole }[shape[0]!.kind as 'drip'])
      await server.close()
    }
  })
})

describe('without a server', () => {
  it('delay comes before an answer, which is whole', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'delay', ms: 300 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let isAnswered = false
      const answer = ask(app, oneColumn, SSZ).finally(() => (isAnswered = true))
      await vi.advanceTimersByTimeAsync(299)
      // Whoever asks later, and without a delay, is answered before.
      const honest = await whole()
      expect(isAnswered).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect((await answer).bytes).toEqual(honest)
    } finally {
      vi.useRealTimers()
    }
  })

  it('a truncated answer breaks off, too', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'truncate', at: 0.5 })
    await expect(ask(app, columnPath, SSZ)).rejects.toThrow('broken off')
  })

  it('a slow loris waits for nothing where HEAD is asked: there is no body', async () => {
    const { app, faults } = faultyApp(chain)
    faults.rules = only({ kind: 'drip', bytes: 1, everyMs: 1_000_000 })
    const url = `http://beacon.test${columnPath}`
    vi.useFakeTimers()
    try {
      const { status, body } = await app.fetch(new Request(url, { method: 'HEAD' }))
      expect([status, body, vi.getTimerCount()]).toEqual([200, null, 0])
      const reading = (await app.fetch(new Request(url))).body!.getReader()
      const first = reading.read()
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1_000_000)
      expect((await first).value).toHaveLength(1)
      await reading.cancel()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
