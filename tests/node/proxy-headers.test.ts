/** Headers far back: further than a light client goes by itself, through endpoints that make some of them up. */
import type { Chain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import { later } from '../support/make.ts'
import {
  ask,
  blobsAt,
  digestOf,
  endpointOf,
  pause,
  proxiedChain,
  type Proxied,
  proxyOf,
} from '../support/proxies.ts'

let chain: Chain
beforeAll(async () => {
  // Fourteen hundred slots, of which a light client follows back 256 blocks.
  chain = await proxiedChain({ slots: 1_400, blobsPerBlock: (slot) => (slot % 8 === 3 ? 2 : 0) })
})

const lasting = { deadlineMs: 30_000 }

async function rootAt(proxied: Proxied, slot: number | string): Promise<string | number> {
  const { status, json } = await ask(proxied, `/eth/v1/beacon/headers/${slot}`)
  return status === 200 ? json['data']!['root']! : status
}

const expected = (slot: number): string | number => chain.at(slot)?.root ?? 404

describe('headers far back', () => {
  it('are found, as are the blobs of their blocks, and are final', async () => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], lasting)
    const slot = 75
    expect(chain.finalized.slot - slot).toBeGreaterThan(1_000)
    const { json } = await ask(proxied, `/eth/v1/beacon/blobs/${slot}`)
    expect(json['finalized']).toBe(true)
    expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, slot)))
    // The way to others has been walked: nobody is asked again.
    proxied.asked.length = 0
    for (const other of [76, 77, 100, 327, 500, 777, 1_001])
      expect(await rootAt(proxied, other)).toBe(expected(other))
    expect(await rootAt(proxied, chain.at(500)!.root)).toBe(expected(500))
    expect(proxied.asked).toEqual([])
    expect(proxied.faults).toEqual([])
  })

  it('are those of the chain, whoever makes headers up, leaves them out or is slow', async () => {
    const servers = await Promise.all([
      endpointOf(chain, [{ fault: { kind: 'corrupt', part: 'header' }, probability: 0.7 }]),
      endpointOf(chain, [{ fault: { kind: 'status', code: 404 }, routes: ['headers'], probability: 0.5 }]),
      endpointOf(chain, [{ fault: { kind: 'delay', ms: 50 }, probability: 0.2 }]),
    ])
    const proxied = await proxyOf(
      chain,
      servers.map(({ url }) => url),
      lasting,
    )
    const slots = [90, 97, 400, 401, 402, 407, 900, 1_300]
    const roots = await Promise.all(slots.map(async (slot) => await rootAt(proxied, slot)))
    expect(roots).toEqual(slots.map(expected))
  })

  it('are refused until the way is walked, which goes on meanwhile', async () => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], { deadlineMs: 1_000 })
    server.faults.rules = [{ fault: { kind: 'delay', ms: 60 }, routes: ['headers'] }]
    const first = await ask(proxied, '/eth/v1/beacon/headers/75')
    expect(first.status).toBe(503)
    expect(first.json).toMatchObject({ reason: 'following-back' })
    expect(first.headers.get('retry-after')).toBe('1')
    let found: string | number = 503
    for (let tries = 0; found === 503 && tries < 60; tries++) {
      await pause(200)
      found = await rootAt(proxied, 75)
    }
    expect(found).toBe(expected(75))
  })

  it('are too old beyond the history that is followed', async () => {
    const server = await endpointOf(chain)
    const proxied = await proxyOf(chain, [server.url], { history: 100 })
    const { status, json } = await ask(proxied, '/eth/v1/beacon/headers/75')
    expect([status, json['reason']]).toEqual([503, 'too-old'])
    const near = chain.finalized.slot - 90
    expect(await rootAt(proxied, near)).toBe(expected(near))
  })

  describe('that nobody has', () => {
    /** A proxy whose endpoint has no header of before a slot, and answers nothing about those before another one until it may. */
    const lacking = async (
      oldest: number,
      held: number,
    ): Promise<{ proxied: Proxied; held: Promise<unknown>; release: () => void }> => {
      const slots = new Map<string, number>()
      for (let slot = 0; slot <= chain.head.slot; slot++) {
        slots.set(String(slot), slot)
        const block = chain.at(slot)
        if (block !== null) slots.set(block.root, slot)
      }
      const [server, gate, arrival] = [await endpointOf(chain), later(), later()]
      const proxied = await proxyOf(chain, [server.url], {
        ...{ deadlineMs: 10_000, timeoutMs: 60_000 },
        async fetch(url, init) {
          const id = /\/headers\/(\w+)$/.exec(new URL(url).pathname)?.[1] ?? ''
          const slot = slots.get(id) ?? Infinity
          if (slot < held) {
            arrival.resolve()
            await gate.promise
          }
          return slot < oldest ? new Response('{}', { status: 404 }) : await fetch(url, init)
        },
      })
      return { proxied, held: arrival.promise, release: gate.resolve }
    }

    it('keep no newer one waiting that is not final', async () => {
      const oldest = chain.finalized.slot - 300
      const { proxied, held, release } = await lacking(oldest, oldest)
      const old = ask(proxied, `/eth/v1/beacon/headers/${oldest - 100}`)
      await held
      const recent = chain.head.slot - 3
      const found = await rootAt(proxied, recent)
      release()
      expect(found).toBe(expected(recent))
      const { status, json } = await old
      expect([status, json['reason']]).toEqual([503, 'unreachable'])
    })

    it('take none with them that somebody has', async () => {
      const oldest = chain.finalized.slot - 300
      const { proxied, held, release } = await lacking(oldest, chain.finalized.slot - 260)
      const old = [oldest - 20, oldest - 100].map((slot) => ask(proxied, `/eth/v1/beacon/headers/${slot}`))
      await held
      const final = oldest + 10
      const found = rootAt(proxied, final)
      await pause(100)
      release()
      expect(await found).toBe(expected(final))
      expect((await Promise.all(old)).map(({ json }) => json['reason'])).toEqual([
        'unreachable',
        'unreachable',
      ])
    })
  })
})
