/** What a verifier is made of: options that are read before anything is begun, which parts get what of them, and a start that fails. */
import 'fake-indexeddb/auto'
import {
  createVerifier,
  MemoryCache,
  networks,
  SszError,
  type TraceEvent,
  type Verifier,
  WasmUnavailableError,
} from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Pool } from '../../dist/runtime/pool/pool.js'
import * as creation from '../../dist/verifier/create.js'
import { instantiate } from '../../dist/verifier/worker/module.js'
import { commitmentOf, invented, makeSidecars, slots } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { makeBlob, until } from '../support/make.ts'
import { watchThreads } from '../support/threads.ts'
import { turns } from '../support/virtual-time.ts'
import { verifierModule } from '../support/worker-tasks.ts'

// The declarations of the package leave out what is internal.
const { createFrom, readOptions } = creation as unknown as {
  createFrom(options: object): Promise<Verifier>
  readOptions(options: object): Readonly<Record<string, unknown>>
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const end of ends.splice(0).reverse()) await end()
})

const open = async (options: Parameters<typeof createVerifier>[0] = {}): Promise<Verifier> => {
  const verifier = await createVerifier({ workers: 0, cache: false, ...options })
  ends.push(() => verifier.dispose())
  return verifier
}

describe('options', () => {
  it('that are not given are what most want', () => {
    expect(readOptions({})).toMatchObject({ workers: 'auto', cache: 'auto', trustCache: true })
    expect(readOptions({ trustCache: false, workers: 3 })).toMatchObject({ workers: 3, trustCache: false })
  })

  it.each([
    ['workers', 1.5],
    ['workers', 'two'],
    ['kernel', 'fastest'],
    ['onTrace', 'a listener'],
    ['onWarning', {}],
    ['network', 'goerli'],
    ['beacon', { workerURL: 'https://a.example/worker.js' }],
    ['lightClient', { wasm: 7 }],
    ['kzg', { workerUrl: 'https://a.example/worker.js' }],
  ])('that make no sense are refused as they are read: %s, %j', (name, value) => {
    expect(() => readOptions({ [name]: value })).toThrow(TypeError)
  })

  it('say where the worker is of what is loaded on demand', () => {
    const workerUrl = 'https://a.example/worker.js'
    const { beacon, lightClient } = readOptions({ beacon: { workerUrl }, lightClient: {} })
    expect(beacon).toEqual({ wasm: {}, workerUrl: new URL(workerUrl) })
    expect(lightClient).toEqual({ wasm: {} })
  })
})

describe('the calling thread', () => {
  it('neither rehearses nor probes its kernel again, as workers do', async () => {
    const rehearsals = vi.spyOn(Pool.prototype, 'rehearse')
    const probes = vi.spyOn(Pool.prototype, 'runOnAll')
    const own = await open()
    await own.verifyBlobs([makeBlob(1)])
    await turns(9)
    expect([rehearsals.mock.calls.length, probes.mock.calls.length]).toEqual([0, 0])
    const threaded = await open({ workers: 1 })
    expect(rehearsals).toHaveBeenCalledOnce()
    await threaded.verifyBlobs([makeBlob(1)])
    await until(() => probes.mock.calls.length === 1)
  })

  it('has its crashes counted', async () => {
    const verifier = await open({ kernel: 'simd128' })
    const { exports } = instantiate('simd128', await verifierModule())
    vi.spyOn(exports, 'blobUnit').mockImplementationOnce(() => {
      throw new WebAssembly.RuntimeError('unreachable')
    })
    expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid' }])
    expect(verifier.stats()).toMatchObject({ crashes: 1, retries: 1 })
  })
})

describe('a listener', () => {
  it('is told of what is done, by all parts', async () => {
    const events: TraceEvent[] = []
    const verifier = await open({ onTrace: (event) => void events.push(event) })
    await verifier.verifyBlobs([makeBlob(1)])
    expect(events.map(({ stage }) => stage)).toEqual(['check', 'queue', 'kzg'])
  })

  it('that is not there costs no look at the clock', async () => {
    const verifier = await open()
    const clock = vi.spyOn(performance, 'now')
    await verifier.verifyBlobs([makeBlob(1)])
    expect(clock).not.toHaveBeenCalled()
  })
})

describe('blocks as anchors, and signatures', () => {
  const network = { ...invented, signing: networks.mainnet.signing! }
  const proposerKey = commitmentOf(5)
  const block = Uint8Array.of(1, 2, 3)
  /** A sidecar whose header bears a signature of nobody's. */
  const forged = async (): Promise<object[]> => {
    const { block, sidecars } = await makeSidecars(slots.fulu, [1])
    const signed_block_header = { message: block.header, signature: toHex(new Uint8Array(96)) }
    return sidecars.map((sidecar) => ({ ...sidecar, signed_block_header }))
  }

  it.each([
    ['in the calling thread where that is to do all', 0, 0],
    ['in a thread each where there are threads', 1, 3],
  ])('are looked at %s', async (_, workers, started) => {
    const threads = await watchThreads()
    ends.push(() => threads.stop())
    const verifier = await open({ workers, network })
    await expect(verifier.verifyBlobs([], { anchor: { block } })).rejects.toThrow(SszError)
    expect(await verifier.verifyBlobSidecars(await forged(), { proposerKey })).toMatchObject([
      { status: 'invalid', reason: 'proposer-signature' },
    ])
    expect(threads.started).toBe(started)
  })

  it.each([
    ['blocks', 'beacon', { anchor: { block } }],
    ['signatures', 'lightClient', { proposerKey }],
  ])('need the module that was given for them: %s', async (_, option, wanted) => {
    const verifier = await open({ network, [option]: { wasm: { simd128: Uint8Array.of(1, 2, 3) } } })
    await expect(verifier.verifyBlobSidecars(await forged(), wanted)).rejects.toThrow(WasmUnavailableError)
  })
})

describe('a start that fails', () => {
  const broken = { wasm: { simd128: Uint8Array.of(1, 2, 3) }, workers: 0, kernel: 'simd128' } as const

  it('closes the cache that it has opened, and none that was handed in', async () => {
    const closed = vi.spyOn(IDBDatabase.prototype, 'close')
    await expect(createVerifier(broken)).rejects.toThrow(WasmUnavailableError)
    await until(() => closed.mock.calls.length === 1)
    const close = vi.fn(async () => {})
    const cache = Object.assign(new MemoryCache(), { close })
    await expect(createVerifier({ ...broken, cache })).rejects.toThrow(WasmUnavailableError)
    expect(close).not.toHaveBeenCalled()
  })

  it('is told of once, also where there is no memory for what traces, either', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    ends.push(() => process.off('unhandledRejection', unhandled))
    class NoRoom {
      constructor() {
        vi.unstubAllGlobals()
        throw new RangeError('out of memory')
      }
    }
    vi.stubGlobal('WeakMap', NoRoom)
    const start = createVerifier({ ...broken, cache: false, onTrace: () => {} })
    await expect(start).rejects.toThrow('the simd128 module could not be loaded')
    await turns(9)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('leaves no thread behind', async () => {
    const exits: Promise<unknown>[] = []
    const attend = (worker: { once(event: 'exit', then: () => void): void }): void =>
      void exits.push(new Promise<void>((resolve) => worker.once('exit', resolve)))
    process.on('worker', attend)
    ends.push(() => process.off('worker', attend))
    // No network that options can name.
    const network = { blobSchedule: null }
    await expect(createFrom({ ...readOptions({ workers: 2, cache: false }), network })).rejects.toThrow()
    expect(exits).toHaveLength(2)
    await Promise.all(exits)
  })
})
