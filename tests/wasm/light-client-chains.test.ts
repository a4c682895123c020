/** Real chains, Capella to Fulu, in both of the light client's modules. */
import { describe, expect, it } from 'vitest'
import type { Portable } from '../../dist/util/portable.js'
import { type ObjectKind, objectSsz } from '../../dist/beacon/ssz/light-client-json.js'
import { flip } from '../support/bytes.ts'
import { listVectors, readTestFile, readValue } from '../support/files.ts'
import { lightClientModules } from '../support/light-client.ts'
import {
  FAR,
  header,
  mainnet,
  processUpdates,
  rootOf,
  sepolia,
  stream,
  thrown,
  type Update,
} from '../support/module-calls.ts'

const modules = await lightClientModules()

/** An answer of the Beacon API. */
interface Answer {
  readonly version: string
  readonly data: Portable
}

describe.each(modules)('real chains in the module $name', ({ name, module }) => {
  it('verifies 46 periods of mainnet in one product', async () => {
    const folder = 'lightclient/mainnet-deneb'
    const names = await listVectors(folder)
    const file = async (part: string): Promise<Uint8Array> =>
      await readTestFile(`vectors/${folder}/${names.find((name) => name.includes(part)) ?? ''}`)
    const bootstrap = await file('bootstrap')
    const updates = stream(module, mainnet, await file('updates'))
    const start = module.initializeStore(mainnet, 2, rootOf(module, bootstrap), bootstrap)

    const began = performance.now()
    const all = processUpdates(module, mainnet, start, updates)
    // Reported, not judged: tests/bench/periods.mjs measures it beside blst.
    console.info(`${name}: ${((performance.now() - began) / 46).toFixed(1)} ms an update, of 46 periods`)
    expect([all.reason, all.count]).toEqual(['', 46])
    const view = module.storeView(mainnet, all.store)
    expect(view).toHaveLength(544)
    expect(new DataView(view.buffer, view.byteOffset).getBigUint64(480, true)).toBe(1392n)

    // In steps that another instance could take, since a store is bytes.
    const four = processUpdates(module, mainnet, start, updates.slice(0, 4))
    const two = processUpdates(module, mainnet, start, updates.slice(0, 2))
    const rest = processUpdates(module, mainnet, two.store, updates.slice(2, 4))
    expect([two.count, rest.count]).toEqual([2, 2])
    expect(rest.store).toEqual(four.store)

    const forged = updates.map((update, at) =>
      at === 2 ? { ...update, ssz: flip(update.ssz, 4 + 48 * 513 + 160 + 4 + 192 + 64 + 50) } : update,
    )
    const stopped = processUpdates(module, mainnet, start, forged.slice(0, 5))
    expect([stopped.reason, stopped.count]).toEqual(['signature-mismatch', 2])
    const cut = [...updates.slice(0, 2), { fork: 2, ssz: new Uint8Array(7) }, ...updates.slice(2, 4)]
    const unread = processUpdates(module, mainnet, start, cut)
    expect(unread).toEqual({ ...stopped, reason: 'object-length' })
    // No update may be left out unseen: each has a fork and a length, which say what all of the bytes are.
    const [first] = updates as [Update]
    for (const [forks, lengths] of [
      [[], [first.ssz.length]],
      [[first.fork, first.fork], [first.ssz.length]],
      [[first.fork], [first.ssz.length - 1]],
      [[first.fork], [first.ssz.length + 1]],
      [[], []],
    ] as const) {
      const call = (): unknown =>
        module.processUpdates(
          mainnet,
          start,
          Uint8Array.from(forks),
          first.ssz,
          Uint32Array.from(lengths),
          FAR,
          new Uint8Array(32),
        )
      expect(thrown(module, call)).toEqual(['object-length', 0])
    }
    expect(thrown(module, () => processUpdates(module, sepolia, start, updates))).toEqual([
      'store-network',
      0,
    ])

    const [a, b] = updates as [Update, Update]
    expect(module.validateUpdate(mainnet, start, a.fork, a.ssz, FAR)).toBe(0)
    const refusal = (ssz: Uint8Array, slot: bigint): string =>
      module.reasonName(module.validateUpdate(mainnet, start, 2, ssz, slot))
    expect(refusal(a.ssz, 11034656n)).toBe('signature-in-future')
    expect(refusal(b.ssz, FAR)).toBe('period-unknown')
    expect([module.isBetterUpdate(mainnet, 2, a.ssz, 2, a.ssz)]).toEqual([false])
    const update = module.updateView(mainnet, 0, 2, a.ssz)
    expect(update).toHaveLength(520)
    expect(header(update, 0).slot).toBeGreaterThan(header(update, 240).slot)
  })

  it('takes mainnet’s objects of Capella', async () => {
    const json = async <T>(name: string): Promise<T> =>
      await readValue<T>(`vectors/lightclient/mainnet-capella/${name}.json`)
    const ssz = (kind: ObjectKind, { version, data }: Answer): Uint8Array => {
      expect(version).toBe('capella')
      return objectSsz(kind, 1, data)
    }
    const bootstrap = ssz('bootstrap', await json('bootstrap'))
    const start = module.initializeStore(mainnet, 1, rootOf(module, bootstrap), bootstrap)
    const updates = (await json<Answer[]>('updates')).map((answer) => ({
      fork: 1,
      ssz: ssz('update', answer),
    }))
    const processed = processUpdates(module, mainnet, start, updates)
    expect([processed.reason, processed.count]).toEqual(['', updates.length])
    const finality = ssz('finality-update', await json('finality'))
    const finalized = module.processFinalityUpdate(mainnet, processed.store, 1, finality, FAR)
    const said = module.updateView(mainnet, 1, 1, finality)
    expect(header(module.storeView(mainnet, finalized), 0)).toEqual(header(said, 240))
    const optimistic = ssz('optimistic-update', await json('optimistic'))
    const after = module.processOptimisticUpdate(mainnet, finalized, 1, optimistic, FAR)
    const told = header(module.updateView(mainnet, 2, 1, optimistic), 0)
    expect(header(module.storeView(mainnet, after), 240)).toEqual(told)
    // Behind an offset, the finalized header's offset and branch, and the bits.
    const forged = flip(finality, 4 + 4 + 192 + 64 + 50)
    const refused = (): unknown => module.processFinalityUpdate(mainnet, processed.store, 1, forged, FAR)
    expect(thrown(module, refused)).toEqual(['signature-mismatch', 0])
  })

  it('takes updates of Electra', async () => {
    const file = (name: string): Promise<Uint8Array> =>
      readTestFile(`vectors/lightclient/mainnet-electra/${name}.ssz`)
    const single = async (name: string): Promise<Update> => {
      const [update, ...others] = stream(module, mainnet, await file(name))
      if (update === undefined || others.length > 0) throw new Error(`${name} is not one update`)
      return update
    }
    const bootstrap = await file('bootstrap_period_1600')
    const start = module.initializeStore(mainnet, 3, rootOf(module, bootstrap), bootstrap)
    const update = await single('update_period_1600')
    expect(update.fork).toBe(3)
    const after = processUpdates(module, mainnet, start, [update])
    expect([after.reason, after.count]).toEqual(['', 1])
    const known = (store: Uint8Array): bigint => {
      const view = module.storeView(mainnet, store)
      return new DataView(view.buffer, view.byteOffset).getBigUint64(496, true)
    }
    expect([known(start), known(after.store)]).toEqual([0n, 1n])
    const forged = { ...update, ssz: flip(update.ssz, 4 + 48 * 513 + 192 + 4 + 224 + 64 + 50) }
    const refused = processUpdates(module, mainnet, start, [forged])
    expect([refused.reason, refused.count]).toEqual(['signature-mismatch', 0])
    // Deneb's containers have shorter branches: as one of them it cannot be read.
    const renamed = processUpdates(module, mainnet, start, [{ ...update, fork: 2 }])
    expect([renamed.reason, renamed.count]).toEqual(['object-offsets', 0])

    // Their committees were not recorded: what can be asked of them is to be read, and to be ranked.
    const others = ['update_period_1572', 'update_period_1573', 'update_period_1574']
    const stream1422 = 'eth_v1_beacon_light_client_updates_start_period_1422_count_1'
    for (const name of [...others, stream1422]) {
      const { fork, ssz } = await single(name)
      const view = module.updateView(mainnet, 0, fork, ssz)
      expect(new DataView(view.buffer, view.byteOffset).getBigUint64(496, true)).toBe(
        BigInt(/period_(\d+)/.exec(name)?.[1] ?? 0),
      )
      expect(processUpdates(module, mainnet, start, [{ fork, ssz }]).count).toBe(0)
    }
  })

  it('takes Sepolia’s optimistic updates of Fulu', async () => {
    const read = async (name: string): Promise<Uint8Array> =>
      await readTestFile(`vectors/lightclient/sepolia-fulu/${name}.ssz`)
    const bootstrap = await read('bootstrap_9552074')
    const store = module.initializeStore(sepolia, 4, rootOf(module, bootstrap), bootstrap)
    const update = await read('optimistic_update_9552075')
    const after = module.processOptimisticUpdate(sepolia, store, 4, update, 9552076n)
    expect(header(module.storeView(sepolia, after), 240).slot).toBe(9552075)
    expect(header(module.updateView(sepolia, 2, 4, update), 0).slot).toBe(9552075)
    const early = (): unknown => module.processOptimisticUpdate(sepolia, store, 4, update, 9552075n)
    expect(thrown(module, early)).toEqual(['signature-in-future', 0])
    const flipped = (): unknown =>
      module.processOptimisticUpdate(sepolia, store, 4, flip(update, 4 + 64 + 10), 9552076n)
    expect(thrown(module, flipped)).toEqual(['signature-mismatch', 0])

    // 459 of 512 signed; it brings a committee, and no finalized header.
    const nonfinal = await read('update_nonfinal_9552075')
    const kept = processUpdates(module, sepolia, store, [{ fork: 4, ssz: nonfinal }], 9552076n)
    expect([kept.reason, kept.count]).toEqual(['', 1])
    const view = module.storeView(sepolia, kept.store)
    expect([header(view, 0).slot, header(view, 240).slot]).toEqual([9552074, 9552075])
    expect(new DataView(view.buffer, view.byteOffset).getBigUint64(520, true)).toBe(459n)
  })
})
