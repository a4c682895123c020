/** Workers that are started before there is a module for them: they are there when it comes, and end where it does not. */
import { createVerifier, WasmUnavailableError } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const module = fileURLToPath(new URL('../../wasm/verifier_simd128.wasm', import.meta.url))

/** A busy machine takes seconds to start and end threads. */
const PATIENTLY = { timeout: 60_000 }

/** A server that keeps who asks for a module waiting. */
const asked: ServerResponse[] = []
const server = createServer((_, response) => asked.push(response))
let address: URL
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/verifier.wasm`)
})
afterAll(() => server.close())

/** The workers that were started during a test, how many of them run, and how many have ended. */
let workers: Worker[]
let online: number
let ended: number
const onWorker = (worker: Worker): void => {
  workers.push(worker)
  // One of a test before may be late.
  const count = (tell: () => void): void => void (workers.includes(worker) && tell())
  worker.once('online', () => count(() => online++))
  worker.once('exit', () => count(() => ended++))
}
beforeEach(() => {
  ;[workers, online, ended] = [[], 0, 0]
  asked.length = 0
  process.on('worker', onWorker)
})
afterEach(() => process.off('worker', onWorker))

describe('the workers of a verifier whose module is slow', () => {
  it('have loaded their script when it comes, and are those that compute', async () => {
    const creating = createVerifier({ workers: 2, kernel: 'simd128', wasm: { simd128: address } })
    await expect.poll(() => asked.length, PATIENTLY).toBe(1)
    expect(workers.length).toBe(2)
    await expect.poll(() => online, PATIENTLY).toBe(2)
    asked[0]!.writeHead(200, { 'content-type': 'application/wasm' }).end(await readFile(module))
    const verifier = await creating
    expect(verifier.workers).toBe(2)
    await verifier.warmup()
    expect([workers.length, ended]).toEqual([2, 0])
    await verifier.dispose()
    await expect.poll(() => ended, PATIENTLY).toBe(2)
  })

  it('end where it does not come', async () => {
    const creating = createVerifier({ workers: 3, kernel: 'simd128', wasm: { simd128: address } })
    creating.catch(() => {})
    await expect.poll(() => asked.length, PATIENTLY).toBe(1)
    expect(workers.length).toBe(3)
    asked[0]!.writeHead(404).end()
    await expect(creating).rejects.toThrow(WasmUnavailableError)
    await expect.poll(() => ended, PATIENTLY).toBe(3)
  })

  it('are known to be dead where they died before it came', async () => {
    const workerUrl = new URL('data:text/javascript,throw new Error("no such worker")')
    const options = { workerUrl, kernel: 'simd128', wasm: { simd128: address } } as const
    const creating = createVerifier({ ...options, workers: 2 })
    creating.catch(() => {})
    await expect.poll(() => ended, PATIENTLY).toBe(2)
    asked[0]!.writeHead(200, { 'content-type': 'application/wasm' }).end(await readFile(module))
    await expect(creating).rejects.toThrow('no such worker')
    expect(workers.length).toBe(2)
  })

  it('are none where none are asked for', async () => {
    const verifier = await createVerifier({ workers: 0, kernel: 'simd128' })
    expect(workers).toEqual([])
    await verifier.dispose()
  })
})

describe('the start of a light client whose module is slow', () => {
  it('ends with its signal; the worker ends where the module comes after all', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const starting = LightClient.fromCheckpoint({
      ...{ network: 'mainnet', checkpoint: new Uint8Array(32), store: false },
      ...{ kernel: 'simd128', wasm: { simd128: address }, signal: controller.signal },
      beacon: 'https://a.example',
      fetch: () => Promise.reject(new Error('nobody is to be asked')),
    })
    starting.catch(() => {})
    await expect.poll(() => asked.length, PATIENTLY).toBe(1)
    await expect.poll(() => online).toBe(1)
    controller.abort(reason)
    await expect(starting).rejects.toBe(reason)
    const lightClient = fileURLToPath(new URL('../../wasm/light_client_simd128.wasm', import.meta.url))
    asked[0]!.writeHead(200, { 'content-type': 'application/wasm' }).end(await readFile(lightClient))
    await expect.poll(() => ended).toBe(1)
    expect(workers.length).toBe(1)
  })
})
