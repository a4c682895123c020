/** Slots that are looked up one after the other share the way to them: a header is fetched once. */
import { createVerifier } from 'blobcheck'
import { type Anchored, LightClient, type TrustedHeader } from 'blobcheck/light-client'
import { createSampler, type SlotReport } from 'blobcheck/sampler'
import { makeChain, type MadeChain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import * as wayBack from '../../dist/light-client/ancestors.js'
import { VouchedHeaders } from '../../dist/light-client/trusted-header.js'
import { beaconOf } from '../support/beacons.ts'
import { fromHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'

const { FetchedHeaders } = wayBack
/** What is internal is in no declaration. */
const { Ancestors } = wayBack as unknown as {
  readonly Ancestors: new (
    engine: object,
    endpoints: object,
    vouched: VouchedHeaders,
  ) => { at(slot: number, heads: readonly TrustedHeader[], signal: undefined): Promise<Anchored> }
}

const BEHIND = 20

describe('slots that are not final', () => {
  let chain: MadeChain
  beforeAll(async () => {
    chain = await makeChain({
      ...{ slots: 100, clock: 'by-hand', signHeaders: false, blobsPerBlock: 1 },
      isMissed: (slot) => slot % 7 === 3,
    })
  })

  /** A client of the chain, and the roots of the headers that it asked for. */
  async function follower(
    onAsk = (_count: number): void => {},
  ): Promise<{ client: LightClient; asked: string[] }> {
    const asked: string[] = []
    const { network, checkpoint } = chain
    const client = await LightClient.fromCheckpoint({
      ...{ network, checkpoint, store: false, allowStale: true, now: () => chain.now() },
      beacon: await beaconOf(chain),
      fetch(url, init) {
        const root = /\/headers\/(0x[0-9a-f]{64})$/.exec(url)?.[1]
        if (root !== undefined) onAsk(asked.push(root))
        return fetch(url, init)
      },
    })
    await client.sync()
    return { client, asked }
  }

  it('are asked for as JSON alone, which the API has for headers: some nodes send them as SSZ where that may be sent', async () => {
    const { network, checkpoint } = chain
    const client = await LightClient.fromCheckpoint({
      ...{ network, checkpoint, store: false, allowStale: true, now: () => chain.now() },
      beacon: await beaconOf(chain),
      async fetch(url, init) {
        const answer = await fetch(url, init)
        if (!url.includes('/headers/') || !init.headers['accept']?.includes('octet-stream')) return answer
        // As Lodestar does: root, `canonical`, and the signed header.
        return new Response(new Uint8Array(241), { headers: { 'content-type': 'application/octet-stream' } })
      },
    })
    try {
      await client.sync()
      const slot = client.optimistic.slot - 8
      const { root } = (await chain.at(slot))!
      expect(await client.headerAt(slot)).toMatchObject({ status: 'anchored', header: { root } })
      expect(client.report().endpoints).toMatchObject([{ state: 'good', failures: {} }])
    } finally {
      await client.dispose()
    }
  })

  it.each([1, 4])('are followed with one request for each block, %i at a time', async (concurrency) => {
    const { client, asked } = await follower()
    const verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
    try {
      // The head as a client tells of it that has slept meanwhile.
      const headers = {
        get finalized() {
          return client.finalized
        },
        get optimistic() {
          return client.optimistic
        },
        headerAt: client.headerAt.bind(client),
        async *headers() {
          yield client.optimistic
          await chain.advance(BEHIND)
          await client.sync()
          yield client.optimistic
        },
      } as unknown as LightClient
      const sampler = createSampler({
        ...{ verifier, headers, beacon: await beaconOf(chain), now: () => chain.now() },
        target: { columns: 1 },
      })
      const reports: SlotReport[] = []
      for await (const report of sampler.follow({ concurrency })) reports.push(report)
      expect(reports).toHaveLength(BEHIND + 1)
      for (const { slot, outcome } of reports) expect(outcome).toBe(slot % 7 === 3 ? 'no-block' : 'available')
      const [first, last] = [reports[0]!.slot, reports.at(-1)!.slot]
      const between = range(last - first - 1).filter((at) => (first + 1 + at) % 7 !== 3)
      expect(asked.length).toBeGreaterThanOrEqual(between.length)
      // The block that was the head before may be asked for, too.
      expect(asked.length).toBeLessThanOrEqual(between.length + 1)
      expect(new Set(asked).size).toBe(asked.length)
    } finally {
      await verifier.dispose()
      await client.dispose()
    }
  })

  it('are found although another call, which had begun to fetch them, was ended', async () => {
    const controller = new AbortController()
    const { client } = await follower((count) => void (count === 3 && controller.abort()))
    try {
      const { slot } = client.optimistic
      const wanted = chain.at(slot - 12) === null ? slot - 11 : slot - 12
      const ended = client.headerAt(wanted, { signal: controller.signal })
      const goesOn = client.headerAt(wanted)
      await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
      expect(await goesOn).toMatchObject({ status: 'anchored', header: { finalized: false } })
    } finally {
      await client.dispose()
    }
  })
})

describe('slots further back than one call goes, of which none is final', () => {
  it('are come to by the calls after it', async () => {
    const rootOf = (slot: number): Uint8Array<ArrayBuffer> =>
      new Uint8Array(32).fill(slot & 0xff).fill(slot >> 8, 0, 1)
    const sszOf = (slot: number): Uint8Array<ArrayBuffer> => {
      const ssz = new Uint8Array(112)
      new DataView(ssz.buffer).setBigUint64(0, BigInt(slot), true)
      ssz.set(rootOf(slot - 1), 16)
      return ssz
    }
    const slotOf = (root: Uint8Array): number => (root[0]! << 8) | root[1]!
    const fetched: number[] = []
    const engine = {
      header: ({ slot }: { slot: number }) => Promise.resolve(sszOf(slot)),
      ancestors: (_child: unknown, [ssz]: [Uint8Array]) =>
        Promise.resolve([rootOf(slotOf(ssz.subarray(16)) + 1)]),
    }
    const endpoints = {
      first: ({ path }: { path: string }, read: (answer: object) => Promise<unknown>) => {
        const slot = slotOf(fromHex(path.split('/').at(-1)!))
        fetched.push(slot)
        return read({ slot })
      },
    }
    const vouched = new VouchedHeaders(new Uint8Array(32))
    const nothing = { execution: null, parentExecutionBlockHash: null }
    const links = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const
    const head = vouched.vouch({ ssz: sszOf(3000), root: rootOf(3000), slot: 3000, ...nothing }, false, links)
    const ancestors = new Ancestors(engine, endpoints, vouched)
    const at = (slot: number): Promise<object> => ancestors.at(slot, [head], undefined)
    for (let calls = 1; calls <= 10; calls++) {
      expect(await at(400)).toEqual({ status: 'unanchored', reason: 'beyond-limit' })
      expect(fetched).toEqual(range(calls * 256).map((at) => 2999 - at))
    }
    expect(await at(400)).toMatchObject({ status: 'anchored', header: { slot: 400, finalized: false } })
  })
})

describe('fetched headers', () => {
  const named = (at: number): string => `0x${at}`
  const ssz = (at: number): Uint8Array<ArrayBuffer> => Uint8Array.of(at & 0xff, at >> 8)

  it('are kept, the newest 8,192 of them', async () => {
    const fetched = new FetchedHeaders()
    let fetches = 0
    const get = (at: number): Promise<Uint8Array> =>
      fetched.get(named(at), () => (fetches++, Promise.resolve(ssz(at))), undefined)
    for (const at of range(9000)) expect(await get(at)).toEqual(ssz(at))
    for (const at of range(8192)) expect(await get(8999 - at)).toEqual(ssz(8999 - at))
    expect(fetches).toBe(9000)
    await get(807)
    expect(fetches).toBe(9001)
  })

  it('are fetched once for all who ask at the same time; by another one where the first gets nothing', async () => {
    const fetched = new FetchedHeaders()
    let fetches = 0
    const fetch = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const at = ++fetches
      await new Promise((resolve) => setTimeout(resolve, 10))
      if (at < 3) throw new Error(`failure ${at}`)
      return ssz(7)
    }
    const all = await Promise.allSettled(range(6).map(() => fetched.get('0x7', fetch, undefined)))
    expect(fetches).toBe(3)
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })

  it('are waited for no longer than the signal allows', async () => {
    const fetched = new FetchedHeaders()
    void fetched.get('0x7', () => new Promise<never>(() => {}), undefined)
    const second = fetched.get('0x7', () => Promise.reject(new Error('not asked')), AbortSignal.timeout(10))
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
