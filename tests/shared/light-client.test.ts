/** The light client as users get it, in Node and in the browser: real chains, through its own `fetch`, on each kernel. */
import type { KernelName } from 'blobcheck'
import {
  LightClient,
  LightClientError,
  type LightClientStorage,
  loadLightClientSpec,
  MemoryStorage,
  type VersionedObject,
} from 'blobcheck/light-client'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Undecodable } from '../../dist/beacon/answer.js'
import type { ObjectKind } from '../../dist/beacon/ssz/light-client-json.js'
import * as recordStore from '../../dist/light-client/store/record-store.js'
import {
  decodeObject,
  decodeUpdates,
  type Forks,
  type LightClientObject,
  splitStream,
} from '../../dist/light-client/worker/decode.js'
import source from '../../ts/src/light-client/errors.ts?raw'
import { concat, flip, toHex } from '../support/bytes.ts'
import { type Bootstrap, capella, now } from '../support/capella.ts'
import { readTestFile, readValue } from '../support/files.ts'
import { lightClientModules, readLightClientModule } from '../support/light-client.ts'
import { turn } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { headerRoot, uint64 as wideUint64 } from '../support/ssz.ts'

const modules = await lightClientModules()
const kernels = modules.map(({ name }) => name as KernelName)

describe('reasons', () => {
  it.each(modules)('of the module $name are those of the union', ({ module }) => {
    const members = source.slice(
      source.indexOf('export type'),
      source.indexOf('\n\n/** What an endpoint did'),
    )
    const union = [...members.matchAll(/\| '([a-z-]+)'/g)].map(([, name]) => name)
    expect(Array.from(module.reasonCodes(), (code) => module.reasonName(code)).sort()).toEqual(union.sort())
  })
})

describe.each(kernels)('LightClient on the kernel %s', (kernel) => {
  it('follows mainnet from a checkpoint to its head, in a worker and without', async () => {
    const { fetch, checkpoint } = await capella()
    for (const worker of [true, false]) {
      const client = await LightClient.fromCheckpoint({
        ...{ checkpoint, fetch, kernel, now, worker, store: false },
        beacon: 'http://recorded.example',
      })
      try {
        const report = await client.sync()
        expect(report.kernel).toBe(kernel)
        expect([client.finalized.slot, client.optimistic.slot]).toEqual([7_109_344, 7_109_431])
        expect(report.endpoints[0]?.failures).toEqual({})
      } finally {
        await client.dispose()
      }
    }
  })
})

/** A module that computes as it should, and under another tag: it refuses true signatures, as a miscompiled one would. */
function withWrongTag(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const tag = new TextEncoder().encode('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
  const at = module.findIndex((_, start) => tag.every((byte, i) => module[start + i] === byte))
  if (at < 0) throw new Error('the tag is not in the module as it used to be')
  return flip(module, at)
}

// Where there is no fast kernel to be wrong, there is nothing to run; `lightClientModules` knows where there must be one.
const fast = kernels.filter((kernel) => kernel !== 'simd128')
for (const kernel of fast) {
  describe(`the module of ${kernel}`, () => {
    it('is not told of as one that cannot be had where the start is called off before it is there', async () => {
      const { fetch, checkpoint } = await capella()
      const simd128 = await WebAssembly.compile(await readAssetBytes('light_client_simd128.wasm'))
      const leave = new AbortController()
      const request = vi.spyOn(globalThis, 'fetch').mockImplementation(
        (_, init) =>
          new Promise((_resolve, reject) => {
            init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error))
            leave.abort()
          }),
      )
      onTestFinished(() => request.mockRestore())
      const onWarning = vi.fn()
      const starting = LightClient.fromCheckpoint({
        ...{ checkpoint, fetch, now, onWarning, worker: false, store: false, signal: leave.signal },
        ...{
          beacon: 'http://recorded.example',
          wasm: { simd128, [kernel]: 'https://modules.example/fast.wasm' },
        },
      })
      await expect(starting).rejects.toMatchObject({ name: 'AbortError' })
      for (let round = 0; round < 10; round++) await turn()
      expect(request).toHaveBeenCalledOnce()
      expect(onWarning).not.toHaveBeenCalled()
    })

    it('accuses no honest endpoint where it is wrong, and is not used again', async () => {
      const { fetch, checkpoint } = await capella()
      const client = await LightClient.fromCheckpoint({
        ...{ checkpoint, fetch, kernel, now, store: false },
        beacon: 'http://recorded.example',
        wasm: { [kernel]: withWrongTag(await readLightClientModule(kernel)) },
      })
      try {
        expect(client.report().kernel).toBe(kernel)
        const report = await client.sync()
        expect(report.kernel).toBe('simd128')
        expect(report.endpoints).toMatchObject([{ state: 'good', failures: {} }])
        expect(client.finalized.slot).toBe(7_109_344)
      } finally {
        await client.dispose()
      }
    })
  })
}

describe('the functions of the specification', () => {
  const file = async (name: string): Promise<VersionedObject> => ({
    version: 'fulu',
    ssz: await readTestFile(`vectors/lightclient/sepolia-fulu/${name}.ssz`),
  })
  const checkpoint = async (): Promise<string> => {
    const { data } = await readValue<Bootstrap>('vectors/lightclient/sepolia-fulu/bootstrap_9552074.json')
    return toHex(await headerRoot(data.header.beacon))
  }

  it.each(['simd128', 'auto'] as const)(
    'work over a store that is bytes, and refuse by reasons: %s',
    async (kernel) => {
      const spec = await loadLightClientSpec({ network: 'sepolia', kernel })
      const [bootstrap, optimistic, update] = [
        await file('bootstrap_9552074'),
        await file('optimistic_update_9552075'),
        await file('update_nonfinal_9552075'),
      ]
      const store = spec.initializeLightClientStore(await checkpoint(), bootstrap)
      expect(spec.view(store)).toMatchObject({ finalized: { slot: 9_552_074 }, nextCommitteeKnown: false })
      const after = spec.processLightClientOptimisticUpdate(store, optimistic, 9_552_076)
      expect(spec.view(after)).toMatchObject({
        optimistic: { slot: 9_552_075 },
        finalized: { slot: 9_552_074 },
      })
      spec.validateLightClientUpdate(store, update, 9_552_076n)
      expect(spec.view(spec.processLightClientUpdate(store, update, 9_552_076)).best).toEqual({
        participants: 459,
        attestedSlot: 9_552_075,
      })
      expect(spec.isBetterUpdate(update, update)).toBe(false)
      expect(spec.processLightClientStoreForceUpdate(store, 9_552_076)).toEqual(store)

      const refused = (task: () => unknown, reason: string): void => {
        expect(task).toThrow(LightClientError)
        expect(task).toThrow(reason)
      }
      refused(() => spec.initializeLightClientStore(new Uint8Array(32), bootstrap), 'trusted-root-mismatch')
      refused(
        () => spec.processLightClientOptimisticUpdate(store, optimistic, 9_552_075),
        'signature-in-future',
      )
      const forged = { ...optimistic, ssz: flip(optimistic.ssz as Uint8Array, 4 + 64 + 5) }
      refused(() => spec.processLightClientOptimisticUpdate(store, forged, 9_552_076), 'signature-mismatch')
      refused(
        () => spec.processLightClientUpdate(store, { ...update, version: 'deneb' }, 9_552_076),
        'object-',
      )
      refused(() => spec.view(store.slice(1)), 'store-encoding')
      // More than it says would overwrite what is behind it in the module's memory.
      class Liar extends Uint8Array {
        override get length(): number {
          return 32
        }
      }
      const long = new Liar(200_000).fill(0xaa)
      refused(() => spec.initializeLightClientStore(long, bootstrap), 'trusted-root-mismatch')
      refused(() => spec.processLightClientUpdate(store, { ...update, ssz: long }, 9_552_076), 'object-')
      refused(() => spec.view(long), 'store-encoding')
      for (const none of [null, undefined, 7, '0x00', [1], { length: 5 }, { length: 2 ** 53 - 1 }]) {
        const other = none as unknown as Uint8Array
        expect(() => spec.view(other)).toThrow(TypeError)
        expect(() => spec.validateLightClientUpdate(other, update, 9_552_076)).toThrow(TypeError)
        expect(() => spec.processLightClientUpdate(other, update, 9_552_076)).toThrow(TypeError)
        expect(() => spec.processLightClientFinalityUpdate(other, update, 9_552_076)).toThrow(TypeError)
        expect(() => spec.processLightClientOptimisticUpdate(other, optimistic, 9_552_076)).toThrow(TypeError)
        expect(() => spec.processLightClientStoreForceUpdate(other, 9_552_076)).toThrow(TypeError)
      }
      expect(spec.initializeLightClientStore(await checkpoint(), bootstrap)).toEqual(store)
      // A server that exposes no `Eth-Consensus-Version` to pages.
      for (const version of [undefined, null, '']) {
        expect(spec.initializeLightClientStore(await checkpoint(), { ...bootstrap, version })).toEqual(store)
        const same = spec.processLightClientOptimisticUpdate(store, { ...optimistic, version }, 9_552_076)
        expect(same).toEqual(after)
        spec.validateLightClientUpdate(store, { ...update, version }, 9_552_076)
        spec.processLightClientUpdate(store, { ...update, version }, 9_552_076)
        expect(spec.isBetterUpdate({ ...update, version }, { ssz: update.ssz })).toBe(false)
      }
      // What an endpoint says is no mistake of the caller's.
      for (const [object, reason] of [
        [{ ...update, version: 'heze' }, 'unsupported-fork'],
        [{ ...update, version: ', fulu' }, 'unsupported-fork'],
        [{ ...update, version: 'phase0' }, 'unsupported-fork'],
        [{ ssz: new Uint8Array(7) }, 'object-length'],
        [{ ssz: new Uint8Array(40_000).fill(0xff) }, 'object-'],
        [{ ssz: new Uint8Array(40_000) }, 'unsupported-fork'], // of slot 0, before light clients
      ] as const) {
        refused(() => spec.initializeLightClientStore(new Uint8Array(32), object), reason)
        refused(() => spec.validateLightClientUpdate(store, object, 1), reason)
        refused(() => spec.processLightClientUpdate(store, object, 1), reason)
        refused(() => spec.processLightClientFinalityUpdate(store, object, 1), reason)
        refused(() => spec.processLightClientOptimisticUpdate(store, object, 1), reason)
        refused(() => spec.isBetterUpdate(object, update), reason)
        refused(() => spec.isBetterUpdate(update, object), reason)
      }
      for (const version of [7, {}, ['fulu'], true]) {
        const object = { ...update, version } as unknown as VersionedObject
        expect(() => spec.initializeLightClientStore(new Uint8Array(32), object)).toThrow(TypeError)
        expect(() => spec.validateLightClientUpdate(store, object, 1)).toThrow('update.version must be')
      }
      for (const none of [null, undefined, 'fulu']) {
        const object = none as unknown as VersionedObject
        expect(() => spec.initializeLightClientStore(new Uint8Array(32), object)).toThrow(
          'bootstrap must be an object',
        )
        expect(() => spec.processLightClientFinalityUpdate(store, object, 1)).toThrow(
          'update must be an object',
        )
        expect(() => spec.isBetterUpdate(update, object)).toThrow(TypeError)
      }
      expect(() => spec.processLightClientUpdate(store, { ...update, ssz: 'zz' }, 1)).toThrow(TypeError)
      for (const slot of [
        -1,
        -(2 ** 40),
        1.5,
        Number.NaN,
        Infinity,
        2 ** 53,
        -1n,
        2n ** 64n,
        2n ** 64n + 9_552_076n,
      ]) {
        const refusing = [
          () => spec.validateLightClientUpdate(store, update, slot),
          () => spec.processLightClientUpdate(store, update, slot),
          () => spec.processLightClientFinalityUpdate(store, update, slot),
          () => spec.processLightClientOptimisticUpdate(store, optimistic, slot),
          () => spec.processLightClientStoreForceUpdate(store, slot),
        ]
        for (const task of refusing) expect(task, String(slot)).toThrow('currentSlot must be a uint64')
      }
      spec.validateLightClientUpdate(store, update, 2n ** 64n - 1n)
    },
  )
})

const uint64 = (value: bigint): Uint8Array => wideUint64(value, 8)

const forks: Forks = {
  ofDigest: (digest) => (digest[0] === 9 ? 2 : null),
  atSlot: () => 4,
  committeeSize: 512,
}
const text = (value: unknown): { form: 'json'; version: null; body: Uint8Array<ArrayBuffer> } => ({
  form: 'json',
  version: null,
  body: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
})

describe('JSON as SSZ', () => {
  const pairs: readonly (readonly [ObjectKind, string])[] = [
    ['bootstrap', 'bootstrap_9552074'],
    ['bootstrap', 'bootstrap_9552075'],
    ['optimistic-update', 'optimistic_update_9552074'],
    ['optimistic-update', 'optimistic_update_9552075'],
    ['update', 'update_nonfinal_9552075'],
  ]
  it.each(pairs)('a %s is the recorded one: %s', async (kind, name) => {
    const path = `vectors/lightclient/sepolia-fulu/${name}`
    const whole = await readValue<Record<string, unknown>>(`${path}.json`)
    const ssz = await readTestFile(`${path}.ssz`)
    expect(decodeObject(kind, text(whole), forks)).toEqual({ fork: 4, ssz })
    // Every field counts: none can be left out, none can be of another type.
    const paths = fieldsOf(whole['data'])
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) {
      for (const value of [undefined, null, 7.5, '0x0', [], { a: 1 }]) {
        const changed = structuredClone(whole)
        replace(changed['data'], path, value)
        expect(() => decodeObject(kind, text(changed), forks), path.join('.')).toThrow(Undecodable)
      }
    }
  })

  it('is nothing else, whatever it is', () => {
    const kinds: ObjectKind[] = ['bootstrap', 'update', 'finality-update', 'optimistic-update']
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (value, kind) => {
        expect(() => decodeObject(kind, text({ version: 'electra', data: value }), forks)).toThrow(
          Undecodable,
        )
        expect(() => decodeObject(kind, text(JSON.stringify(value)), forks)).toThrow(Undecodable)
        if (!Array.isArray(value) || value.length > 0)
          expect(() => decodeUpdates(text(JSON.stringify(value)), 128, forks)).toThrow(Undecodable)
      }),
    )
    for (const bad of [
      '',
      '{',
      '[[[',
      '\u0000',
      '{"version":"__proto__","data":{}}',
      '{"version":4,"data":{}}',
    ])
      expect(() => decodeObject('bootstrap', text(bad), forks)).toThrow(Undecodable)
    const notUtf8 = { ...text(''), body: Uint8Array.of(0xff, 0xfe) }
    expect(() => decodeObject('bootstrap', notUtf8, forks)).toThrow(Undecodable)
  })
})

type Path = readonly (string | number)[]

/** The paths of all values within an object; of lists, of their first and last. */
function fieldsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value))
    return [...new Set([0, value.length - 1])].flatMap((at) => fieldsOf(value[at], [...path, at]))
  if (typeof value !== 'object' || value === null) return [path]
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([key, entry]) => fieldsOf(entry, [...path, key])),
  ]
}

function replace(value: unknown, path: Path, by: unknown): void {
  const [last, ...rest] = [...path].reverse()
  let at = value as Record<string | number, unknown>
  for (const key of rest.reverse()) at = at[key] as typeof at
  if (by === undefined && !Array.isArray(at)) delete at[last!]
  else at[last!] = by
}

/** The declarations of the package leave out what is internal. */
interface Records {
  readonly failures: number
  load(signal: undefined): Promise<{ bootstrap: { ssz: Uint8Array }; store: Uint8Array } | null>
  begin(bootstrap: LightClientObject, updates: readonly LightClientObject[]): void
  save(store: Uint8Array): void
  settle(last: Promise<void>): Promise<void>
}
const { RecordStore } = recordStore as unknown as {
  readonly RecordStore: new (storage: LightClientStorage, owner: recordStore.RecordOwner) => Records
}

describe('what is kept', () => {
  it('is of the three checkpoints that were begun with last, for each network', async () => {
    const storage = new MemoryStorage()
    const store = (genesis: number, checkpoint: number): Records =>
      new RecordStore(storage, {
        genesisValidatorsRoot: new Uint8Array(32).fill(genesis),
        checkpoint: new Uint8Array(32).fill(checkpoint),
      })
    const begin = async (genesis: number, checkpoint: number): Promise<void> => {
      const records = store(genesis, checkpoint)
      records.begin({ fork: 4, ssz: Uint8Array.of(checkpoint) }, [])
      for (const state of [1, 2]) records.save(Uint8Array.of(state))
      await records.settle(Promise.resolve())
      expect(records.failures).toBe(0)
    }
    const kept = async (genesis: number): Promise<number[]> => {
      const all = await Promise.all(
        Array.from({ length: 6 }, async (_, at) => await store(genesis, at).load(undefined)),
      )
      return all.flatMap((record) => (record === null ? [] : [...record.bootstrap.ssz]))
    }
    await begin(9, 0)
    for (const checkpoint of [0, 1, 2, 3]) await begin(7, checkpoint)
    expect([await kept(7), await kept(9)]).toEqual([[1, 2, 3], [0]])
    for (const checkpoint of [1, 4, 5]) await begin(7, checkpoint)
    expect([await kept(7), await kept(9)]).toEqual([[1, 4, 5], [0]])
  })

  it('is no more than that, whether the list failed once or a client goes on that others dropped from it', async () => {
    const values = new Map<string, Uint8Array>()
    const counts = { failing: 1, reads: 0 }
    const storage: LightClientStorage = {
      async get(key) {
        counts.reads++
        if (counts.failing-- > 0) throw new Error('not now')
        return values.get(key) ?? null
      },
      set: async (key, value) => void values.set(key, new Uint8Array(value)),
      delete: async (key) => void values.delete(key),
    }
    const clients = Array.from({ length: 5 }, (_, at) => {
      const checkpoint = new Uint8Array(32).fill(at)
      const records = new RecordStore(storage, { genesisValidatorsRoot: new Uint8Array(32), checkpoint })
      records.begin({ fork: 4, ssz: Uint8Array.of(at) }, [])
      return records
    })
    const save = async (at: number): Promise<void> => {
      clients[at]!.save(Uint8Array.of(1))
      await clients[at]!.settle(Promise.resolve())
    }
    const kept = (): string[] => [...values.keys()].map((key) => key.slice(17, 19)).sort()
    await save(0)
    expect([kept(), clients[0]!.failures]).toEqual([['00'], 1])
    // Another read is all that a write costs.
    counts.reads = 0
    for (const at of [0, 0, 1, 2, 3]) await save(at)
    expect([kept(), counts.reads]).toEqual([['01', '02', '03', 'ch'], 5])
    await save(0)
    expect(kept()).toEqual(['00', '02', '03', 'ch'])
    for (const at of [2, 3, 0, 4]) await save(at)
    expect(kept()).toEqual(['00', '03', '04', 'ch'])
  })

  it('is kept where nothing can be listed or deleted', async () => {
    const values = new Map<string, Uint8Array>()
    const storage = {
      get: async (key: string) => values.get(key) ?? null,
      set: async (key: string, value: Uint8Array) => {
        if (key.endsWith('checkpoints')) throw new Error('full')
        values.set(key, value)
      },
      delete: async () => {},
    }
    const owner = { genesisValidatorsRoot: new Uint8Array(32), checkpoint: new Uint8Array(32) }
    const records = new RecordStore(storage, owner)
    records.begin({ fork: 4, ssz: Uint8Array.of(1) }, [])
    for (const state of [1, 2]) records.save(Uint8Array.of(state))
    await records.settle(Promise.resolve())
    expect(records.failures).toBe(2)
    expect((await new RecordStore(storage, owner).load(undefined))!.store).toEqual(Uint8Array.of(2))
  })
})

describe('the stream of updates', () => {
  const digest = Uint8Array.of(9, 9, 9, 9)
  const chunk = (ssz: Uint8Array): Uint8Array => concat(uint64(BigInt(ssz.length + 4)), digest, ssz)

  it('is split into what it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }), (parts) => {
        const chunks = splitStream(concat(...parts.map(chunk)), 8)
        expect(chunks.map(({ ssz }) => [...ssz])).toEqual(parts.map((part) => [...part]))
        expect(chunks.every((one) => one.digest.length === 4)).toBe(true)
      }),
    )
  })

  it('that is cut is truncated, wherever it is cut', () => {
    const stream = concat(chunk(new Uint8Array(20)), chunk(new Uint8Array(3)))
    for (let length = 1; length < stream.length; length++) {
      if (length === 32) continue // a whole chunk
      expect(() => splitStream(stream.slice(0, length), 8)).toThrow(
        expect.objectContaining({ kind: 'truncated' }),
      )
    }
  })

  it('is split no further than it was asked for', () => {
    const stream = concat(...[4, 5, 6].map((length) => chunk(new Uint8Array(length))), Uint8Array.of(1))
    expect(splitStream(stream, 2).map(({ ssz }) => ssz.length)).toEqual([4, 5])
  })

  it('with absurd lengths or foreign digests is refused', () => {
    for (const length of [0n, 3n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n])
      expect(() => splitStream(concat(uint64(length), new Uint8Array(40)), 8)).toThrow(Undecodable)
    const body = concat(uint64(5n), Uint8Array.of(8, 9, 9, 9, 1))
    expect(() => decodeUpdates({ form: 'ssz', version: null, body }, 8, forks)).toThrow(Undecodable)
  })
})
