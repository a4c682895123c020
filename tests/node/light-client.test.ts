/** `LightClient` on a chain that another implementation's types have made: what it does beside asking endpoints. */
import {
  BeaconUnavailableError,
  DisposedError,
  LightClient,
  StaleCheckpointError,
  type SyncProgress,
  WasmUnavailableError,
} from 'blobcheck/light-client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Clock } from '../../dist/light-client/clock.js'
import { follow } from '../../dist/light-client/follow.js'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { plainly } from '../support/beacon-server.ts'
import { toHex } from '../support/bytes.ts'
import { startClient, startServer } from '../support/clients.ts'
import { VirtualTime } from '../support/virtual-time.ts'

let chain: Chain
beforeAll(() => {
  // Deneb at the checkpoint, Electra and then Fulu on the way, with a new digest within Fulu.
  chain = makeChain({ periods: 3, forkEpochs: { electra: 2900, fulu: 3080 } })
})

describe.each(['ssz', 'json'] as const)('across forks, in %s', (form) => {
  it('leads to the head, with the way there told in order', async () => {
    const oracle = chain.oracle()
    const server = await startServer((url) => {
      const told = oracle(url)
      return told === null || form === 'ssz' ? told : { ...told, ssz: null }
    })
    const client = await startClient(chain, server.url)
    expect(client.finalized).toMatchObject({ root: chain.checkpoint, finalized: true })
    expect(client.finalized.links['sync-committee']).toBe('absent')
    const progress: SyncProgress[] = []
    const report = await client.sync({ onProgress: (step) => progress.push(step) })
    expect(client.finalized).toMatchObject({
      root: toHex(chain.finalized.root),
      slot: chain.finalized.slot,
      finalized: true,
      execution: { blockNumber: chain.finalized.slot + 7 },
    })
    expect(client.optimistic).toMatchObject({ root: toHex(chain.optimistic.root), finalized: false })
    expect(report.endpoints[0]?.failures).toEqual({})
    expect(progress.map(({ stage, done, total }) => `${stage} ${done}/${total}`)).toEqual([
      'periods 0/3',
      'periods 3/3',
      'finality 0/1',
      'finality 1/1',
      'optimistic 0/1',
      'optimistic 1/1',
    ])
  })
})

describe.each(['ssz', 'json'] as const)(
  'an answer that has more updates than it was asked for, in %s',
  (form) => {
    it.each([1, 100])('leads on by those, whatever the %i behind them are', async (count) => {
      const oracle = chain.oracle()
      const older = oracle(
        new URL(`http://a/eth/v1/beacon/light_client/updates?start_period=${chain.firstPeriod}&count=1`),
      )
      const more = Array.from({ length: count }, () => older!)
      const server = await startServer((url) => {
        const told = oracle(url)
        if (told === null || !url.pathname.endsWith('/updates')) return told
        const json = [told, ...more].flatMap((one) => one.json as object[])
        return form === 'json'
          ? { ...told, json, ssz: null }
          : { ...told, ssz: Buffer.concat([told, ...more].map((one) => one.ssz!)) }
      })
      const client = await startClient(chain, server.url)
      const report = await client.sync()
      expect(client.optimistic.root).toBe(toHex(chain.optimistic.root))
      expect(report.endpoints[0]?.failures).toEqual({})
    })
  },
)

describe('in the calling thread', () => {
  it('does the same', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url, { worker: false })
    await client.sync()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })
})

describe('synchronising again', () => {
  it('asks for the newest headers alone, and keeps the objects of headers that stay', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync()
    const { finalized, optimistic } = client
    server.asked.length = 0
    await Promise.all([client.sync(), client.sync()])
    expect(server.asked.map(({ path }) => path.split('/').at(-1))).toEqual([
      'finality_update',
      'optimistic_update',
      'finality_update',
      'optimistic_update',
    ])
    expect(client.finalized).toBe(finalized)
    expect(client.optimistic).toBe(optimistic)
  })
})

describe('the update of the present period, which is not needed yet', () => {
  it('is asked for once in an epoch, after the newest headers, and holds nobody up for more than one answer', async () => {
    let isHanging = false
    const oracle = chain.oracle({ updates: chain.updates.slice(0, 3) })
    const server = await startServer(oracle, (said, request, response) => {
      if (!isHanging || !request.url?.includes('/updates')) plainly(said, request, response)
    })
    let now = chain.now()
    const client = await startClient(chain, server.url, { now: () => now, timeoutMs: 1_500 })
    await client.sync()
    isHanging = true
    const epochMs = 32 * 12_000
    for (const passed of [epochMs, 0, epochMs]) {
      now += passed
      server.asked.length = 0
      await client.sync()
      expect(server.asked.map(({ path }) => path.replace(/^.*light_client/, ''))).toEqual([
        '/finality_update',
        '/optimistic_update',
        ...(passed === 0 ? [] : [`/updates?start_period=${chain.firstPeriod + 3}&count=1`]),
      ])
    }
  })
})

describe('an abort', () => {
  it('ends a synchronisation at once, and the next one goes on', async () => {
    let isHanging = true
    const server = await startServer(chain.oracle(), (said, request, response) => {
      if (!isHanging || !request.url?.includes('finality')) plainly(said, request, response)
    })
    const client = await startClient(chain, server.url)
    const controller = new AbortController()
    const reason = new Error('enough')
    const onProgress = ({ stage }: SyncProgress): void => {
      if (stage === 'finality') setTimeout(() => controller.abort(reason), 20)
    }
    const ended = client.sync({ signal: controller.signal, onProgress })
    await expect(ended).rejects.toBe(reason)
    await expect(client.sync({ signal: controller.signal })).rejects.toBe(reason)
    // What was verified by then stays.
    expect(client.finalized.slot).toBeGreaterThan(chain.bootstrap.header.beacon.slot)
    isHanging = false
    await client.sync()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('ends a start, too', async () => {
    const server = await startServer(chain.oracle(), () => {})
    const signal = AbortSignal.timeout(50)
    await expect(startClient(chain, server.url, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(startClient(chain, server.url, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('dispose', () => {
  it('ends what is under way and what comes after with DisposedError', async () => {
    const server = await startServer(chain.oracle(), (said, request, response) => {
      if (!request.url?.includes('updates')) plainly(said, request, response)
    })
    const client = await startClient(chain, server.url)
    const sync = client.sync()
    const next = client.headers().next()
    setTimeout(() => void client.dispose(), 20)
    await expect(sync).rejects.toBeInstanceOf(DisposedError)
    await expect(next).rejects.toBeInstanceOf(DisposedError)
    await expect(client.sync()).rejects.toBeInstanceOf(DisposedError)
    await expect(client.headerAt(5)).rejects.toBeInstanceOf(DisposedError)
    await expect(client.trustAncestors([])).rejects.toBeInstanceOf(DisposedError)
    await client.dispose()
  })
})

describe('headers()', () => {
  it('yields the head, then each newer one, whatever endpoints do in between', async () => {
    const quick = makeChain({ periods: 1, secondsPerSlot: 1 })
    let moment: 'old' | 'failing' | 'new' = 'old'
    const oracles = {
      old: quick.oracle({ optimistic: optimisticOf(quick.finality) }),
      failing: () => null,
      new: quick.oracle(),
    }
    const server = await startServer((url) => oracles[moment](url))
    // Time goes on for two slots once the first header was seen, however slow this machine is.
    let start = Infinity
    const now = (): number => quick.now() + Math.min(Math.max(Date.now() - start, 0), 2_000)
    const client = await startClient(quick, server.url, { now })
    const errors: Error[] = []
    const controller = new AbortController()
    const seen: number[] = []
    const ended = (async () => {
      const onError = (error: Error): void => {
        errors.push(error)
        moment = 'new'
      }
      for await (const header of client.headers({ signal: controller.signal, onError })) {
        seen.push(header.slot)
        if (seen.length === 1) [moment, start] = ['failing', Date.now()]
        if (seen.length === 2) controller.abort()
      }
    })()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toEqual([quick.headSlot - 3, quick.headSlot - 1])
    expect(errors[0]).toBeInstanceOf(BeaconUnavailableError)
  })

  it('goes on in the next slot where the clock is set back by hours meanwhile', async () => {
    let now = 7_200_000
    const network = { secondsPerSlot: 12, slotsPerEpoch: 32, genesisTime: 0, forkEpochs: {} }
    const headers = ['0x01', '0x02'].map((root, slot) => ({ root, slot }))
    const followed = {
      clock: new Clock(network as never, () => now),
      waitMs: 0,
      finalized: headers[0],
      optimistic: headers[0],
      sync: async () => {},
    }
    const iterator = follow(followed as never, {}, (error) => error instanceof BeaconUnavailableError)
    expect((await iterator.next()).value).toBe(headers[0])
    now = 0
    followed.optimistic = headers[1]
    const time = new VirtualTime()
    await time.during(async () => {
      expect((await time.until(iterator.next(), 16_001)).value).toBe(headers[1])
    })
  })

  it('refuses options that make no sense before anything is asked', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    const asked = server.asked.length
    for (const options of [
      { onError: 1 },
      { onError: null },
      { finality: 'clock' },
      { signal: 1 },
      null,
      1,
    ]) {
      const headers = client.headers(options as unknown as { signal: AbortSignal })
      await expect(headers.next(), JSON.stringify(options)).rejects.toBeInstanceOf(TypeError)
    }
    expect(server.asked).toHaveLength(asked)
  })

  it('can be left, and follows finality where that is asked for', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    for await (const header of client.headers({ finality: 'finalized' })) {
      expect(header).toBe(client.finalized)
      expect(header.slot).toBe(chain.finalized.slot)
      break
    }
  })
})

function optimisticOf({ attestedHeader, syncAggregate, signatureSlot }: Chain['finality']): object {
  return { attestedHeader, syncAggregate, signatureSlot }
}

describe('a checkpoint that is too old', () => {
  it('is refused unless it is asked for', async () => {
    const server = await startServer(chain.oracle())
    const { slot } = chain.bootstrap.header.beacon
    const at = (epochs: number) => (): number =>
      (chain.network.genesisTime + (Math.floor(slot / 32) + epochs) * 32 * 12 + 1) * 1000
    const refused = startClient(chain, server.url, { allowStale: false, now: at(3533) })
    await expect(refused).rejects.toBeInstanceOf(StaleCheckpointError)
    await expect(refused).rejects.toMatchObject({
      ...{ ageEpochs: 3533, limitEpochs: 3532 },
      message:
        'what is trusted is 3533 epochs old, more than the weak-subjectivity period of 3532: begin with a newer checkpoint; ' +
        "or this machine's clock is fast",
    })
    const young = await startClient(chain, server.url, { allowStale: false, now: at(3532) })
    expect(young.finalized.root).toBe(chain.checkpoint)
    const stale = await startClient(chain, server.url, { allowStale: true, now: at(9999) })
    expect(stale.finalized.root).toBe(chain.checkpoint)
  })

  it('is refused after a shorter time once the clock is in Gloas, where validators may leave faster', async () => {
    const server = await startServer(chain.oracle())
    const epoch = Math.floor(chain.bootstrap.header.beacon.slot / 32)
    const at = (age: number) => (): number => (chain.network.genesisTime + (epoch + age) * 32 * 12 + 1) * 1000
    const begin = async (gloas: number, age: number, heze = Infinity): Promise<unknown> => {
      const network = { ...chain.network, forkEpochs: { ...chain.network.forkEpochs, gloas, heze } }
      return await startClient({ ...chain, network }, server.url, { allowStale: false, now: at(age) })
    }
    await begin(epoch + 2000, 1999)
    await expect(begin(epoch + 2000, 2000)).rejects.toMatchObject({ ageEpochs: 2000, limitEpochs: 1348 })
    await begin(epoch + 1000, 1348)
    await expect(begin(epoch + 1000, 1349)).rejects.toMatchObject({ ageEpochs: 1349, limitEpochs: 1348 })
    // Gloas comes with the fork that follows it at the latest.
    await begin(Infinity, 1999, epoch + 2000)
    const later = begin(Infinity, 2000, epoch + 2000)
    await expect(later).rejects.toMatchObject({ ageEpochs: 2000, limitEpochs: 1348 })
  })

  it('has the age that a network needs', async () => {
    const server = await startServer(chain.oracle())
    const { slot } = chain.bootstrap.header.beacon
    const at = (epochs: number) => (): number =>
      (chain.network.genesisTime + (Math.floor(slot / 32) + epochs) * 32 * 12 + 1) * 1000
    const terms = { allowStale: false, weakSubjectivityEpochs: 300 }
    await startClient(chain, server.url, { ...terms, now: at(300) })
    const refused = startClient(chain, server.url, { ...terms, now: at(301) })
    await expect(refused).rejects.toMatchObject({ ageEpochs: 301, limitEpochs: 300 })
  })
})

describe('a client that sleeps for longer than the weak-subjectivity period', () => {
  it('refuses to go on from where it was, unless it is told to', async () => {
    const server = await startServer(chain.oracle())
    for (const allowStale of [false, true]) {
      let epochs = Math.floor(chain.bootstrap.header.beacon.slot / 32)
      const now = (): number => (chain.network.genesisTime + epochs * 32 * 12 + 1) * 1000
      const client = await startClient(chain, server.url, { allowStale, weakSubjectivityEpochs: 700, now })
      epochs += 901
      server.asked.length = 0
      if (allowStale) {
        await client.sync()
        continue
      }
      await expect(client.sync()).rejects.toBeInstanceOf(StaleCheckpointError)
      await expect(client.headers().next()).rejects.toMatchObject({ ageEpochs: 901, limitEpochs: 700 })
      expect(server.asked).toEqual([])
      expect(client.finalized.root).toBe(chain.checkpoint)
    }
  })
})

describe('a chain that finalizes nothing', () => {
  it('is waited for, or followed by forced updates where that is asked for', async () => {
    const updates = chain.updates.map((update) => chain.withoutFinality(update))
    const server = await startServer(chain.oracle({ updates }))
    const waiting = await startClient(chain, server.url)
    await expect(waiting.sync()).rejects.toMatchObject({ failures: [{ kind: 'behind' }] })
    expect(waiting.finalized.root).toBe(chain.checkpoint)
    const forced = await startClient(chain, server.url, { forceUpdate: true })
    await forced.sync()
    expect(forced.finalized.slot).toBe(chain.finalized.slot)
    expect(forced.report()).toMatchObject({ forcedUpdates: 3, endpoints: [{ failures: { behind: 3 } }] })
  })
})

describe('a worker that does not start', () => {
  const nowhere = new URL('file:///nowhere/worker.js')

  it('is done without, unless it was asked for', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url, { workerUrl: nowhere })
    await client.sync()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
    const wanted = startClient(chain, server.url, { workerUrl: nowhere, worker: true })
    await expect(wanted).rejects.toBeInstanceOf(WasmUnavailableError)
  })

  it('is also that of another part, of which no endpoint is accused', async () => {
    const server = await startServer(chain.oracle())
    const onWarning = vi.fn()
    const workerUrl = new URL('../../dist/prover/worker/entry-node.mjs', import.meta.url)
    const client = await startClient(chain, server.url, { workerUrl, onWarning })
    const report = await client.sync()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
    expect(report.endpoints[0]?.failures).toEqual({})
    const message = expect.stringContaining(
      'is the worker of blobcheck/prover, not of blobcheck/light-client; ',
    )
    expect(onWarning).toHaveBeenCalledExactlyOnceWith({ code: 'no-workers', message })
  })
})

describe('options that make no sense', () => {
  const unsigned = { genesisTime: 0, forkEpochs: { deneb: 0, electra: 0, fulu: 0 } }
  it.each([
    ['a checkpoint that is too short', { checkpoint: '0x12' }],
    [
      'a checkpoint that only says that it is long enough',
      { checkpoint: Object.defineProperty(new (class extends Uint8Array {})(5), 'length', { value: 32 }) },
    ],
    ['a checkpoint that is no hex', { checkpoint: `0x${'zz'.repeat(32)}` }],
    ['a checkpoint that is missing', { checkpoint: undefined }],
    ['no endpoint', { beacon: [] }],
    ['too many endpoints', { beacon: Array(17).fill('http://localhost') }],
    ['an endpoint of another protocol', { beacon: 'ftp://localhost' }],
    ['an endpoint that is no URL', { beacon: 'localhost' }],
    ['a network without signing', { network: unsigned }],
    ['an endpoint with a user', { beacon: ['http://localhost', 'http://user@localhost'] }],
    ['an endpoint with a password', { beacon: new URL('http://:hunter2@localhost') }],
    ['an unknown network', { network: 'ropsten' }],
    ['a store that is none', { store: {} }],
    ['a worker that is no choice', { worker: 2 }],
    ['a timeout of nothing', { timeoutMs: 0 }],
    ['a fetch that is none', { fetch: 5 }],
    ['leave for an old checkpoint that is text', { allowStale: 'false' }],
    ['trust in the store that is text', { trustCache: 'false' }],
    ['a forced update that is text', { forceUpdate: 'false' }],
    ['a weak-subjectivity period of nothing', { weakSubjectivityEpochs: 0 }],
  ])('are refused: %s', async (_name, wrong) => {
    const options = { network: chain.network, checkpoint: chain.checkpoint, beacon: 'http://localhost:1' }
    const error: unknown = await LightClient.fromCheckpoint({ ...options, ...wrong } as never).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TypeError)
    // Who is let in by a URL stays out of messages.
    expect(String(error)).not.toMatch(/user@|hunter2/)
  })

  it.each([
    [undefined, 'undefined'],
    ['127.0.0.1:5052', '"127.0.0.1:5052": write http://…'],
    ['localhost:5052/eth?key=hush', '"localhost:5052": write http://…'],
    ['bob:hush@a.example/hush', '"a.example": write http://…'],
    ['wss://bob:hu/sh@a.example/hush', '"a.example"'],
    [new URL('ftp://bob:hush@a.example/hush'), '"a.example"'],
    ['http://', '"http://"'],
    ['x'.repeat(300), `"${'x'.repeat(100)}": write http://…`],
    ['http://bob:hush@a.example', null],
  ])('are refused: an endpoint %s, which the error shows without what may be secret', async (url, shown) => {
    const options = { network: chain.network, checkpoint: chain.checkpoint, beacon: [url] }
    await expect(LightClient.fromCheckpoint(options as never)).rejects.toThrow(
      shown === null
        ? 'a URL with a user or password cannot be fetched, headers of the option fetch can have them: beacon[0]'
        : `not the http(s) URL of an endpoint: beacon[0], ${shown}`,
    )
    const error: unknown = await LightClient.fromCheckpoint(options as never).catch(
      (reason: unknown) => reason,
    )
    expect(String(error)).not.toMatch(/bob|hush/)
  })

  it.each<[string, () => unknown]>([
    ['no number', () => Number.NaN],
    ['the end of time', () => Infinity],
    ['nothing', () => undefined],
    ['a Date', () => new Date()],
    ['text', () => '1700000000000'],
    ['a bigint', () => 1_700_000_000_000n],
  ])('are refused: a clock that gives %s', async (_name, wrong) => {
    const server = await startServer(chain.oracle())
    const words = /^now must return milliseconds since 1970 as a number/
    const refused = startClient(chain, server.url, { now: wrong as () => number })
    await expect(refused).rejects.toThrow(words)
    await expect(refused).rejects.toBeInstanceOf(TypeError)
    expect(server.asked).toEqual([])
    // It may have been right to begin with: no endpoint is at fault then, either.
    let now: () => unknown = chain.now
    const client = await startClient(chain, server.url, { now: () => now() as number })
    now = wrong
    await expect(client.sync()).rejects.toThrow(words)
  })
})
