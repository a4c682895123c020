/** What one connection, and all of them, can take of the proxy: answers that wait behind others, or that nobody reads, are bounded. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { createProxyApp } from '../../dist/proxy/app.js'
import { type ListenOptions, listenGracefully } from '../../dist/proxy/listen.js'
import { WasmUnavailableError } from '../../dist/runtime/errors.js'
import { later, never, until } from '../support/make.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Answer = (request: Request, underWay: number) => Response | Promise<Response>

async function serverOf(answer: Answer, options: Partial<ListenOptions> = {}): Promise<string> {
  const server = await listenGracefully(answer, {
    ...{ port: 0, host: '127.0.0.1', quietMs: 60_000 },
    ...options,
  })
  ends.push(async () => await server.stop(0))
  return server.url
}

/** A client that sends so many requests at once. It reads nothing until it is told to. */
function pipelined(url: string, count: number): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: proxy.invalid\r\n\r\n'.repeat(count))
  ends.push(() => socket.destroy())
  return socket
}

describe('a connection', () => {
  it('may have eight requests under way, each of which is answered in its turn', async () => {
    const url = await serverOf((_, underWay) => new Response(`<${underWay}>`))
    let text = ''
    pipelined(url, 8).on('data', (data) => (text += String(data)))
    await until(() => text.split('HTTP/1.1 200').length === 9)
    expect(text.match(/<\d>/g)).toHaveLength(8)
  })

  it('is cut off at the ninth, and its requests no longer count', async () => {
    const seen: number[] = []
    const url = await serverOf((_, underWay) => {
      seen.push(underWay)
      return never()
    })
    const countOthers = async (): Promise<number> => {
      seen.length = 0
      const one = pipelined(url, 1)
      await until(() => seen.length > 0)
      one.destroy()
      return seen[0]! - 1
    }
    const patient = pipelined(url, 3)
    await until(() => seen.length === 3)
    await once(pipelined(url, 9).resume(), 'close')
    await until(async () => (await countOthers()) === 3)
    patient.destroy()
    await until(async () => (await countOthers()) === 0)
  })

  it('on which nothing is read for too long is cut off, and the body’s source hears of it', async () => {
    const { promise: isCancelled, resolve } = later()
    const megabyte = new Uint8Array(1_048_576)
    const endless = (): ReadableStream =>
      new ReadableStream(
        { pull: (controller) => controller.enqueue(megabyte), cancel: () => resolve() },
        { highWaterMark: 0 },
      )
    const url = await serverOf(() => new Response(endless()), { quietMs: 300 })
    pipelined(url, 1).pause()
    await isCancelled
  })
})

describe('the proxy', () => {
  it('refuses what is one too many with a 503, and tells of itself all the same', async () => {
    const head = { status: 'found', header: { slot: 9, root: `0x${'01'.repeat(32)}`, finalized: true } }
    const app = createProxyApp({
      ...{ network: resolveNetwork('mainnet'), networkName: 'mainnet', source: {} as never },
      headers: { status: () => ({ links: null }), resolve: async () => head } as never,
      ...{ endpoints: {} as never, disk: null, memoryBytes: 1, deadlineMs: 60_000, atOnce: 10 },
      ...{ mostUnderWay: 20, blocksAtOnce: 1, version: '1', onAnswer: () => {}, onFault: () => {} },
    })
    ends.push(async () => await app.dispose())
    const ask = async (path: string, underWay: number): Promise<unknown[]> => {
      const answer = await app.fetch(new Request(`http://proxy.invalid${path}`), underWay)
      const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string }
      return [answer.status, reason, answer.headers.get('retry-after')]
    }
    const root = '/eth/v1/beacon/blocks/head/root'
    expect(await ask(root, 20)).toEqual([200, undefined, null])
    expect(await ask(root, 21)).toEqual([503, 'busy', '1'])
    expect(await ask('/eth/v1/node/version', 21)).toEqual([200, undefined, null])
  })

  it('is not well while something that it needs cannot be loaded', async () => {
    const status = { links: null, head: { slot: 9 }, currentSlot: 9, finalized: null, trouble: null }
    // The first slot of Deneb: before it there were no blobs.
    const header = { slot: 8_626_176, root: `0x${'01'.repeat(32)}`, finalized: true }
    const said: { get: () => Promise<unknown> } = {
      get: async () => {
        throw new WasmUnavailableError('code could not be loaded: EMFILE')
      },
    }
    const app = createProxyApp({
      ...{ network: resolveNetwork('mainnet'), networkName: 'mainnet', source: { get: () => said.get() } },
      headers: { status: () => status, resolve: async () => ({ status: 'found', header }) },
      ...{ endpoints: {} as never, disk: null, memoryBytes: 1, deadlineMs: 60_000, atOnce: 10 },
      ...{ mostUnderWay: 20, blocksAtOnce: 1, version: '1', onAnswer: () => {}, onFault: () => {} },
    } as never)
    ends.push(async () => await app.dispose())
    const ask = async (path: string): Promise<unknown[]> => {
      const answer = await app.fetch(new Request(`http://proxy.invalid${path}`), 1)
      const { status, trouble } = (await answer.json()) as { status?: string; trouble?: string }
      return [answer.status, status, trouble]
    }
    expect(await ask('/health')).toEqual([200, 'ok', null])
    expect((await ask('/eth/v1/beacon/blobs/head'))[0]).toBe(500)
    expect((await ask('/eth/v1/beacon/headers/head'))[0]).toBe(200)
    expect(await ask('/health')).toEqual([503, 'fault', 'code could not be loaded: EMFILE'])
    said.get = async () => ({
      ...{ verdict: 'none', reason: 'no-blobs', detail: null, blobs: [] },
      report: { sources: [] },
    })
    expect((await ask('/eth/v1/beacon/blobs/head'))[0]).toBe(200)
    expect(await ask('/health')).toEqual([200, 'ok', null])
  })
})
