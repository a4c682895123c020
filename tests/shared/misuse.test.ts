/** Misuse is the caller's own mistake, and says nothing about the data: a `TypeError`, from every method alike. */
import { createVerifier, MemoryCache, type Verifier, type VerifierOptions } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { loadKzg } from 'blobcheck/kzg'
import { LightClient } from 'blobcheck/light-client'
import { createBlobSource } from 'blobcheck/blobs'
import { createSampler } from 'blobcheck/sampler'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { throwingProxy, unreadable } from '../support/hostile.ts'
import { makeBadBlob, makeBlob, makeCell } from '../support/make.ts'

describe('misuse of createVerifier', () => {
  const deneb = { deneb: 0, electra: 1, fulu: 2 }
  const bad: [name: string, options: unknown][] = [
    ['options that are no object', 'mainnet'],
    ['options of null', null],
    ['an unknown network', { network: 'goerli' }],
    ['a name that every object has', { network: 'constructor' }],
    ['a network of null', { network: null }],
    ['a network without forks', { network: { genesisTime: 0 } }],
    ['a network without a genesis', { network: { forkEpochs: deneb } }],
    ['a network with a fork missing', { network: { genesisTime: 0, forkEpochs: { deneb: 0, electra: 1 } } }],
    ['an epoch that is negative', { network: { genesisTime: 0, forkEpochs: { ...deneb, fulu: -1 } } }],
    ['an epoch that is no integer', { network: { genesisTime: 0, forkEpochs: { ...deneb, fulu: 1.5 } } }],
    ['an epoch that is a string', { network: { genesisTime: 0, forkEpochs: { ...deneb, fulu: '2' } } }],
    ['slots of no length', { network: { genesisTime: 0, secondsPerSlot: 0, forkEpochs: deneb } }],
    ['epochs of no length', { network: { genesisTime: 0, slotsPerEpoch: 0, forkEpochs: deneb } }],
    ['a blob schedule that is no list', { network: { genesisTime: 0, forkEpochs: deneb, blobSchedule: 5 } }],
    [
      'a blob schedule without epochs',
      { network: { genesisTime: 0, forkEpochs: deneb, blobSchedule: [{}] } },
    ],
    ['an unknown kernel', { kernel: 'avx512' }],
    ['workers that are no number', { workers: 'many' }],
    ['a negative number of workers', { workers: -1 }],
    ['half a worker', { workers: 0.5 }],
    ['too many workers', { workers: 257 }],
    ['a cache that is none', { cache: {} }],
    ['a cache of true', { cache: true }],
    ['trust in the cache that is text', { trustCache: 'false' }],
    ['a worker address that is none', { workerUrl: 'https://' }],
    ['a listener to warnings that is none', { onWarning: 'console' }],
  ]
  it.each(bad)('%s', async (_, options) => {
    await expect(createVerifier(options as VerifierOptions)).rejects.toThrow(TypeError)
  })

  it.each([
    ['a light client of null', { lightClient: null }],
    ['a light client’s worker address that is none', { lightClient: { workerUrl: 'https://' } }],
    ['light-client modules that are none', { lightClient: { wasm: 7 } }],
    ['modules of null', { wasm: null }],
    ['modules of blobcheck/kzg of null', { kzg: null }],
    ['modules of blobcheck/kzg that are none', { kzg: { wasm: 7 } }],
    ['a worker address that is a number', { workerUrl: 7 }],
    ['a worker address that is no address', { workerUrl: { href: 'https://' } }],
  ])('%s', async (_, options) => {
    await expect(createVerifier(options as never)).rejects.toThrow(TypeError)
  })

  it.each(
    unreadable(
      ['network', 'workers', 'workerUrl', 'kernel', 'wasm', 'kzg', 'cache', 'trustCache', 'lightClient'],
      ['network', 'workerUrl', 'kernel', 'wasm', 'kzg', 'cache', 'trustCache', 'lightClient'],
    ),
  )('options that cannot be read: %s', async (_, options) => {
    await expect(createVerifier(options as never)).rejects.toThrow(TypeError)
  })

  it.each([
    ['createVerifier', { worker: 2 }, 'options: "worker" is no option'],
    ['createVerifier', { wasm: { simd: 'verifier.wasm' } }, 'wasm: "simd" is no option'],
    ['createVerifier', { kzg: { workerUrl: 'worker.js' } }, 'kzg: "workerUrl" is no option'],
    ['createVerifier', { beacon: { url: 'worker.js' } }, 'beacon: "url" is no option'],
  ] as const)('an option that nobody knows: %s(%j)', async (_, options, message) => {
    const creating = createVerifier(options as never)
    await expect(creating).rejects.toThrow(TypeError)
    await expect(creating).rejects.toThrow(message)
  })

  it.each([['anchors'], ['Anchor'], ['constructor'], ['\u001b[31m']])(
    'an option of a call that nobody knows: %j, which would be a verdict on less than was asked for',
    async (name) => {
      const verifier = await createVerifier({ workers: 0, cache: false })
      try {
        const options = { [name]: { versionedHashes: [] } } as never
        const calls = [
          verifier.verifyBlobs([makeBlob(1)], options),
          verifier.verifyCells([makeCell(1, 0)], options),
          verifier.verifyBlobSidecars([], options),
          verifier.verifyDataColumnSidecars([], options),
          verifier.verifyBlobTransaction('0x03', { fork: 'osaka', ...(options as object) }),
          verifier.verifyBlobs([makeBlob(1)], { anchor: options }),
          verifier.warmup(options),
        ]
        for (const call of await Promise.allSettled(calls)) {
          expect(call.status).toBe('rejected')
          const { reason } = call as PromiseRejectedResult
          expect(reason).toBeInstanceOf(TypeError)
          expect((reason as Error).message).toContain(`${JSON.stringify(name)} is no option`)
        }
      } finally {
        await verifier.dispose()
      }
    },
  )

  it.each([
    ['a signal', AbortSignal.abort()],
    ['its controller', new AbortController()],
    ['a map', new Map([['anchor', { commitments: [] }]])],
    ['a list', [{ anchor: { commitments: [] } }]],
    ['bytes', Uint8Array.of(1)],
  ])('in the place of options: %s, of which nothing would be one', async (_, options) => {
    const verifier = await createVerifier({ workers: 0, cache: false })
    try {
      const calls = [
        verifier.verifyBlobs([makeBlob(1)], options as never),
        verifier.verifyBlobs([makeBlob(1)], { anchor: options as never }),
        createVerifier(options as never),
      ]
      for (const call of await Promise.allSettled(calls)) {
        expect(call.status).toBe('rejected')
        expect((call as PromiseRejectedResult).reason).toBeInstanceOf(TypeError)
      }
    } finally {
      await verifier.dispose()
    }
  })

  it('takes options whose class has them as getters', async () => {
    class Options {
      get [Symbol.toStringTag](): string {
        return 'Settings'
      }
      get workers(): number {
        return 0
      }
      get cache(): boolean {
        return false
      }
    }
    const verifier = await createVerifier(new Options() as never)
    expect(verifier.workers).toBe(0)
    await verifier.dispose()
  })

  it('reads each option once, before anything is waited for, and no other property', async () => {
    const counts = new Map<string, number>()
    /** Counts what is read of an object. */
    const counted = <T extends object>(name: string, object: T): T =>
      new Proxy(object, {
        get(target, key) {
          counts.set(`${name}.${String(key)}`, (counts.get(`${name}.${String(key)}`) ?? 0) + 1)
          return Reflect.get(target, key) as unknown
        },
      })
    const network = {
      genesisTime: 0,
      forkEpochs: { ...deneb },
      maxBlobsPerBlock: counted('limits', { deneb: 6, electra: 9 }),
      blobSchedule: [counted('entry', { epoch: 9, maxBlobsPerBlock: 12 })],
    }
    const nowhere = { simd128: undefined, 'relaxed-simd': undefined } as object
    const creating = createVerifier(
      counted('options', {
        network: counted('network', network),
        workers: 1,
        cache: false as const,
        kernel: 'auto' as const,
        wasm: counted('wasm', nowhere),
        kzg: counted('kzg', { wasm: counted('the wasm of kzg', nowhere) }),
        lightClient: counted('lightClient', { wasm: counted('its wasm', nowhere) }),
      }),
    )
    const before = [...counts]
    const verifier = await creating
    try {
      expect(await verifier.verifyBlobs([makeBadBlob(1)])).toMatchObject([{ status: 'invalid' }])
      expect([...counts]).toEqual(before)
      expect(before.filter(([, count]) => count !== 1)).toEqual([])
      expect(counts.has('wasm.simd128') && counts.has('its wasm.relaxed-simd')).toBe(true)
    } finally {
      await verifier.dispose()
    }
  })

  it('of caches and of blobcheck/kzg', async () => {
    for (const capacity of [0, -1, 1.5, Number.NaN])
      expect(() => new MemoryCache(capacity)).toThrow(TypeError)
    await expect(loadKzg({ kernel: 'avx512' as 'auto' })).rejects.toThrow(TypeError)
    await expect(loadKzg(null as never)).rejects.toThrow(TypeError)
    for (const [, options] of unreadable(['kernel', 'wasm'], ['kernel', 'wasm']))
      await expect(loadKzg(options as never)).rejects.toThrow(TypeError)
  })

  it('of blobcheck/beacon', async () => {
    for (const [, options] of unreadable(['wasm'], ['wasm']))
      await expect(loadBeacon(options as never)).rejects.toThrow(TypeError)
    const beacon = await loadBeacon()
    for (const [, options] of unreadable(['network', 'fork'], ['network']))
      expect(() => beacon.readBlock(new Uint8Array(3), options as never)).toThrow(TypeError)
  })
})

describe('options that cannot be read', () => {
  /** Options of which one cannot be read, and all others are good. */
  const beside = (good: object, [name, options]: [name: string, options: object]): [string, object] => [
    name,
    name === 'all of them'
      ? options
      : (Object.create(good, Object.getOwnPropertyDescriptors(options)) as object),
  ]
  const base = {
    checkpoint: new Uint8Array(32),
    beacon: 'https://beacon.example',
    fetch: () => Promise.reject(new Error('nobody is to be asked')),
    worker: false,
  }
  const names = [
    'network',
    'checkpoint',
    'beacon',
    'store',
    'trustCache',
    'allowStale',
    'forceUpdate',
    'signal',
    'now',
  ]
  const more = [
    'weakSubjectivityEpochs',
    'verifier',
    'worker',
    'kernel',
    'wasm',
    'workerUrl',
    'timeoutMs',
    'fetch',
  ]
  const objects = ['network', 'checkpoint', 'beacon', 'store', 'verifier', 'wasm', 'workerUrl', 'signal']

  it.each(unreadable([...names, ...more], objects).map((one) => beside(base, one)))(
    'a light client: %s',
    async (_, options) => {
      await expect(LightClient.fromCheckpoint(options as never)).rejects.toThrow(TypeError)
    },
  )

  describe('a sampler', () => {
    let verifier: Verifier
    beforeAll(async () => {
      verifier = await createVerifier({ workers: 0, cache: false })
    })
    afterAll(async () => await verifier.dispose())
    const headers = { resolve: () => Promise.reject(new Error('nobody is to be asked')) }
    const given = (): object => ({ verifier, headers, beacon: 'https://beacon.example' })
    const own = [
      'verifier',
      'headers',
      'beacon',
      'target',
      'allowMissing',
      'fallbacks',
      'deadlineMs',
      'timeoutMs',
    ]
    const its = ['requestsPerEndpoint', 'fetch', 'now']

    it.each(unreadable([...own, ...its], ['verifier', 'headers', 'beacon', 'target', 'fallbacks']))(
      '%s',
      (...one) => {
        const [, options] = beside(given(), one)
        expect(() => createSampler(options as never)).toThrow(TypeError)
      },
    )

    it.each(
      unreadable(['signal', 'onProgress', 'deadlineMs', 'target', 'reconstruct'], ['signal', 'target']),
    )('in a call: %s', async (_, options) => {
      const sampler = createSampler(given() as never)
      await expect(sampler.sampleBlock('head', options)).rejects.toThrow(TypeError)
    })
  })

  describe('a blob source', () => {
    let verifier: Verifier
    beforeAll(async () => {
      verifier = await createVerifier({ workers: 0, cache: false })
    })
    afterAll(async () => await verifier.dispose())
    const headers = { resolve: () => Promise.reject(new Error('nobody is to be asked')) }
    const given = (): object => ({ verifier, headers, beacon: 'https://beacon.example' })
    const own = ['verifier', 'headers', 'beacon', 'execution', 'archives', 'files', 'cache', 'deadlineMs']
    const its = ['timeoutMs', 'requestsPerEndpoint', 'fetch', 'now']
    const objects = ['verifier', 'headers', 'beacon', 'execution', 'archives', 'files', 'cache']

    it.each(unreadable([...own, ...its], objects))('%s', (...one) => {
      const [, options] = beside(given(), one)
      expect(() => createBlobSource(options as never)).toThrow(TypeError)
    })

    it.each([
      ['URLs that are none', { archives: 'ftp://a.example' }],
      ['too many URLs', { execution: Array.from({ length: 17 }, () => 'https://a.example') }],
      ['a file without a kind', { files: [{ name: 'a', bytes: new Uint8Array(0) }] }],
      ['a cache without put', { cache: { get: () => null } }],
      ['a cache that is none', { cache: 7 }],
      ['a number of requests that is none', { requestsPerEndpoint: 0 }],
    ])('%s', (_, options) => {
      expect(() => createBlobSource({ ...given(), ...options } as never)).toThrow(TypeError)
    })

    const query = ['slot', 'root', 'blockHash', 'transaction', 'versionedHashes', 'anchor']
    it.each(
      unreadable([...query, 'signal', 'onProgress', 'deadlineMs'], ['versionedHashes', 'anchor', 'signal']),
    )('in a call: %s', async (_, options) => {
      const source = createBlobSource(given() as never)
      await expect(source.get(options as never)).rejects.toThrow(TypeError)
    })
  })
})

describe('misuse of a verifier', () => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ workers: 1, cache: false })
  })
  afterAll(async () => await verifier.dispose())

  /** Every method, with valid data and whatever options. */
  const methods: [name: string, call: (options: unknown) => Promise<unknown>][] = [
    ['verifyBlobs', (options) => verifier.verifyBlobs([makeBlob(1)], options as object)],
    ['verifyCells', (options) => verifier.verifyCells([makeCell(1, 1)], options as object)],
    ['verifyBlobSidecars', (options) => verifier.verifyBlobSidecars([], options as object)],
    ['verifyDataColumnSidecars', (options) => verifier.verifyDataColumnSidecars([], options as object)],
    ['verifyBlobTransaction', (options) => verifier.verifyBlobTransaction('0x03', options as object)],
  ]
  const root = `0x${'11'.repeat(32)}`
  const header = { slot: '1', proposer_index: '2', parent_root: root, state_root: root, body_root: root }
  const options: [name: string, options: object][] = [
    ['a mode', { mode: 'quick' }],
    ['a mode of null', { mode: null }],
    ['a signal', { signal: {} }],
    ['a signal of null', { signal: null }],
    ['a listener', { onProgress: 'log' }],
    ['an anchor of another type', { anchor: 'latest' }],
    ['an anchor of null', { anchor: null }],
    ['an anchor of nothing', { anchor: {} }],
    ['two anchors at once', { anchor: { commitments: [], versionedHashes: [] } }],
    ['hashes that are no list', { anchor: { versionedHashes: root } }],
    ['hashes that are no hashes', { anchor: { versionedHashes: ['0x01'] } }],
    ['hashes with a hole', { anchor: { versionedHashes: new Array(1) } }],
    ['commitments that are no commitments', { anchor: { commitments: [root] } }],
    ['commitments of another type', { anchor: { commitments: [7] } }],
  ]
  it.each(
    methods.flatMap(([method, call]) => options.map(([name, bad]) => [method, name, call, bad] as const)),
  )('%s: %s', async (_method, _name, call, bad) => {
    await expect(call({ fork: 'osaka', ...bad })).rejects.toThrow(TypeError)
  })

  it.each(methods)('%s: options that are no object', async (_, call) => {
    await expect(call(null)).rejects.toThrow(TypeError)
    await expect(call('cheap')).rejects.toThrow(TypeError)
  })

  const shared = ['anchor', 'signal', 'onProgress', 'mode', 'transfer']
  const itsOwn: { readonly [method in string]?: string[] } = {
    verifyBlobSidecars: ['proposerKey'],
    verifyDataColumnSidecars: ['proposerKey'],
    verifyBlobTransaction: ['fork', 'timestamp', 'source'],
  }
  it.each(
    methods.flatMap(([method, call]) =>
      unreadable([...shared, ...(itsOwn[method] ?? [])], ['anchor', 'signal', 'mode']).map(
        ([name, bad]) => [method, name, call, bad] as const,
      ),
    ),
  )('%s: options that cannot be read: %s', async (_method, _name, call, bad) => {
    await expect(call(bad)).rejects.toThrow(TypeError)
  })

  it.each(methods)('%s: options that are inherited count, too', async (_, call) => {
    await expect(call(Object.create({ fork: 'osaka', mode: 'quick' }))).rejects.toThrow(TypeError)
    await expect(call(Object.create({ fork: 'osaka', anchor: 'latest' }))).rejects.toThrow(TypeError)
  })

  it('warmup: options that make no sense, or cannot be read', async () => {
    for (const bad of [
      null,
      'now',
      { signal: 7 },
      { signal: throwingProxy({}) },
      throwingProxy({}),
    ] as never[])
      await expect(verifier.warmup(bad)).rejects.toThrow(TypeError)
    const pretender = Object.defineProperty(Object.create(AbortSignal.prototype), 'aborted', {
      get: () => {
        throw new RangeError('not yours to read')
      },
    }) as AbortSignal
    await expect(verifier.warmup({ signal: pretender })).rejects.toThrow(TypeError)
  })

  it.each(methods)('%s: undefined options are defaults', async (name, call) => {
    const undefinedOptions = {
      anchor: undefined,
      signal: undefined,
      onProgress: undefined,
      mode: undefined,
      transfer: undefined,
    }
    const needed = name === 'verifyBlobTransaction' ? { fork: 'osaka' } : {}
    await expect(call({ ...needed, ...undefinedOptions })).resolves.toBeDefined()
    if (name !== 'verifyBlobTransaction') await expect(call(undefined)).resolves.toBeDefined()
  })

  const badHeaders: unknown[] = [
    null,
    7,
    '0x',
    root.slice(2),
    new Uint8Array(31),
    new Uint8Array(113),
    {},
    { message: null },
    { message: {} },
    { ...header, slot: -1 },
    { ...header, slot: '0x1' },
    { ...header, slot: '18446744073709551616' },
    { ...header, proposer_index: 1.5 },
    { ...header, body_root: '0x00' },
    { ...header, state_root: undefined },
  ]
  it('a header that is none, of sidecars', async () => {
    for (const bad of badHeaders) {
      const anchor = { header: bad } as never
      await expect(verifier.verifyBlobSidecars([], { anchor })).rejects.toThrow(TypeError)
      await expect(verifier.verifyDataColumnSidecars([], { anchor })).rejects.toThrow(TypeError)
    }
  })

  it('a header, where nothing leads to one', async () => {
    const anchor = { header } as never
    await expect(verifier.verifyBlobs([makeBlob(1)], { anchor })).rejects.toThrow(TypeError)
    await expect(verifier.verifyCells([makeCell(1, 1)], { anchor })).rejects.toThrow(TypeError)
    await expect(verifier.verifyBlobTransaction('0x03', { fork: 'osaka', anchor })).rejects.toThrow(TypeError)
  })

  it('items that are no array', async () => {
    for (const items of [
      undefined,
      null,
      makeBlob(1),
      'blobs',
      new Set(),
      { length: 1 },
      new Uint8Array(9),
    ] as never[]) {
      await expect(verifier.verifyBlobs(items)).rejects.toThrow(TypeError)
      await expect(verifier.verifyCells(items)).rejects.toThrow(TypeError)
    }
    for (const items of [
      undefined,
      7n,
      Symbol('sidecars'),
      new Set(),
      new ArrayBuffer(9),
      Promise.resolve({ data: [] }),
      () => [],
    ] as never[]) {
      await expect(verifier.verifyBlobSidecars(items)).rejects.toThrow(TypeError)
      await expect(verifier.verifyDataColumnSidecars(items)).rejects.toThrow(TypeError)
    }
  })

  it('a transaction without a fork, or of another, or of a time without blobs', async () => {
    const bad = [undefined, {}, { fork: 'shanghai' }, { fork: 'toString' }, { fork: null }, { fork: 2 }]
    const times = [Number.NaN, Number.POSITIVE_INFINITY, '1700000000', null, 0, -1, 1_438_269_988n]
    for (const options of [...bad, ...times.map((timestamp) => ({ timestamp }))] as never[]) {
      await expect(verifier.verifyBlobTransaction('0x03', options)).rejects.toThrow(TypeError)
    }
  })

  it('leaves no trace: nothing was counted, and the verifier still verifies', async () => {
    const fresh = await createVerifier({ workers: 1, cache: false })
    try {
      await expect(fresh.verifyBlobs([makeBlob(1)], { mode: 'quick' as 'cheap' })).rejects.toThrow(TypeError)
      expect(Object.values(fresh.stats()).every((count) => count === 0)).toBe(true)
      expect(await fresh.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid' }])
    } finally {
      await fresh.dispose()
    }
  })
})
