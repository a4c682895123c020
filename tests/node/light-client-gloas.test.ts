/** `LightClient` over the fork to Gloas, on a chain that another implementation's types have made. */
import type { NetworkConfig } from 'blobcheck'
import {
  BeaconUnavailableError,
  loadLightClientSpec,
  MemoryStorage,
  UnsupportedForkError,
} from 'blobcheck/light-client'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BeaconAnswer } from '../../dist/beacon/request.js'
import type { ForkIndex, ObjectKind } from '../../dist/beacon/ssz/light-client-json.js'
import { decodeObject, type Forks } from '../../dist/light-client/worker/decode.js'
import { type Chain, makeChain, parentHashAt } from '../lodestar/chain.mjs'
import type { Oracle, Told } from '../support/beacon-server.ts'
import { toHex } from '../support/bytes.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'

/** The finalized block is in slot 13 · 8192 + 3200: of epoch 3428, and what attests to it is two epochs later. */
const FINAL_EPOCH = 3428

let mixed: Chain
let after: Chain
beforeAll(() => {
  mixed = makeChain({ periods: 3, forkEpochs: { gloas: FINAL_EPOCH + 1 } })
  after = makeChain({ periods: 3, forkEpochs: { electra: 2600, fulu: 2900, gloas: 3100 } })
})

const inForm = (oracle: Oracle, form: 'ssz' | 'json' | 'silent'): Oracle => {
  return (url) => {
    const told = oracle(url)
    if (told === null || form === 'ssz') return told
    // A browser does not see the header that names the version where the server does not expose it.
    if (form === 'silent') {
      const { version: _, ...silent } = told as { version?: string } & typeof told
      return silent as typeof told
    }
    return { ...told, ssz: null }
  }
}

describe.each(['ssz', 'silent', 'json'] as const)('a chain that comes to Gloas, in %s', (form) => {
  it('is followed from Deneb to its head', async () => {
    const server = await startServer(inForm(after.oracle(), form))
    const client = await startClient(after, server.url)
    expect(client.finalized).toMatchObject({ parentExecutionBlockHash: null, execution: { blobGasUsed: 0 } })
    const report = await client.sync()
    expectHead(report, after)
    expect(report.endpoints[0]?.failures).toEqual({})
    for (const [header, block] of [
      [client.finalized, after.finalized],
      [client.optimistic, after.optimistic],
    ] as const)
      // The hash is of before the block: nothing is said of a payload of its own.
      expect(header).toMatchObject({
        root: toHex(block.root),
        execution: null,
        parentExecutionBlockHash: toHex(parentHashAt(block.slot)),
      })
  })

  it('is followed while what is final is of before the fork', async () => {
    const server = await startServer(inForm(mixed.oracle(), form))
    const client = await startClient(mixed, server.url)
    expectHead(await client.sync(), mixed)
    // The update has the older header in Gloas's form: no more than a hash is known of its payload.
    expect(client.finalized).toMatchObject({
      root: toHex(mixed.finalized.root),
      execution: null,
      parentExecutionBlockHash: null,
    })
    expect(client.optimistic.parentExecutionBlockHash).toBe(toHex(parentHashAt(mixed.optimistic.slot)))
  })
})

describe('a lie about the hash', () => {
  it('is told from the truth, and its teller named', async () => {
    const attestedHeader = {
      ...after.optimisticUpdate.update.attestedHeader,
      executionBlockHash: new Uint8Array(32).fill(7),
    }
    const lie = { ...after.optimisticUpdate.update, attestedHeader }
    const liar = await startServer(after.oracle({ optimistic: lie }))
    const honest = await startServer(after.oracle())
    const client = await startClient(after, [liar.url, honest.url])
    const report = await client.sync()
    expectHead(report, after)
    expect(report.endpoints[0]?.lastFailure?.detail).toBe('execution-mismatch')
    expect(report.endpoints[1]?.failures).toEqual({})
  })
})

describe('what was kept before the fork', () => {
  it.each([false, true])('is gone on from after it, with trustCache %s', async (trustCache) => {
    const store = new MemoryStorage()
    // As long before the fork as nodes have nothing newer than the last period's update.
    const last = mixed.updates.at(-1)!
    const { attestedHeader, syncAggregate, signatureSlot } = last
    const optimistic = { attestedHeader, syncAggregate, signatureSlot }
    const old = await startServer(mixed.oracle({ finality: last, optimistic }))
    const early = await startClient(mixed, old.url, { store })
    await early.sync()
    expect(early.optimistic.slot).toBe(attestedHeader.beacon.slot)
    expect(early.finalized.execution?.blockNumber).toBe(early.finalized.slot + 7)
    await early.dispose()
    const server = await startServer(mixed.oracle())
    const client = await startClient(mixed, server.url, { store, trustCache })
    const report = await client.sync()
    expect(report.optimistic.slot).toBe(mixed.optimistic.slot)
    expect(client.optimistic.parentExecutionBlockHash).not.toBeNull()
    // Nothing that was kept is asked for again.
    expect(server.asked.some(({ path }) => path.includes('bootstrap'))).toBe(false)
    await client.dispose()
    // And once more, from what was kept after the fork.
    const later = await startServer(mixed.oracle())
    const again = await startClient(mixed, later.url, { store, trustCache })
    expect((await again.sync()).optimistic.slot).toBe(mixed.optimistic.slot)
    expect(later.asked.some(({ path }) => path.includes('bootstrap'))).toBe(false)
  })
})

describe('a fork that is not known', () => {
  /** Whatever is said of the head is said in another version. */
  const renamed =
    (oracle: Oracle, version: string): Oracle =>
    (url) => {
      const told = oracle(url)
      if (told === null || !url.pathname.includes('_update')) return told
      return { ...told, version, json: { ...(told.json as object), version } }
    }

  it('by its version accuses nobody, and is named with the epoch', async () => {
    const server = await startServer(renamed(after.oracle(), 'heze'))
    const client = await startClient(after, server.url)
    const failed = client.sync()
    await expect(failed).rejects.toBeInstanceOf(UnsupportedForkError)
    await expect(failed).rejects.toBeInstanceOf(BeaconUnavailableError)
    await expect(failed).rejects.toMatchObject({
      name: 'UnsupportedForkError',
      epoch: Math.floor(after.headSlot / 32),
      message: expect.stringMatching(
        /^a fork that this version does not know, at epoch \d+ or before; no beacon/,
      ) as unknown,
      failures: [{ kind: 'unsupported-fork' }, { kind: 'unsupported-fork' }],
    })
    const [endpoint] = client.report().endpoints
    expect(endpoint?.failures).toEqual({ 'unsupported-fork': 2 })
    expect(endpoint?.state).toBe('good')
  })

  it.each(['Gloas', 'GLOAS'])('is none that is known, however it is written: %s', async (version) => {
    for (const form of ['ssz', 'json'] as const) {
      const server = await startServer(inForm(renamed(after.oracle(), version), form))
      const client = await startClient(after, server.url)
      expectHead(await client.sync(), after)
    }
  })

  it('is not the first one, which had no light clients: who names it is named for it', async () => {
    for (const form of ['ssz', 'json'] as const) {
      const server = await startServer(inForm(renamed(after.oracle(), 'phase0'), form))
      const client = await startClient(after, server.url)
      const failed = client.sync()
      await expect(failed).rejects.toMatchObject({ name: 'BeaconUnavailableError' })
      expect(Object.keys(client.report().endpoints[0]?.failures ?? {})).toEqual(['malformed'])
    }
  })

  const isItTheNetwork =
    /^is `network` \(default mainnet\) that of these endpoints\? Else its config, or this version, is too old/

  it('is that of another network, perhaps, which is asked first', async () => {
    const server = await startServer(after.oracle())
    const signing = { ...after.network.signing!, genesisValidatorsRoot: `0x${'43'.repeat(32)}` }
    const client = await startClient(after, server.url, { network: { ...after.network, signing } })
    await expect(client.sync()).rejects.toMatchObject({
      name: 'UnsupportedForkError',
      message: expect.stringMatching(isItTheNetwork) as unknown,
    })
    // In JSON there is no digest: what all endpoints say looks false.
    const inJson = await startServer(inForm(after.oracle(), 'json'))
    const other = await startClient(after, inJson.url, { network: { ...after.network, signing } })
    await expect(other.sync()).rejects.toMatchObject({
      name: 'BeaconUnavailableError',
      message: expect.stringMatching(
        /; is `network` \(default mainnet\) that of these endpoints\?$/,
      ) as unknown,
    })
  })

  it('is not believed of one endpoint alone, where others failed otherwise', async () => {
    const strange = await startServer((url) => {
      const told = after.oracle()(url)
      return told && { ...told, version: 'heze' }
    })
    const down = await startServer(after.oracle(), (_, __, response) => void response.writeHead(503).end())
    const without = await startServer(() => null)
    const told = (beacon: string[]): Promise<Error> =>
      startClient(after, beacon).then(
        () => expect.unreachable(),
        (error: Error) => error,
      )
    const alone = await told([strange.url, without.url])
    expect(alone).toBeInstanceOf(UnsupportedForkError)
    const mixed = await told([strange.url, without.url, down.url])
    expect(mixed.name).toBe('BeaconUnavailableError')
    expect(mixed.message).toMatch(/; or a fork that this version does not know, at epoch \d+ or before$/)
  })

  it('of one endpoint stops no other', async () => {
    const strange = await startServer(renamed(after.oracle(), 'heze'))
    const honest = await startServer(after.oracle())
    const client = await startClient(after, [strange.url, honest.url])
    expectHead(await client.sync(), after)
  })

  it.each([
    ['accuses nobody', 3300, 3100, 3072],
    ['accuses nobody before Gloas has a date, either', 3000, Infinity, 2560],
  ])('by its epoch in the config %s', async (_, epoch, gloas, least) => {
    const network: NetworkConfig = {
      ...after.network,
      forkEpochs: { ...after.network.forkEpochs, gloas, heze: epoch },
    }
    for (const form of ['ssz', 'silent', 'json'] as const) {
      const server = await startServer(inForm(after.oracle(), form))
      const client = await startClient(after, server.url, { network })
      await expect(client.sync()).rejects.toMatchObject({
        ...{ name: 'UnsupportedForkError', epoch },
        message: expect.stringContaining(
          `a fork that this version does not know, at epoch ${epoch}`,
        ) as unknown,
      })
      // What is of before that fork was followed.
      expect(client.finalized.slot).toBeGreaterThan(least * 32)
      expect(client.finalized.slot).toBeLessThan(epoch * 32)
      const { failures = {} } = client.report().endpoints[0] ?? {}
      expect(Object.keys(failures)).toEqual(['unsupported-fork'])
    }
  })

  it('is Gloas, too, where the config has no date for it', async () => {
    const { gloas: _, ...forkEpochs } = after.network.forkEpochs
    for (const form of ['ssz', 'json'] as const) {
      const server = await startServer(inForm(after.oracle(), form))
      const client = await startClient(after, server.url, { network: { ...after.network, forkEpochs } })
      await expect(client.sync()).rejects.toMatchObject({
        name: 'UnsupportedForkError',
        message: expect.stringMatching(isItTheNetwork) as unknown,
      })
      expect(Object.keys(client.report().endpoints[0]?.failures ?? {})).toEqual(['unsupported-fork'])
    }
  })

  it.each([
    ['later than the chain comes to it', 3500],
    ['before the chain comes to it', 2950],
  ])('is Gloas, too, where the config has it %s: nobody is accused for a date', async (_, gloas) => {
    const network = { ...after.network, forkEpochs: { ...after.network.forkEpochs, gloas } }
    for (const form of ['ssz', 'silent', 'json'] as const) {
      const server = await startServer(inForm(after.oracle(), form))
      const client = await startClient(after, server.url, { network })
      await expect(client.sync()).rejects.toMatchObject({
        name: 'UnsupportedForkError',
        message: expect.stringMatching(isItTheNetwork) as unknown,
      })
      const [endpoint] = client.report().endpoints
      expect(Object.keys(endpoint?.failures ?? {})).toEqual(['unsupported-fork'])
      expect(endpoint?.state).toBe('good')
      // What is of a time at which the config and the chain agree was followed, and nothing else.
      expect(client.optimistic.slot).toBeGreaterThan(after.bootstrap.header.beacon.slot)
      expect(client.optimistic.slot).toBeLessThan(Math.min(gloas, 3100) * 32)
    }
  })

  it('of a checkpoint ends a start', async () => {
    const network = { ...after.network, forkEpochs: { ...after.network.forkEpochs, gloas: 2560, heze: 2560 } }
    const server = await startServer(after.oracle())
    const start = startClient(after, server.url, {
      network: {
        ...network,
        forkEpochs: { ...network.forkEpochs, electra: 2500, fulu: 2500 },
      } as NetworkConfig,
    })
    await expect(start).rejects.toMatchObject({ name: 'UnsupportedForkError', epoch: 2560 })
  })

  it('is a reason of the specification’s functions', async () => {
    const network = {
      ...after.network,
      forkEpochs: { ...after.network.forkEpochs, heze: 3300 },
    } as NetworkConfig
    const spec = await loadLightClientSpec({ network })
    const answer = after.oracle()(
      new URL(`http://a/eth/v1/beacon/light_client/bootstrap/${after.checkpoint}`),
    )
    const { ssz, version } = answer as unknown as { ssz: Uint8Array; version: string }
    const root = after.checkpoint
    const store = spec.initializeLightClientStore(root, { version, ssz: new Uint8Array(ssz) })
    const said = after.oracle()(new URL('http://a/eth/v1/beacon/light_client/optimistic_update'))
    const update = said as unknown as { ssz: Uint8Array; version: string }
    expect(update.version).toBe('gloas')
    expect(() =>
      spec.processLightClientOptimisticUpdate(store, { ...update, ssz: new Uint8Array(update.ssz) }, 2 ** 40),
    ).toThrow('unsupported-fork')
  })

  it('is none of theirs where the version alone is of the other side of Gloas than the object and its slot', async () => {
    const get = (path: string): { version: string; ssz: Uint8Array } => {
      const { version, ssz } = after.oracle()(new URL(`http://a/eth/v1/beacon/light_client/${path}`))!
      return { version: version!, ssz: new Uint8Array(ssz!) }
    }
    const spec = await loadLightClientSpec({ network: after.network })
    const bootstrap = get(`bootstrap/${after.checkpoint}`)
    expect(bootstrap.version).not.toBe('gloas')
    const store = spec.initializeLightClientStore(after.checkpoint, bootstrap)
    const named = { ...bootstrap, version: 'gloas' }
    expect(spec.initializeLightClientStore(after.checkpoint, named)).toEqual(store)
  })

  it('is their reason, too, where the config has Gloas at another time than the chain, or not at all', async () => {
    const get = (path: string): { version: string; ssz: Uint8Array } => {
      const { version, ssz } = after.oracle()(new URL(`http://a/eth/v1/beacon/light_client/${path}`))!
      return { version: version!, ssz: new Uint8Array(ssz!) }
    }
    const bootstrap = get(`bootstrap/${after.checkpoint}`)
    const finality = get('finality_update')
    const { slot } = after.bootstrap.header.beacon
    const begins = [
      [{ gloas: Infinity }, finality],
      [{ gloas: 3500 }, finality],
      // Gloas has been put off since.
      [{ electra: 2500, fulu: 2500, gloas: Math.floor(slot / 32) }, bootstrap],
    ] as const
    for (const [forkEpochs, object] of begins) {
      const network = { ...after.network, forkEpochs: { ...after.network.forkEpochs, ...forkEpochs } }
      const spec = await loadLightClientSpec({ network })
      for (const version of [object.version, null]) {
        const told = { ...object, version }
        if (object === bootstrap) {
          const begin = (root: string) => () => spec.initializeLightClientStore(root, told)
          expect(begin(after.checkpoint)).toThrow('unsupported-fork')
        } else {
          const store = spec.initializeLightClientStore(after.checkpoint, bootstrap)
          expect(() => spec.processLightClientFinalityUpdate(store, told, 2 ** 40)).toThrow(
            'unsupported-fork',
          )
        }
      }
      // What is false by any config is told as before.
      if (object === bootstrap)
        expect(() => spec.initializeLightClientStore(new Uint8Array(32), bootstrap)).toThrow(
          'trusted-root-mismatch',
        )
    }
  })
})

describe('an object in a form that its slot does not have by the config', () => {
  const kinds = {
    bootstrap: `bootstrap/`,
    'finality-update': 'finality_update',
    'optimistic-update': 'optimistic_update',
  } as const
  /** The three objects that are answers of their own, of a chain that is in a fork from its checkpoint on. */
  const answersOf = (gloas: number): [ObjectKind, Told][] => {
    const chain = makeChain({ periods: 1, forkEpochs: { gloas } })
    return Object.entries(kinds).map(([kind, path]) => [
      kind as ObjectKind,
      chain.oracle()(
        new URL(`http://a/eth/v1/beacon/light_client/${path}${kind === 'bootstrap' ? chain.checkpoint : ''}`),
      )!,
    ])
  }
  const forksAt = (fork: ForkIndex | null): Forks => ({
    ofDigest: () => null,
    atSlot: () => fork,
    committeeSize: 512,
  })
  const otherForm = {
    kind: 'unsupported-fork',
    message: expect.stringMatching(/^not in the form/) as unknown,
  }
  const thrown = (task: () => unknown): unknown => {
    try {
      return task()
    } catch (error) {
      return error
    }
  }

  it.each([
    ['Gloas', 0, 5, 4],
    ['Fulu', Infinity, 4, 5],
  ] as const)('is of a fork that is not known here, whoever says it: of %s', (name, gloas, own, other) => {
    for (const [kind, { ssz, json, version }] of answersOf(gloas)) {
      expect(version).toBe(name.toLowerCase())
      const body = new Uint8Array(ssz!)
      const answers: BeaconAnswer[] = [
        { form: 'ssz', version: version!, body },
        { form: 'ssz', version: null, body },
        { form: 'json', version: null, body: new TextEncoder().encode(JSON.stringify(json)) },
      ]
      for (const answer of answers) {
        expect(decodeObject(kind, answer, forksAt(own))).toEqual({ fork: own, ssz: body })
        expect(thrown(() => decodeObject(kind, answer, forksAt(other)))).toMatchObject(otherForm)
      }
    }
  })

  it.each([
    // Lighthouse names the fork of the slot in which it was signed.
    ['Fulu', Infinity, 4, 5],
    ['Gloas', 0, 5, 4],
  ] as const)(
    'is read by its form and its slot where the version alone is of the other side: of %s',
    (name, gloas, own, other) => {
      for (const [kind, { ssz, json }] of answersOf(gloas)) {
        const body = new Uint8Array(ssz!)
        const version = name === 'Fulu' ? 'gloas' : 'fulu'
        const named = { ...(json as object), version }
        const answers: BeaconAnswer[] = [
          { form: 'ssz', version, body },
          { form: 'json', version: null, body: new TextEncoder().encode(JSON.stringify(named)) },
        ]
        for (const answer of answers)
          expect(decodeObject(kind, answer, forksAt(own))).toEqual({ fork: own, ssz: body })
        // Where the name and the slot are of one side, and the form alone of the other, it is none of any config.
        expect(decodeObject(kind, answers[0]!, forksAt(other)).fork).toBe(other)
        expect(() => decodeObject(kind, answers[1]!, forksAt(other))).toThrow('not an object of the API')
      }
    },
  )

  it('is malformed where it is none of any fork', () => {
    const junk = [new Uint8Array(9).fill(0xff), new Uint8Array(40_000).fill(0x7b), new Uint8Array(3)]
    for (const kind of Object.keys(kinds) as ObjectKind[])
      for (const body of junk)
        for (const version of ['fulu', 'gloas', 'altair'])
          // The module says so: nothing is said of its slot before.
          expect(decodeObject(kind, { form: 'ssz', version, body }, forksAt(5)).ssz).toBe(body)
  })
})
