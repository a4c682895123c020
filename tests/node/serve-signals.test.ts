/** Apps that are asked as `fetch` is, with a signal: they heed it as `fetch` does. */
import { createBeaconApp, createExecutionApp, type Fault, type Faults, type MadeChain } from 'blobcheck/serve'
import { beforeAll, expect, it, vi } from 'vitest'
import { until } from '../support/make.ts'
import { type App, handChain } from '../support/served.ts'

let chain: MadeChain
beforeAll(async () => {
  chain = await handChain({ blobsPerBlock: 0 })
})

const reason = new Error('enough')
const head = 'http://beacon.test/eth/v1/beacon/headers/head'
const appWith = (...faults: Fault[]): App =>
  createBeaconApp({ chain, faults: { rules: faults.map((fault) => ({ fault })) } })
// As the guide has it.
const fetchOf =
  (app: App) =>
  async (url: string, init?: RequestInit): Promise<Response> =>
    await app.fetch(new Request(url, init))

it('rejects with the reason of a signal that is aborted before', async () => {
  const signal = AbortSignal.abort(reason)
  await expect(fetchOf(appWith())(head, { signal })).rejects.toBe(reason)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const request = new Request('http://execution.test/', { method: 'POST', body, signal })
  await expect((async () => await createExecutionApp({ chain }).fetch(request))()).rejects.toBe(reason)
})

it('rejects when its signal is aborted while it waits', async () => {
  const slow = fetchOf(appWith({ kind: 'delay', ms: 600_000 }))
  const controller = new AbortController()
  const asking = slow(head, { signal: controller.signal })
  controller.abort(reason)
  await expect(asking).rejects.toBe(reason)
  await expect(slow(head, { signal: AbortSignal.timeout(5) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('fails while its body is read', async () => {
  const dripping = fetchOf(appWith({ kind: 'drip', bytes: 1, everyMs: 1 }))
  const controller = new AbortController()
  const response = await dripping(head, { signal: controller.signal })
  const reader = response.body!.getReader()
  expect((await reader.read()).value).toHaveLength(1)
  controller.abort(reason)
  await expect(reader.read()).rejects.toBe(reason)
})

it('is read whole where nobody aborts the signal, or later', async () => {
  const controller = new AbortController()
  const response = await fetchOf(appWith())(head, { signal: controller.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toMatchObject({ data: { root: chain.head.root } })
  controller.abort(reason)
})

it('ends a stream of events, also one that was to begin later', async () => {
  let listening = 0
  const { subscribe } = chain
  vi.spyOn(chain, 'subscribe').mockImplementation((listener) => {
    const unsubscribe = subscribe.call(chain, listener)
    let hasEnded = false
    listening++
    return () => {
      unsubscribe()
      if (!hasEnded) listening--
      hasEnded = true
    }
  })
  const faults: Faults = { rules: [] }
  const fetch = fetchOf(createBeaconApp({ chain, faults }))
  const events = 'http://beacon.test/eth/v1/events?topics=head'
  const controller = new AbortController()
  const { body } = await fetch(events, { signal: controller.signal })
  const reader = body!.getReader()
  await reader.read()
  expect(listening).toBe(1)
  controller.abort(reason)
  await expect(reader.read()).rejects.toBe(reason)
  await until(() => listening === 0)

  // The listener's chain is being caught up when its reader goes.
  let goOn = (): void => {}
  vi.spyOn(chain, 'catchUp').mockImplementation(() => new Promise((resolve) => (goOn = resolve)))
  const late = new AbortController()
  const asking = fetch(events, { signal: late.signal })
  await until(() => vi.mocked(chain.catchUp).mock.calls.length > 0)
  late.abort(reason)
  await expect(asking).rejects.toBe(reason)
  vi.mocked(chain.catchUp).mockRestore()
  goOn()
  await until(() => vi.mocked(chain.subscribe).mock.calls.length === 2)
  await until(() => listening === 0)
})
