/** The options of a call, as they are read: what each comes to, and what is misuse. */
import { networks } from 'blobcheck'
import { describe, expect, it, vi } from 'vitest'
import type { NetworkConfig } from '../../dist/beacon/networks.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { vouchFor } from '../../dist/verdict/provenance.js'
import {
  progressOf,
  readAnchor,
  readCall,
  readItems,
  readSidecarCall,
  readTransactionCall,
} from '../../dist/verifier/call.js'
import { newCounters } from '../../dist/verifier/stats.js'
import { invented } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'

const network = resolveNetwork(invented)
const root = new Uint8Array(32).fill(5)
const ofBytes = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)
const digits = (length: number, byte: number): string => toHex(ofBytes(length, byte)).slice(2)
const onTrust = { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' } as const
const refused = (call: () => unknown, words: RegExp): void => {
  expect(call).toThrow(TypeError)
  expect(call).toThrow(words)
}

describe('what all calls have in common', () => {
  const readers = {
    readCall,
    readSidecarCall,
    readTransactionCall: (options: object, of: typeof network) =>
      readTransactionCall({ fork: 'osaka', ...options }, of),
  }
  for (const [name, read] of Object.entries(readers) as [
    string,
    (options: object, of: typeof network) => object,
  ][])
    it(`${name}: everything once, nothing twice, and nothing that there is not`, () => {
      const fork = name === 'readTransactionCall' ? 2 : null
      const none = { anchor: { kind: 'none' }, fork, cheap: false, transfer: false, proposerKey: null }
      expect(read({}, network)).toEqual({ ...none, signal: undefined, onProgress: undefined })
      const { signal } = new AbortController()
      const onProgress = (): void => {}
      const all = { anchor: 'none', signal, onProgress, mode: 'cheap', transfer: true }
      expect(read(all, network)).toMatchObject({ ...none, signal, onProgress, cheap: true, transfer: true })
      expect(read({ mode: 'full', transfer: false }, network)).toMatchObject(none)
      for (const transfer of ['true', 1, {}]) expect(read({ transfer }, network)).toMatchObject(none)
      refused(() => read({ sginal: signal }, network), /"sginal" is no option/)
      refused(() => read({ signal: {} }, network), /signal must be/)
      refused(() => read({ onProgress: {} }, network), /onProgress must be/)
      for (const mode of ['Full', null, 1, ''])
        refused(() => read({ mode }, network), /mode must be 'full' or 'cheap'/)
    })

  it('a header leads nowhere without a branch: sidecars alone have one', () => {
    const anchor = { header: root }
    refused(() => readCall({ anchor } as never, network), /without an inclusion branch/)
    refused(
      () => readTransactionCall({ anchor, fork: 'osaka' } as never, network),
      /without an inclusion branch/,
    )
    expect(readSidecarCall({ anchor }, network).anchor).toEqual({
      kind: 'header',
      header: root,
      links: onTrust,
    })
  })
})

describe('an anchor', () => {
  const commitments = [ofBytes(48, 1), toHex(ofBytes(48, 2))]
  const listed = [digits(48, 1), digits(48, 2)]

  it('is nothing, a header, a list, a list with its header, or a block with its header or without', () => {
    expect(readAnchor(undefined, network)).toEqual({ kind: 'none' })
    expect(readAnchor('none', network)).toEqual({ kind: 'none' })
    expect(readAnchor({ header: root }, network)).toEqual({ kind: 'header', header: root, links: onTrust })
    expect(readAnchor({ versionedHashes: [ofBytes(32, 1), toHex(ofBytes(32, 2))] }, network)).toEqual({
      kind: 'versioned-hashes',
      hashes: [digits(32, 1), digits(32, 2)],
    })
    expect(readAnchor({ commitments }, network)).toEqual({ kind: 'commitments', commitments: listed })
    expect(readAnchor({ header: root, commitments }, network)).toEqual({
      kind: 'commitments',
      commitments: listed,
      block: { header: root, links: { ...onTrust, inclusion: 'trusted' } },
    })
    const block = ofBytes(500, 7)
    expect(readAnchor({ block }, network)).toEqual({ kind: 'block', block, header: null })
    const header = { header: root, links: onTrust }
    expect(readAnchor({ block, header: root }, network)).toEqual({ kind: 'block', block, header })
  })

  it('is nothing else', () => {
    const lists = { versionedHashes: [], commitments: [] }
    for (const anchor of [
      null,
      1,
      'all',
      {},
      () => {},
      lists,
      { ...lists, header: root },
      true,
      Symbol.iterator,
    ])
      refused(() => readAnchor(anchor as never, network), /^anchor must be 'none', \{ header \}/)
    for (const anchor of [
      { versionedHashes: [], header: root },
      { block: root, commitments: [] },
    ])
      refused(() => readAnchor(anchor as never, network), /^anchor must be/)
    refused(
      () => readAnchor({ header: root, haeder: root } as never, network),
      /anchor: "haeder" is no option/,
    )
    refused(
      () => readAnchor({ commitments: 'all' } as never, network),
      /anchor\.commitments must be an array/,
    )
    refused(
      () => readAnchor({ versionedHashes: {} } as never, network),
      /anchor\.versionedHashes must be an array/,
    )
    refused(
      () => readAnchor({ commitments: [ofBytes(48, 1), ofBytes(47, 1)] }, network),
      /anchor\.commitments\[1\]/,
    )
    refused(() => readAnchor({ versionedHashes: [ofBytes(48, 1)] }, network), /anchor\.versionedHashes\[0\]/)
  })

  it('has as many entries as a block at most', () => {
    const list = (length: number): Uint8Array[] => Array<Uint8Array>(length).fill(ofBytes(32, 1))
    expect(readAnchor({ versionedHashes: list(4_096) }, network).kind).toBe('versioned-hashes')
    refused(
      () => readAnchor({ versionedHashes: list(4_097) }, network),
      /anchor\.versionedHashes must have 4096 entries at most/,
    )
  })

  it('has the entries that are in its places, whatever its iterator or a Proxy says', () => {
    const odd = Object.defineProperty([...commitments], Symbol.iterator, { value: function* () {} })
    expect(readAnchor({ commitments: odd }, network)).toEqual({ kind: 'commitments', commitments: listed })
    let reads = 0
    const growing = new Proxy(commitments, {
      get: (target, key) => (key === 'length' ? 10 ** reads++ : Reflect.get(target, key)) as unknown,
    })
    expect(readAnchor({ commitments: growing }, network)).toMatchObject({ commitments: [listed[0]] })
    const none = new Proxy([], { get: (_, key) => (key === 'length' ? Number.NaN : undefined) })
    refused(() => readAnchor({ commitments: none }, network), /anchor\.commitments must have 4096 entries/)
  })

  it('has as many bytes as there are, whatever a subclass says', () => {
    class Liar extends Uint8Array {
      override get length(): number {
        return 32
      }
      override subarray(): Uint8Array<ArrayBuffer> {
        return new Uint8Array(3)
      }
    }
    const [short, signed] = [new Liar(5), new Liar(208).fill(5)]
    refused(() => readAnchor({ header: short }, network), /header must be a root of 32 bytes/)
    expect(readAnchor({ header: signed }, network)).toMatchObject({ header: ofBytes(112, 5) })
    refused(() => readAnchor({ versionedHashes: [short] }, network), /versionedHashes\[0\] must be 32 bytes/)
    const header = { slot: 1, proposer_index: 1, parent_root: root, state_root: root, body_root: short }
    refused(() => readAnchor({ header }, network), /header\.body_root must be 32 bytes/)
    // An answer of a beacon node, parsed, and what lies in it around the header.
    const data = { root: toHex(root), canonical: true, header: { message: header, signature: '0x' } }
    for (const wrapped of [{ data, finalized: true }, data])
      refused(
        () => readAnchor({ header: wrapped } as never, network),
        /header must be data\.header of an answer/,
      )
  })

  it('is known by what is on record of a light client’s header, on the network that it is of', () => {
    const links = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'trusted' } as const
    const real = resolveNetwork(networks.holesky)
    const genesisValidatorsRoot = Uint8Array.from(
      Buffer.from(networks.holesky.signing!.genesisValidatorsRoot.slice(2), 'hex'),
    )
    const header = { root: 'whatever it says' }
    const ssz = ofBytes(112, 7)
    vouchFor(header, { ssz, links, genesisValidatorsRoot })
    expect(readAnchor({ header: header as never }, real)).toEqual({ kind: 'header', header: ssz, links })
    // Upper-case digits are the same network.
    const { signing } = networks.holesky
    const shouting: NetworkConfig = {
      ...networks.holesky,
      signing: {
        ...signing!,
        genesisValidatorsRoot: `0x${signing!.genesisValidatorsRoot.slice(2).toUpperCase()}`,
      },
    }
    expect(readAnchor({ header: header as never }, resolveNetwork(shouting))).toMatchObject({ links })
    for (const other of [network, resolveNetwork(networks.sepolia)])
      refused(() => readAnchor({ header: header as never }, other), /of another network/)
  })
})

describe('whose signature is asked for', () => {
  it('is a key of 48 bytes, copied', () => {
    const key = ofBytes(48, 3)
    const read = readSidecarCall({ proposerKey: key }, network)
    key.fill(0)
    expect(read.proposerKey).toEqual(ofBytes(48, 3))
    expect(readSidecarCall({ proposerKey: toHex(ofBytes(48, 4)) }, network).proposerKey).toEqual(
      ofBytes(48, 4),
    )
    const liar = Object.defineProperty(ofBytes(47, 1), 'length', { value: 48 })
    for (const proposerKey of [null, ofBytes(47, 1), liar, ofBytes(49, 1), '0x12', 'key', 48, [...key]])
      refused(() => readSidecarCall({ proposerKey } as never, network), /proposerKey must be 48 bytes/)
  })
})

describe('the fork of a transaction', () => {
  const read = (options: object): unknown => readTransactionCall(options as never, network).fork
  it('is named', () => {
    expect(['deneb', 'cancun', 'electra', 'prague', 'fulu', 'osaka'].map((fork) => read({ fork }))).toEqual([
      0, 0, 1, 1, 2, 2,
    ])
    for (const fork of ['Osaka', 'toString', '', null, 2, ['osaka']])
      refused(
        () => read({ fork }),
        /^unknown fork .*, not one of deneb, cancun, electra, prague, fulu, osaka$/,
      )
  })

  it('or follows from the time', () => {
    const at = (epoch: number): number => 1_000_000 + epoch * 32 * 12
    for (const [epoch, fork] of [
      [0, 0],
      [100, 1],
      [200, 2],
    ] as const) {
      expect(read({ timestamp: at(epoch) })).toBe(fork)
      expect(read({ timestamp: BigInt(at(epoch)) })).toBe(fork)
    }
    expect(read({ timestamp: at(100) - 1 })).toBe(0)
    refused(() => read({ timestamp: 999_999 }), /no blob transactions on this network at 999999/)
    for (const timestamp of [null, '1000000', '0xf4240', Number.NaN, Infinity, {}, at(200) * 1000 + 1e11])
      refused(
        () => read({ timestamp }),
        /^timestamp must be a number or a bigint: seconds, not milliseconds$/,
      )
    for (const timestamp of [BigInt(Date.now()), 1e11 + 1])
      refused(() => read({ timestamp }), /seconds, not milliseconds/)
    expect(read({ timestamp: 1e11 })).toBe(2)
    // One that nobody here knows is none of the others.
    const later = resolveNetwork({ ...invented, forkEpochs: { ...invented.forkEpochs, heze: 400 } })
    const readLater = (options: object): unknown => readTransactionCall(options as never, later).fork
    expect([at(400) - 1, at(400)].map((timestamp) => readLater({ timestamp }))).toEqual([2, null])
  })

  it('is told by one of the two, of which the fork goes first', () => {
    expect(read({ fork: 'osaka', timestamp: 1_000_000 })).toBe(2)
    for (const options of [undefined, {}, { timestamp: undefined }])
      refused(() => read(options as never), /give { fork } or { timestamp }$/)
  })

  it('comes with a source, and with a list that may be of its block’s hashes or commitments', () => {
    const anchor = { versionedHashes: [ofBytes(32, 1)] }
    expect(readTransactionCall({ fork: 'osaka', source: 'Ann', anchor }, network)).toMatchObject({
      source: 'Ann',
      anchor: { kind: 'versioned-hashes' },
    })
    const commitments = [ofBytes(48, 1)]
    expect(readTransactionCall({ fork: 'osaka', anchor: { commitments } }, network).anchor.kind).toBe(
      'commitments',
    )
    for (const wrong of [
      { block: ofBytes(9, 1) },
      { block: ofBytes(9, 1), header: root },
      { header: root, commitments },
    ])
      refused(
        () => readTransactionCall({ fork: 'osaka', anchor: wrong } as never, network),
        /some of its block's: use versionedHashes or commitments/,
      )
  })
})

describe('the items of a call', () => {
  it('are a list of our own, in which what cannot be read is nothing', () => {
    const items = [1, 'two', {}]
    const read = readItems(items)
    expect(read).toEqual(items)
    expect(read).not.toBe(items)
    const trap = new Proxy(items, {
      get: (target, key) => {
        if (key === '1') throw new Error('no')
        return Reflect.get(target, key) as unknown
      },
    })
    expect(readItems(trap)).toEqual([1, null, {}])
    expect(readItems(new Array(3))).toEqual([undefined, undefined, undefined])
  })

  it('are an array, of 1,048,576 at the most', () => {
    for (const items of [null, undefined, {}, 'items', new Uint8Array(2), { length: 1 }, new Set([1])])
      refused(() => readItems(items), /^items must be an array$/)
    expect(readItems(new Array(2 ** 20))).toHaveLength(2 ** 20)
    refused(() => readItems(new Array(2 ** 20 + 1)), /^at most 1048576 items in a call, not 1048577$/)
    const odd = new Proxy([], {
      get: (target, key) => (key === 'length' ? Number.NaN : Reflect.get(target, key)),
    })
    refused(() => readItems(odd), /not NaN/)
  })
})

describe('progress', () => {
  it('is counted by stage, from nothing, and told until the call is aborted', () => {
    const controller = new AbortController()
    const onProgress = vi.fn()
    const tell = progressOf(readCall({ onProgress, signal: controller.signal }, network), 5)
    tell('check', 2)
    tell('kzg', 1)
    tell('check', 3)
    controller.abort()
    tell('kzg', 4)
    expect(onProgress.mock.calls).toEqual([
      [{ stage: 'check', done: 2, total: 5 }],
      [{ stage: 'kzg', done: 1, total: 5 }],
      [{ stage: 'check', done: 5, total: 5 }],
    ])
  })

  it('counters are at zero to begin with', () => {
    expect(Object.values(newCounters())).toEqual(range(15).map(() => 0))
  })
})
