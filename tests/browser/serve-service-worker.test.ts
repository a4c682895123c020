/** `blobcheck/serve` in a service worker: a page has its beacon node with it, offline. */
import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { holeskyAsIfFulu, makeChain } from 'blobcheck/serve'
import { afterEach, describe, expect, it } from 'vitest'
import { madeChain } from '../support/served.ts'

// Not in place: Vite would take it for a glob.
const here: string = import.meta.url
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** `fetch` of a page that the worker controls. */
async function pageOf(chain: 'made' | 'real'): Promise<typeof fetch> {
  const script = new URL(`../support/serve-worker.ts?chain=${chain}`, here)
  const scope = new URL(`../support/${chain}/`, here).href
  const registration = await navigator.serviceWorker.register(script, { type: 'module', scope })
  ends.push(() => registration.unregister())
  const worker = registration.installing ?? registration.waiting ?? registration.active!
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('the service worker was not installed'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
  const frame = document.createElement('iframe')
  frame.src = `${scope}frame.html`
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve)
    document.body.append(frame)
  })
  ends.push(() => frame.remove())
  const page = frame.contentWindow as unknown as typeof globalThis
  return (url, init) => page.fetch(url, init)
}

const columns = '/eth/v1/debug/beacon/data_column_sidecars'
const ssz = { headers: { accept: 'application/octet-stream' } }

describe('a service worker', () => {
  it('serves the real block’s columns, but those that it withholds', async () => {
    const fetch = await pageOf('real')
    const answer = await fetch(`${columns}/head?indices=2,3,4`, ssz)
    expect([answer.status, answer.headers.get('eth-consensus-version')]).toEqual([200, 'fulu'])
    const verifier = await createVerifier({ network: holeskyAsIfFulu, cache: false })
    ends.push(() => verifier.dispose())
    const body = await answer.arrayBuffer()
    const verdicts = await verifier.verifyDataColumnSidecars(new Uint8Array(body))
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid'])
    // It withholds column 3. A list in SSZ begins with where its sidecars begin, and a sidecar with its index.
    const view = new DataView(body)
    const starts = [0, 4].map((at) => view.getUint32(at, true))
    expect(starts.map((start) => view.getUint32(start, true))).toEqual([2, 4])
  })

  it('serves a made chain that a light client follows', async () => {
    const fetch = await pageOf('made')
    // Made anew, it is the same: that is how this page knows of its checkpoint.
    const chain = await makeChain(madeChain)
    const { network, checkpoint } = chain
    const client = await LightClient.fromCheckpoint({
      ...{ network, checkpoint },
      now: () => chain.now(),
      beacon: location.origin,
      fetch: async (url, init) => await fetch(url, init),
      store: false,
    })
    ends.push(() => client.dispose())
    await client.sync()
    expect(client.report().links['sync-committee']).toBe('verified')
    expect(client.optimistic.root).toBe(chain.at(chain.head.slot - 1)!.root)
  })
})
