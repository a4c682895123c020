/** What never answers, be it a storage or a `fetch` that knows nothing of signals, holds nothing up for ever. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BeaconUnavailableError, type LightClientOptions, MemoryStorage } from 'blobcheck/light-client'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { expectHead, startClient, startServer } from '../support/clients.ts'
import { never } from '../support/make.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 1 })
})

describe('a storage that never answers', () => {
  it('costs a download, and is counted; the end of the client comes all the same', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url, { store: { get: never, set: never, delete: never } })
    expectHead(await client.sync(), chain)
    await client.dispose()
    expect(client.report().storeFailures).toBeGreaterThan(0)
  })

  it('does not outlast the signal of the start', async () => {
    const server = await startServer(chain.oracle())
    const store = { get: never, set: never, delete: never }
    const ended = startClient(chain, server.url, { store, signal: AbortSignal.timeout(50) })
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(server.asked).toEqual([])
  })
})

describe('a server that never sends the module', () => {
  it('is left when the signal ends the start: the request for the module is called off', async () => {
    let hasLeft = (): void => {}
    const left = new Promise<void>((resolve) => (hasLeft = resolve))
    const leave = new AbortController()
    const silent = createServer((_request, response) => {
      response.on('close', hasLeft)
      leave.abort()
    })
    onTestFinished(() => void silent.close())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const wasm = { simd128: `http://127.0.0.1:${port}/module.wasm` }
    const { url } = await startServer(chain.oracle())
    await expect(startClient(chain, url, { wasm, signal: leave.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
    await left
  })
})

describe('an abort while the storage answers', () => {
  it('ends the start, although there is a record', async () => {
    const server = await startServer(chain.oracle())
    const store = new MemoryStorage()
    const first = await startClient(chain, server.url, { store })
    await first.sync()
    await first.dispose()
    const controller = new AbortController()
    const get = async (key: string): Promise<Uint8Array | null> => {
      controller.abort()
      return await store.get(key)
    }
    const aborting = { get, set: store.set.bind(store), delete: store.delete.bind(store) }
    const ended = startClient(chain, server.url, { store: aborting, signal: controller.signal })
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a fetch that ignores its signal', () => {
  it('is timed out, at its head and in its body, and the next synchronisation goes on', async () => {
    const server = await startServer(chain.oracle())
    let manner: 'plain' | 'no head' | 'no body' = 'plain'
    const stubborn: NonNullable<LightClientOptions['fetch']> = async (url, { signal: _, ...init }) => {
      if (manner === 'no head') return await never()
      if (manner === 'no body') return new Response(new ReadableStream())
      return await fetch(url, init)
    }
    const client = await startClient(chain, server.url, { fetch: stubborn, timeoutMs: 1_000 })
    for (manner of ['no head', 'no body'] as const) {
      const error = await client.sync().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(BeaconUnavailableError)
      expect(error).toMatchObject({ failures: [{ kind: 'timeout' }] })
    }
    manner = 'plain'
    expectHead(await client.sync(), chain)
  })

  it('is left alone where the signal is aborted', async () => {
    const server = await startServer(chain.oracle())
    const ended = startClient(chain, server.url, { fetch: never, signal: AbortSignal.timeout(50) })
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('a timeout that is longer than a timer can run', () => {
  it.each([Infinity, 2 ** 31, Number.MAX_VALUE])('is as long as one can: %d ms', async (timeoutMs) => {
    const server = await startServer(chain.oracle())
    const slow: NonNullable<LightClientOptions['fetch']> = async (url, init) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return await fetch(url, init)
    }
    const client = await startClient(chain, server.url, { timeoutMs, fetch: slow })
    expectHead(await client.sync(), chain)
  })
})

describe('a signal that is none', () => {
  it('is misuse', async () => {
    const server = await startServer(chain.oracle())
    const signal = 5 as unknown as AbortSignal
    const client = await startClient(chain, server.url)
    await expect(client.sync({ signal })).rejects.toThrow('signal must be an AbortSignal')
    await expect(client.headerAt(5, { signal })).rejects.toThrow('signal must be an AbortSignal')
    await expect(client.headers({ signal }).next()).rejects.toThrow('signal must be an AbortSignal')
    await expect(startClient(chain, server.url, { signal })).rejects.toThrow('signal must be an AbortSignal')
  })
})
