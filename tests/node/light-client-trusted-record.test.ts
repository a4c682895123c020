/**
 * `trustCache`: a light client begins where the last session ended, and its links say that this is taken on trust. Whoever can write to the storage
 * may make it stand on something false until an endpoint contradicts that, and no longer.
 */
import { StaleCheckpointError, type MemoryStorage } from 'blobcheck/light-client'
import type { Header } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from '../../dist/light-client/store/record-store.js'
import { makeChain } from '../lodestar/chain.mjs'
import { committeeOf } from '../lodestar/committee.mjs'
import { concat, flip, toHex } from '../support/bytes.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'
import { bootstrapped, holding, keptClients, ownerOf } from '../support/kept-clients.ts'

const chain = makeChain({ periods: 2 })
const { restart, record } = keptClients(chain)

describe('trustCache', () => {
  it('begins where the last session ended, and says that it was taken on trust', async () => {
    const { key, bytes } = await record()
    const again = await restart(await holding(key, bytes), { trustCache: true })
    expect(again.server.asked).toEqual([])
    expect(again.client.finalized.slot).toBe(chain.finalized.slot)
    const onTrust = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
    expect(again.client.finalized.links).toEqual(onTrust)
    expect(again.client.optimistic.links).toEqual(onTrust)
  })

  it('is as fresh as its newest header; what is verified again is as fresh as the checkpoint', async () => {
    const { key, bytes } = await record()
    const store = await holding(key, bytes)
    const epochs = Math.floor(chain.bootstrap.header.beacon.slot / 32) + 3540
    const now = (): number => (chain.network.genesisTime + epochs * 32 * 12) * 1000
    await expect(restart(store, { allowStale: false, now })).rejects.toBeInstanceOf(StaleCheckpointError)
    const { client } = await restart(store, { allowStale: false, now, trustCache: true })
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('does not make a broken store one', async () => {
    const { key, bytes } = await record()
    const again = await restart(await holding(key, flip(bytes, bytes.length - 10)), { trustCache: true })
    const isHead = again.client.finalized.slot === chain.finalized.slot
    expect(isHead || bootstrapped(again)).toBe(true)
    const cut = await restart(await holding(key, bytes.slice(0, -1)), { trustCache: true })
    expect(bootstrapped(cut)).toBe(true)
  })

  it('does not take a store by which more had signed than a committee has', async () => {
    const { key, bytes } = await record()
    // Where the store begins, and how many signed in the period before and in this one.
    const start = Buffer.from(bytes).indexOf('LCS\x01', 0, 'latin1')
    for (const at of [36, 44]) {
      const again = await restart(await holding(key, flip(bytes, start + at + 7)), { trustCache: true })
      expect(again.client.finalized.links.header).toBe('verified')
      await again.client.sync()
      expect(again.client.optimistic.slot).toBe(chain.optimistic.slot)
    }
  })
})

describe('trustCache and a record that someone has replaced', () => {
  const verified = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' }
  const onTrust = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
  const trusting = { trustCache: true, allowStale: false }

  /** The record with another store. */
  async function withStore(change: (store: Uint8Array) => void): Promise<MemoryStorage> {
    const { key, bytes } = await record()
    const { store, ...rest } = decodeRecord(ownerOf(chain), bytes)!
    change(store)
    return await holding(key, encodeRecord(ownerOf(chain), { ...rest, store }))
  }

  /** Whatever is signed from now on is signed by others. */
  function exchangeCommittees(store: Uint8Array): void {
    const stranger = committeeOf(99).pubkeys
    let count = 0
    for (const period of [12, 13]) {
      const [first] = committeeOf(period).pubkeys
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(first!)
      if (at < 0) continue
      store.set(concat(...stranger, committeeOf(99).aggregatePubkey), at)
      count++
    }
    expect(count).toBeGreaterThan(0)
  }

  /** Another state in the newest header of a kind. */
  const exchangeState =
    (name: 'finalized' | 'optimistic') =>
    (store: Uint8Array): void => {
      const { stateRoot } = chain[name].header.beacon
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(stateRoot)
      expect(at).toBeGreaterThanOrEqual(0)
      store.set(flip(stateRoot, 5), at)
    }

  /** The slot of a header in the store, which its roots give away. */
  const setSlot =
    (slot: number) =>
    (store: Uint8Array): void => {
      const { stateRoot } = chain.finalized.header.beacon
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(stateRoot) - 48
      expect(at).toBeGreaterThanOrEqual(0)
      const view = new DataView(store.buffer, store.byteOffset)
      expect(view.getBigUint64(at, true)).toBe(BigInt(chain.finalized.slot))
      view.setBigUint64(at, BigInt(slot), true)
    }

  it('finds out by what honest endpoints say, who are not distrusted for it, and keeps what is true', async () => {
    const store = await withStore(exchangeCommittees)
    const again = await restart(store, trusting)
    expect(again.client.finalized.links).toEqual(onTrust)
    const report = await again.client.sync()
    expectHead(report, chain)
    expect(report.endpoints[0]).toMatchObject({ state: 'good' })
    // What the record had besides was true: nothing of the way is fetched.
    expect(bootstrapped(again)).toBe(false)
    await again.client.dispose()
    const next = await restart(store, trusting)
    await next.client.sync()
    expect(next.client.finalized.slot).toBe(chain.finalized.slot)
    expect(next.client.report().endpoints[0]!.failures).toEqual({})
  })

  it.each(['finalized', 'optimistic'] as const)(
    'finds out by another block in the slot of its %s header, of which nobody is accused',
    async (name) => {
      const again = await restart(await withStore(exchangeState(name)), trusting)
      const believed = again.client[name]
      expect(believed).toMatchObject({ slot: chain[name].slot, links: onTrust })
      expect(believed.root).not.toBe(toHex(chain[name].root))
      const report = await again.client.sync()
      expectHead(report, chain)
      expect(again.client[name].root).toBe(toHex(chain[name].root))
      expect(report.disagreements).toEqual([])
      expect(report.endpoints).toMatchObject([{ state: 'good', failures: {} }])
    },
  )

  it('says so where it cannot begin anew: the endpoint contradicts what the client stands on', async () => {
    // The checkpoint is older than that.
    const terms = { ...trusting, weakSubjectivityEpochs: 300 }
    const again = await restart(await withStore(exchangeState('finalized')), terms)
    const { root, slot } = again.client.finalized
    const { disagreements } = await again.client.sync()
    const answers = [
      { endpoint: 'this client', root },
      { endpoint: again.server.url, root: toHex(chain.finalized.root) },
    ]
    expect(disagreements).toMatchObject([{ slot, answers }])
    expect(again.client.finalized).toMatchObject({ root, links: onTrust })
  })

  it('is not answered for once it is found out: what led back from it is forgotten', async () => {
    const [parent] = chain.ancestors.slice(-1)
    const stray = chain.block(parent!.slot, undefined, { parentRoot: new Uint8Array(32).fill(9) })
    const store = await withStore((bytes) => {
      exchangeCommittees(bytes)
      const { stateRoot } = chain.finalized.header.beacon
      bytes.set(stray.root, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(stateRoot) - 32)
    })
    const oracle = chain.oracle({ strays: [stray] })
    const server = await startServer(oracle)
    const client = await startClient(chain, server.url, { store, ...trusting })
    const believed = client.finalized
    const before = await client.headerAt(stray.slot)
    expect(before).toMatchObject({ header: { root: toHex(stray.root), finalized: true, links: onTrust } })
    expectHead(await client.sync(), chain)
    const after = { header: { root: toHex(parent!.root), finalized: true, links: verified } }
    expect(await client.headerAt(stray.slot)).toMatchObject(after)
    // Nor is it once more, by way of a header that was handed out.
    const { json } = oracle(new URL(`http://x/eth/v1/beacon/headers/${toHex(stray.root)}`))!
    const { message } = (json as { data: { header: { message: Header } } }).data.header
    expect(await client.trustAncestors([message], believed)).toMatchObject([{ links: onTrust }])
    expect(await client.headerAt(stray.slot)).toMatchObject(after)
  })

  it('is forgotten where it was true, too: what is verified by now says so', async () => {
    const { key, bytes } = await record()
    const forged = {
      ...chain.optimisticUpdate.update,
      attestedHeader: chain.block(chain.headSlot - 1).header,
    }
    const liar = await startServer(chain.oracle({ optimistic: forged }))
    const honest = await startServer(chain.oracle())
    const terms = { store: await holding(key, bytes), ...trusting }
    const client = await startClient(chain, [honest.url, liar.url], terms)
    const { slot } = chain.ancestors.at(-1)!
    expect(await client.headerAt(slot)).toMatchObject({ header: { links: onTrust } })
    await client.sync()
    expect(await client.headerAt(slot)).toMatchObject({ header: { links: verified } })
  })

  it('is stood on where the checkpoint is too old to begin anew, and the next start has it, too', async () => {
    const { key, bytes } = await record()
    const { bootstrap, ...rest } = decodeRecord(ownerOf(chain), bytes)!
    const ssz = flip(bootstrap.ssz, 5_000) as Uint8Array<ArrayBuffer>
    const damaged = encodeRecord(ownerOf(chain), { ...rest, bootstrap: { ...bootstrap, ssz } })
    const forged = {
      ...chain.optimisticUpdate.update,
      attestedHeader: chain.block(chain.headSlot - 1).header,
    }
    const liar = await startServer(chain.oracle({ optimistic: forged }))
    const honest = await startServer(chain.oracle())
    const terms = { store: await holding(key, damaged), ...trusting, weakSubjectivityEpochs: 8 }
    const client = await startClient(chain, [honest.url, liar.url], terms)
    await client.sync()
    expect(client.report().endpoints[1]!.failures).toEqual({ invalid: 1 })
    expect(client.finalized.links).toEqual(onTrust)
    await client.dispose()
    const again = await startClient(chain, honest.url, terms)
    expect(again.finalized.slot).toBe(chain.finalized.slot)
  })

  it('begins at the checkpoint where nothing of the record is true', async () => {
    const { key, bytes } = await record()
    const { bootstrap, store, updates } = decodeRecord(ownerOf(chain), bytes)!
    exchangeCommittees(store)
    const ssz = flip(bootstrap.ssz, 5_000) as Uint8Array<ArrayBuffer>
    const bad = encodeRecord(ownerOf(chain), { bootstrap: { ...bootstrap, ssz }, updates, store })
    const again = await restart(await holding(key, bad), trusting)
    expectHead(await again.client.sync(), chain)
    expect(bootstrapped(again)).toBe(true)
  })

  it.each([
    ['of the future', 2 ** 40],
    ['as old as the chain', 0],
  ])('does not believe one %s', async (_name, slot) => {
    const terms = { ...trusting, weakSubjectivityEpochs: 1_000 }
    const again = await restart(await withStore(setSlot(slot)), terms)
    expect(again.client.finalized.links).toEqual(verified)
    expect(again.client.finalized.slot).toBe(chain.updates.at(-1)!.finalizedHeader.beacon.slot)
  })

  it('loses nothing by an endpoint that lies, but that the record is verified after all', async () => {
    const { key, bytes } = await record()
    const forged = chain.block(chain.headSlot - 1).header
    const optimistic = { ...chain.optimisticUpdate.update, attestedHeader: forged }
    const liar = await startServer(chain.oracle({ optimistic }))
    const honest = await startServer(chain.oracle())
    const both = [liar.url, honest.url]
    const terms = { store: await holding(key, bytes), ...trusting }
    const client = await startClient(chain, both, terms)
    expect(client.finalized.links).toEqual(onTrust)
    expectHead(await client.sync(), chain)
    // Where the checkpoint is too old to begin there again, what was believed is.
    const old = await startClient(chain, both, {
      ...{ ...terms, store: await holding(key, bytes), weakSubjectivityEpochs: 300 },
    })
    await old.sync()
    expect(old.finalized).toMatchObject({ slot: chain.finalized.slot, links: onTrust })
  })
})
