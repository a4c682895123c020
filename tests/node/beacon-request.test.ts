/** One request: what becomes of connections that end, of answers that are none, and of a `fetch` of the caller’s. */
import { describe, expect, it } from 'vitest'
import { formOf, request, type RequestOptions } from '../../dist/beacon/request.js'
import { type Manner, plainly } from '../support/beacon-server.ts'
import { startServer } from '../support/clients.ts'
import { later, turn } from '../support/make.ts'

const terms: RequestOptions = {
  fetch: (url, init) => fetch(url, init),
  ...{ timeoutMs: 10_000, maxBytes: 100, jsonOnly: true, now: () => Date.now(), signal: undefined },
}
const oracle = (): { ssz: null; json: number } => ({ ssz: null, json: 7 })

describe('a connection that ends before there is an answer', () => {
  it('is made anew, once', async () => {
    const used = new WeakSet<object>()
    // Each of its connections is good for one answer, of which it says nothing.
    const once: Manner = (said, incoming, response) => {
      if (used.has(incoming.socket)) return void incoming.socket.destroy()
      used.add(incoming.socket)
      plainly(said, incoming, response)
    }
    const server = await startServer(oracle, once)
    for (let round = 0; round < 3; round++)
      expect(new TextDecoder().decode((await request(server.url, terms)).body)).toBe('7')
    expect(server.asked.length).toBeGreaterThan(3)
  })

  it('each time is a failure', async () => {
    const server = await startServer(oracle, (_said, incoming) => void incoming.socket.destroy())
    await expect(request(server.url, terms)).rejects.toMatchObject({ kind: 'network' })
    expect(server.asked).toHaveLength(2)
  })

  it('is not made anew for one who has gone', async () => {
    const controller = new AbortController()
    const server = await startServer(oracle, (_said, incoming) => {
      controller.abort()
      incoming.socket.destroy()
    })
    await expect(request(server.url, { ...terms, signal: controller.signal })).rejects.toThrow('abort')
    expect(server.asked).toHaveLength(1)
  })
})

it('a connection that ends after the time is up is not made anew, where `fetch` ignores its signal', async () => {
  const { promise: isReset, resolve: reset } = later()
  const calls: string[] = []
  const fetch = async (url: string): Promise<Response> => {
    calls.push(url)
    await isReset
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
  }
  await expect(request('http://a.example/', { ...terms, fetch, timeoutMs: 1 })).rejects.toMatchObject({
    kind: 'timeout',
  })
  reset()
  await turn()
  expect(calls).toHaveLength(1)
})

describe('an answer that is shorter than its server said', () => {
  const asked = (headers: Record<string, string>, type?: ResponseType): ReturnType<typeof request> =>
    request('http://a.example/', {
      ...terms,
      fetch: async () => {
        const response = new Response('{}', { headers: { 'content-type': 'application/json', ...headers } })
        if (type !== undefined) Object.defineProperty(response, 'type', { value: type })
        return response
      },
    })

  it('is truncated, though whoever fetched it did not say so', async () => {
    const truncated = { kind: 'truncated', message: '2 bytes of 3' }
    await expect(asked({ 'content-length': '3' })).rejects.toMatchObject(truncated)
    const identity = { 'content-length': '3', 'content-encoding': 'identity' }
    await expect(asked(identity)).rejects.toMatchObject(truncated)
    await expect(asked({ 'content-length': '2' })).resolves.toMatchObject({ form: 'json' })
    await expect(asked({})).resolves.toMatchObject({ form: 'json' })
  })

  it('is taken where that may be the length of what was compressed, which can be the longer one', async () => {
    const gzip = { 'content-length': '22', 'content-encoding': 'gzip' }
    await expect(asked(gzip)).resolves.toMatchObject({ form: 'json' })
    // A browser hides the encoding of another origin's answer.
    await expect(asked({ 'content-length': '22' }, 'cors')).resolves.toMatchObject({ form: 'json' })
  })
})

describe('an answer that is not read to its end, by a fetch that ignores its signal', () => {
  it.each([
    ['is late', { 'content-length': '9' }, 'timeout'],
    ['is longer than it may be', {}, 'too-large'],
    ['says that it is longer than it may be', { 'content-length': '999' }, 'too-large'],
    ['is not wanted any more', { 'content-length': '9' }, 'abort'],
    ['comes when its time is up', { 'content-length': '9' }, 'no head'],
  ] as const)('leaves no connection open where it %s', async (_, headers, end) => {
    let [asked, closed] = [0, 0]
    let answer = (): void => {}
    const server = await startServer(oracle, (_said, _request, response) => {
      asked++
      response.on('close', () => closed++)
      answer = () => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.write('7'.repeat('content-length' in headers ? 3 : 101))
      }
      if (end !== 'no head') answer()
    })
    const controller = new AbortController()
    const asking = request(server.url, {
      ...{
        ...terms,
        signal: controller.signal,
        timeoutMs: end === 'too-large' || end === 'abort' ? 60_000 : 300,
      },
      fetch: (url, { signal: _ignored, ...init }) => fetch(url, init),
    })
    asking.catch(() => {})
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1)
    if (end === 'abort') controller.abort(new Error('enough'))
    const failure = end === 'abort' ? { message: 'enough' } : { kind: end === 'no head' ? 'timeout' : end }
    await expect(asking).rejects.toMatchObject(failure)
    if (end === 'no head') answer()
    await expect.poll(() => closed, { timeout: 10_000 }).toBe(1)
  })
})

describe('an answer that does not say what it is', () => {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from([...values, 1, 2, 3])
  it('is JSON where it begins as JSON does', () => {
    for (const text of ['{', '[]', ' \r\n\t{"data":[]}'])
      for (const type of ['', 'text/plain; charset=utf-8'])
        expect(formOf(type, new TextEncoder().encode(text))).toBe('json')
  })

  it('is SSZ where brackets are numbers, first or behind others', () => {
    // Indices 91 and 123, and a blob whose first bytes are these; offsets, and nothing.
    for (const body of [
      ...[0x5b, 0x7b].flatMap((sign) => [bytes(sign, 0, 0, 0), bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, sign)]),
      ...[bytes(4, 0, 0, 0, 0x7b, 0, 0), bytes(0x20, 0, 0, 0, 0x7b), new Uint8Array(0)],
    ])
      expect(formOf('', body)).toBe('ssz')
  })
})

describe('an answer without a byte', () => {
  const ssz = 'application/octet-stream'
  const asked = (status: number, type: string | null, body: '' | null = ''): ReturnType<typeof request> => {
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
    return request('http://a.example/', {
      ...terms,
      fetch: async () => new Response(body, { status, headers }),
    })
  }

  it('is an empty list where it says that it is SSZ', async () => {
    const answer = { form: 'ssz', body: new Uint8Array(0) }
    await expect(asked(200, ssz)).resolves.toMatchObject(answer)
    await expect(asked(200, ssz, null)).resolves.toMatchObject(answer)
  })

  it.each([
    ['no type', 200, null],
    ['the type of text', 200, 'text/plain'],
    ['the type of JSON', 200, 'application/json'],
    ['a status that does not give data', 202, ssz],
    ['a status for no content', 204, ssz],
    ['another of them', 205, null],
  ])('is malformed where it has %s', async (_, status, type) => {
    await expect(asked(status, type, null)).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('a `fetch` that is not the platform’s', () => {
  const ssz = { 'content-type': 'application/octet-stream' }
  const asked = (gives: unknown, maxBytes = 100): ReturnType<typeof request> =>
    request('http://a.example/', { ...terms, maxBytes, fetch: () => gives as Response })
  /** A `Response` without streams: what it has, and its headers. */
  const bare = (parts: object, headers: Record<string, string> = ssz): object => ({
    ...{ ok: true, status: 200, headers: new Headers(headers), body: null },
    ...parts,
  })
  const whole = (buffer: unknown): object => ({ arrayBuffer: async () => await Promise.resolve(buffer) })
  const three = Uint8Array.of(1, 2, 3)

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a stream of another kind', { pipe: () => {} }],
  ])('and has no stream is read as a whole: its body is %s', async (_, body) => {
    const answer = await asked({ ...bare(whole(three.buffer)), body })
    expect(answer).toEqual({ status: 200, form: 'ssz', version: null, body: three })
    // The body may be transferred to a worker, and the caller may give the same buffer again.
    expect(answer.body.buffer).not.toBe(three.buffer)
  })

  it('and has no stream is held to the same length', async () => {
    const tooLarge = { kind: 'too-large', message: 'the answer is longer than 2 bytes' }
    await expect(asked(bare(whole(three.buffer)), 2)).rejects.toMatchObject(tooLarge)
    let calls = 0
    const arrayBuffer = async (): Promise<ArrayBuffer> => await Promise.resolve(new ArrayBuffer(++calls))
    const declared = bare({ arrayBuffer }, { ...ssz, 'content-length': '3' })
    await expect(asked(declared, 2)).rejects.toMatchObject(tooLarge)
    expect(calls).toBe(0)
    await expect(asked(declared)).rejects.toMatchObject({ kind: 'truncated', message: '1 bytes of 3' })
  })

  it('and gives no bytes has denied nothing', async () => {
    await expect(asked(bare({}))).rejects.toMatchObject({
      ...{ kind: 'malformed', message: 'the Response has no body: neither a stream nor arrayBuffer()' },
    })
    for (const none of [undefined, null, 3, 'text', [], {}, new Uint16Array(3)])
      await expect(asked(bare(whole(none)))).rejects.toMatchObject({
        ...{ kind: 'malformed', message: 'arrayBuffer() of the Response gave no ArrayBuffer' },
      })
    await expect(asked(bare(whole(new ArrayBuffer(0))))).resolves.toMatchObject({ body: new Uint8Array(0) })
  })

  it.each([['text'], [undefined], [new ArrayBuffer(3)]])(
    'and streams what is no bytes is no answer: %s',
    async (chunk) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(chunk)
          controller.close()
        },
      })
      await expect(asked(bare({ body }))).rejects.toMatchObject({
        ...{ kind: 'malformed', message: 'the body of the Response gave what is no bytes' },
      })
    },
  )

  it('may give a Response and no promise, and headers that say `undefined`', async () => {
    await expect(asked(Response.json({}))).resolves.toMatchObject({ form: 'json', version: null })
    await expect(asked({ ...bare(whole(three.buffer)), headers: new Map() })).resolves.toEqual({
      ...{ status: 200, form: 'ssz', version: null, body: three },
    })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', '{}'],
    ['what has no headers', { ok: true, status: 200, json: async () => await Promise.resolve({}) }],
    ['headers without `get`', { ok: true, status: 200, headers: {} }],
    ['no status', { ok: true, headers: new Headers() }],
    ['no word on whether it is good', { status: 200, headers: new Headers() }],
  ])('and gives no Response is named for it, with or without a promise: %s', async (_, given) => {
    const failure = { kind: 'malformed', message: 'what fetch resolved to is no Response' }
    await expect(asked(given)).rejects.toMatchObject(failure)
    await expect(asked(Promise.resolve(given))).rejects.toMatchObject(failure)
  })

  it('and gives one Response to all is told that each call needs its own', async () => {
    const message = 'the body of the Response was read before: each call needs one of its own'
    const one = new Response(three, { headers: ssz })
    const [first, second] = [asked(one), asked(one)]
    await expect(first).resolves.toMatchObject({ body: three })
    // Before the first has read it, and after.
    for (const again of [second, asked(one)])
      await expect(again).rejects.toMatchObject({ kind: 'malformed', message })
    // What has no body can be read as often as one likes.
    const empty = new Response(null, { headers: ssz })
    for (let round = 0; round < 2; round++)
      await expect(asked(empty)).resolves.toMatchObject({ body: new Uint8Array(0) })
  })

  it.each([
    ['no body', null],
    ['a body that cannot be cancelled', { getReader: () => ({}) }],
    ['a stream of another kind', {}],
  ])('and answers with a status that is no answer is named for that: %s', async (_, body) => {
    await expect(asked({ ...bare({ body }), ok: false, status: 404 })).rejects.toMatchObject({
      ...{ kind: 'not-found', message: 'status 404' },
    })
  })

  it('and throws has failed as one that rejects', async () => {
    const fetch = (): never => {
      throw new Error('why')
    }
    await expect(request('http://a.example/', { ...terms, fetch })).rejects.toMatchObject({
      ...{ kind: 'network', message: 'why' },
    })
  })
})

describe('a status that is no answer', () => {
  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [404, 'not-found'],
    [405, 'no-route'],
    [410, 'not-found'],
    [429, 'rate-limited'],
    [500, 'server-error'],
    [501, 'no-route'],
    [503, 'server-error'],
  ])('%i is called %s', async (status, kind) => {
    const fetch = async (): Promise<Response> => await Promise.resolve(new Response('no', { status }))
    await expect(request('http://a.example/', { ...terms, fetch })).rejects.toMatchObject({
      ...{ kind, cause: status },
    })
  })
})

describe('`Retry-After`', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')

  it.each([
    ['seconds', '2', 2_000, ', and to be asked again in 2 s'],
    ['a part of a second', '0.2', 200, ', and to be asked again in 1 s'],
    ['a date', 'Wed, 21 Oct 2026 07:28:02 GMT', 2_000, ', and to be asked again in 2 s'],
    [
      ...['a date of the older form', 'Wednesday, 21-Oct-26 07:28:02 GMT'],
      ...([2_000, ', and to be asked again in 2 s'] as const),
    ],
    ['a date that has passed', 'Wed, 21 Oct 2026 07:27:58 GMT', 0, ''],
    ['more seconds than an hour has', '9999', 3_600_000, ', and to be asked again in 3600 s'],
    ['a date of tomorrow', 'Thu, 22 Oct 2026 07:28:00 GMT', 3_600_000, ', and to be asked again in 3600 s'],
    ['less than nothing', '-2', 0, ''],
    ['what is neither', 'soon', 0, ''],
    ['nothing', '', 0, ''],
  ] as [string, string, number, string][])(
    'is read where it is %s, by the clock that is given',
    async (_name, value, retryAfterMs, words) => {
      const fetch = async (): Promise<Response> =>
        new Response('', { status: 503, headers: { 'retry-after': value } })
      await expect(request('http://a.example/', { ...terms, fetch, now: () => now })).rejects.toMatchObject({
        kind: 'server-error',
        message: `status 503${words}`,
        retryAfterMs,
      })
    },
  )
})

describe('a redirect', () => {
  const asked = (response: Response, url = 'http://a.example/eth'): ReturnType<typeof request> =>
    request(url, { ...terms, fetch: async () => response })
  const to = (location: string, status = 302): Response =>
    new Response(null, { status, headers: { location } })
  const words = (where: string): object => ({
    kind: 'refused',
    message: `it redirects${where}, which is not followed: give the address where it leads`,
  })

  it.each([301, 302, 303, 307, 308])('of status %i is named with the origin alone', async (status) => {
    const response = to('https://b.example:1/a/key?and=another', status)
    await expect(asked(response)).rejects.toMatchObject({
      ...words(' to https://b.example:1'),
      cause: status,
    })
  })

  it('within an origin is one, too, and so is one to what is no address', async () => {
    await expect(asked(to('/key'))).rejects.toMatchObject(words(' to another path'))
    await expect(asked(to('http://a.example/eth'))).rejects.toMatchObject(words(' to another path'))
    await expect(asked(to('https://a.example/'))).rejects.toMatchObject(words(' to https://a.example'))
    await expect(asked(to('http://'))).rejects.toMatchObject(words(''))
  })

  it('of which a browser shows nothing is one', async () => {
    const opaque = Object.defineProperties(new Response(), {
      ...{ type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } },
    })
    await expect(asked(opaque)).rejects.toMatchObject(words(''))
  })

  it('is not followed, and a status beside it that leads nowhere is none', async () => {
    const target = await startServer(oracle)
    const server = await startServer(oracle, (_said, _request, response) => {
      response.writeHead(308, { location: target.url }).end()
    })
    await expect(request(server.url, terms)).rejects.toMatchObject(words(` to ${target.url}`))
    expect([server.asked.length, target.asked.length]).toEqual([1, 0])
    const none = new Response(null, { status: 304 })
    await expect(asked(none)).rejects.toMatchObject({ kind: 'refused', message: 'status 304' })
  })
})
