/** The routes of `blobcheck serve`: ids, forms, queries, and what is answered to nonsense. */
import { createVerifier, networks } from 'blobcheck'
import {
  createBeaconApp,
  type Faults,
  type LabelledNetwork,
  type MadeChain,
  type NodeName,
  realChain,
} from 'blobcheck/serve'
import { readEmbeddedSidecars, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { concat, toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'
import {
  type App,
  ask,
  blobs,
  blobSidecars,
  columns,
  handChain,
  type Json,
  JSON_TYPE,
  SSZ,
} from '../support/served.ts'
import { type HeaderJson, headerRoot, listSsz, sha256 } from '../support/ssz.ts'

let chain: MadeChain
let app: App
beforeAll(async () => {
  chain = await handChain({
    slots: 180,
    blobsPerBlock: (slot) => (slot % 4 === 0 ? 0 : 3),
    isMissed: (slot) => slot % 7 === 5,
  })
  app = createBeaconApp({ chain })
})

/** A block of the chain that has blobs. */
const full = (): number => (chain.head.slot % 4 === 0 ? chain.head.slot - 1 : chain.head.slot)

describe('a block’s id', () => {
  it.each([
    ['head', () => chain.head],
    ['finalized', () => chain.finalized],
    ['genesis', () => chain.at(0)!],
    ['a slot', () => chain.at(64)!],
    ['a root', () => chain.at(100)!],
  ])('may be %s', async (name, of) => {
    const id = name === 'a slot' ? '64' : name === 'a root' ? of().root : name
    const { status, json } = await ask(app, `/eth/v1/beacon/headers/${id}`)
    expect(status).toBe(200)
    expect(json['data']!['root']).toBe(of().root)
    // The header that is served is the one that has the root.
    const message = json['data']!['header']!['message'] as unknown as HeaderJson
    expect(toHex(await headerRoot(message))).toBe(of().root)
    expect(json['finalized']).toBe(of().slot <= chain.finalized.slot)
    const upperCase = of().root.replace(/[a-f]/g, (digit) => digit.toUpperCase())
    expect((await ask(app, `/eth/v1/beacon/headers/${upperCase}`)).status).toBe(200)
  })

  it('leads to its parent, down to genesis', async () => {
    let block = chain.head
    let count = 0
    for (; block.slot > 0; count++) {
      const { json } = await ask(app, `/eth/v1/beacon/headers/${toHex(block.header.message.parent_root)}`)
      const parent = chain.byRoot(json['data']!['root']!)!
      expect(parent.slot).toBeLessThan(block.slot)
      block = parent as typeof block
    }
    expect(count).toBeGreaterThan(150)
  })

  it.each(['nowhere', '-1', '1e3', '0x12', '0xhead', `0x${'g'.repeat(64)}`, '%00', '99999999999999999999'])(
    'cannot be %s',
    async (id) => {
      for (const path of [
        '/eth/v1/beacon/headers/',
        '/eth/v2/beacon/blocks/',
        blobSidecars(''),
        columns(''),
        blobs(''),
      ]) {
        const { status, json } = await ask(app, `${path}${id}`)
        expect(status).toBe(400)
        expect(json).toEqual({ code: 400, message: expect.stringContaining('block_id') as unknown })
      }
    },
  )

  it.each(['1', '75', '999999', `0x${'1'.repeat(64)}`])('of what is not there, as %s, is 404', async (id) => {
    for (const path of ['/eth/v1/beacon/headers/', '/eth/v2/beacon/blocks/', blobSidecars(''), columns('')]) {
      const { status, json } = await ask(app, `${path}${id}`)
      expect(status).toBe(404)
      expect(json).toMatchObject({ code: 404 })
    }
  })
})

describe('headers', () => {
  it('are found by slot, by parent, and by neither', async () => {
    const roots = async (query: string): Promise<unknown[]> =>
      ((await ask(app, `/eth/v1/beacon/headers${query}`)).json['data'] as unknown as { root: string }[]).map(
        ({ root }) => root,
      )
    expect(await roots('')).toEqual([chain.head.root])
    expect(await roots('?slot=64')).toEqual([chain.at(64)!.root])
    expect(await roots('?slot=75')).toEqual([])
    // Slot 75 is missed.
    expect(await roots(`?parent_root=${chain.at(74)!.root}`)).toEqual([chain.at(76)!.root])
    expect(await roots(`?parent_root=${chain.at(74)!.root}&slot=75`)).toEqual([])
    expect(await roots(`?parent_root=${chain.head.root}`)).toEqual([])
    const isFinal = async (query: string): Promise<unknown> =>
      (await ask(app, `/eth/v1/beacon/headers${query}`)).json['finalized']
    // What is final: a block, and that there is none; not that there will be none.
    for (const query of ['?slot=64', '?slot=75', `?parent_root=${chain.at(74)!.root}&slot=75`])
      expect([query, await isFinal(query)]).toEqual([query, true])
    for (const query of ['', '?slot=999999', `?parent_root=${chain.head.root}`])
      expect([query, await isFinal(query)]).toEqual([query, false])
    expect((await ask(app, '/eth/v1/beacon/headers?slot=x')).status).toBe(400)
    expect((await ask(app, '/eth/v1/beacon/headers?parent_root=x')).status).toBe(400)
  })
})

describe('the form', () => {
  const both = (): string[] => [
    '/eth/v2/beacon/blocks/head',
    blobSidecars(full(), '?indices=0'),
    columns(full(), '?indices=3'),
    blobs(full()),
    `/eth/v1/beacon/light_client/bootstrap/${chain.checkpoint}`,
    '/eth/v1/beacon/light_client/finality_update',
    '/eth/v1/beacon/light_client/optimistic_update',
    '/eth/v1/beacon/light_client/updates?start_period=0&count=1',
  ]
  const jsonAlone = [
    '/eth/v1/node/version',
    '/eth/v1/node/syncing',
    '/eth/v1/config/spec',
    '/eth/v1/config/fork_schedule',
    '/eth/v1/beacon/genesis',
    '/eth/v1/beacon/blocks/head/root',
    '/eth/v1/beacon/states/head/finality_checkpoints',
    '/eth/v1/beacon/headers',
    '/eth/v1/beacon/headers/head',
  ]

  it.each([
    [null, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/octet-stream', SSZ],
    ['application/octet-stream;q=1, application/json;q=0.9', SSZ],
    ['application/json;q=0.2,application/octet-stream;q=0.1', JSON_TYPE],
    ['text/html, application/*;q=0.5', JSON_TYPE],
    ['application/octet-stream;q=0, */*', JSON_TYPE],
    ['APPLICATION/OCTET-STREAM', SSZ],
  ])('follows from accept %s', async (accept, type) => {
    for (const path of both()) {
      const { status, headers, bytes } = await ask(app, path, accept)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type])
      expect(bytes.length).toBeGreaterThan(0)
      const hasVersion = !path.includes('/blobs/')
      expect(headers.get('eth-consensus-version')).toBe(hasVersion ? 'fulu' : null)
    }
  })

  it('is 406 where none is there', async () => {
    for (const path of [...both(), ...jsonAlone]) {
      const { status, json } = await ask(app, path, 'text/html, application/json;q=0')
      expect([path, status]).toEqual([path, 406])
      expect(json).toMatchObject({ code: 406 })
    }
    for (const path of jsonAlone) {
      expect((await ask(app, path, SSZ)).status).toBe(406)
      expect((await ask(app, path)).status).toBe(200)
    }
  })
})

describe('indices', () => {
  const indicesIn = async (path: string): Promise<string[]> => {
    const { json } = await ask(app, path)
    return (json['data'] as unknown as { index: string }[]).map(({ index }) => index)
  }

  it('may be repeated, joined, or absent', async () => {
    const slot = full()
    expect(await indicesIn(columns(slot, '?indices=5,1&indices=1&indices=127'))).toEqual(['1', '5', '127'])
    expect(await indicesIn(columns(slot))).toEqual(range(128).map(String))
    expect(await indicesIn(blobSidecars(slot, '?indices=2&indices=0'))).toEqual(['0', '2'])
    expect(await indicesIn(blobSidecars(slot))).toEqual(['0', '1', '2'])
    // There is no such blob, which is not the asker's fault.
    expect(await indicesIn(blobSidecars(slot, '?indices=1,700'))).toEqual(['1'])
  })

  it.each(['128', '-1', '', 'x', '1,,2', '1.5', '0x1', '99999999999999999999'])(
    'cannot be %s',
    async (value) => {
      const { status, json } = await ask(app, columns('head', `?indices=${value}`))
      expect([status, json['code']]).toEqual([400, 400])
      expect(
        (await ask(app, blobSidecars('head', `?indices=${value === '128' ? '4096' : value}`))).status,
      ).toBe(400)
    },
  )

  it('of a block without blobs give nothing', async () => {
    const empty = Array.from({ length: 8 }, (_, at) => chain.at(chain.head.slot - at)).find(
      (block) => block?.blobs.length === 0,
    )!
    for (const path of [columns(empty.slot), blobSidecars(empty.slot), blobs(empty.slot)]) {
      expect((await ask(app, path)).json['data']).toEqual([])
      expect((await ask(app, path, SSZ)).bytes.length).toBe(0)
    }
  })
})

describe('blobs', () => {
  it('are found by their versioned hashes', async () => {
    const block = chain.at(full())!
    const hashes = await Promise.all(
      block.blobs.map(async ({ commitment }) => {
        const hash = await sha256(new Uint8Array(commitment))
        return toHex(Uint8Array.of(1, ...hash.subarray(1)))
      }),
    )
    const data = async (query: string): Promise<unknown> =>
      (await ask(app, blobs(block.slot, query))).json['data']
    const all = block.blobs.map(({ blob }) => toHex(blob))
    expect(await data('')).toEqual(all)
    expect(await data(`?versioned_hashes=${hashes[2]},${hashes[0]}`)).toEqual([all[0], all[2]])
    expect(await data(`?versioned_hashes=${hashes[1]!.toUpperCase().replace('X', 'x')}`)).toEqual([all[1]])
    expect(await data(`?versioned_hashes=0x01${'0'.repeat(62)}`)).toEqual([])
    expect((await ask(app, blobs(block.slot, '?versioned_hashes=0x01'))).status).toBe(400)
  })
})

describe('what a node says of itself', () => {
  it('is what clients ask for', async () => {
    expect((await ask(app, '/eth/v1/node/version')).json['data']!['version']).toContain('synthetic')
    expect((await ask(app, '/eth/v1/node/health')).status).toBe(200)
    expect((await ask(app, '/eth/v1/node/health?syncing_status=503')).status).toBe(200)
    expect((await ask(app, '/eth/v1/node/health?syncing_status=600')).status).toBe(400)
    const { json: syncing } = await ask(app, '/eth/v1/node/syncing')
    expect(syncing['data']).toMatchObject({ head_slot: chain.head.slot.toString(), is_syncing: false })
    const { json: spec } = await ask(app, '/eth/v1/config/spec')
    expect(spec['data']).toMatchObject({
      SLOTS_PER_EPOCH: '32',
      SLOT_DURATION_MS: '12000',
      NUMBER_OF_COLUMNS: '128',
      SAMPLES_PER_SLOT: '8',
      FULU_FORK_EPOCH: '0',
      GLOAS_FORK_EPOCH: '18446744073709551615',
      BLOB_SCHEDULE: [{ EPOCH: '0', MAX_BLOBS_PER_BLOCK: '21' }],
    })
    const { json: genesis } = await ask(app, '/eth/v1/beacon/genesis')
    expect(genesis['data']).toEqual({
      genesis_time: chain.network.genesisTime.toString(),
      genesis_validators_root: chain.network.signing!.genesisValidatorsRoot,
      genesis_fork_version: chain.network.signing!.forkVersions.genesis,
    })
  })

  it('is for how long nodes must serve data, by the config of the network', async () => {
    for (const dataRetentionEpochs of [undefined, 2]) {
      const made = await handChain({
        ...{ slots: 1, blobsPerBlock: 0 },
        ...(dataRetentionEpochs !== undefined && { dataRetentionEpochs }),
      })
      const { json: spec } = await ask(createBeaconApp({ chain: made }), '/eth/v1/config/spec')
      const epochs = String(dataRetentionEpochs ?? 4_096)
      expect(spec['data']).toMatchObject({
        MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: epochs,
        MIN_EPOCHS_FOR_DATA_COLUMN_SIDECARS_REQUESTS: epochs,
      })
    }
  })

  it('names the forks that are scheduled, each after the one before', async () => {
    const gloas = await handChain({ slots: 1, blobsPerBlock: 0, gloasForkEpoch: 9 })
    const { forkVersions } = gloas.network.signing!
    const path = '/eth/v1/config/fork_schedule'
    const names = [
      'genesis',
      'genesis',
      'altair',
      'bellatrix',
      'capella',
      'deneb',
      'electra',
      'fulu',
      'gloas',
    ]
    const schedule = range(8).map((at) => ({
      previous_version: forkVersions[names[at] as 'fulu'],
      current_version: forkVersions[names[at + 1] as 'fulu'],
      epoch: at === 7 ? '9' : '0',
    }))
    expect((await ask(createBeaconApp({ chain: gloas }), path)).json['data']).toEqual(schedule)
    expect((await ask(app, path)).json['data']).toEqual(schedule.slice(0, 7))
  })

  it('has the roots of blocks', async () => {
    for (const id of ['head', 'finalized', 'genesis', '64', chain.at(100)!.root]) {
      const { json } = await ask(app, `/eth/v1/beacon/blocks/${id}/root`)
      const { json: header } = await ask(app, `/eth/v1/beacon/headers/${id}`)
      expect(json).toEqual({
        ...{ execution_optimistic: false, finalized: header['finalized'] },
        data: { root: header['data']!['root'] },
      })
    }
    expect((await ask(app, '/eth/v1/beacon/blocks/1/root')).status).toBe(404)
    expect((await ask(app, '/eth/v1/beacon/blocks/nowhere/root')).status).toBe(400)
  })

  it('has the checkpoints of states, the finalized one as light clients are shown it', async () => {
    const checkpoints = async (id: string): Promise<Json> =>
      (await ask(app, `/eth/v1/beacon/states/${id}/finality_checkpoints`)).json['data']!
    // The head is in epoch 7; each epoch begins with a block, but for those whose first slot is missed.
    const of = (epoch: number): object => {
      const slot = chain.at(32 * epoch) === null ? 32 * epoch - 1 : 32 * epoch
      return { epoch: String(epoch), root: chain.at(slot)!.root }
    }
    expect(Math.floor(chain.head.slot / 32)).toBe(7)
    const head = { previous_justified: of(5), current_justified: of(6), finalized: of(5) }
    expect(await checkpoints('head')).toEqual(head)
    expect(await checkpoints(toHex(chain.head.header.message.state_root))).toEqual(head)
    expect(head.finalized).toMatchObject({ root: chain.finalized.root })
    const justified = { previous_justified: of(4), current_justified: of(5), finalized: of(4) }
    expect(await checkpoints('justified')).toEqual(justified)
    const nothing = { epoch: '0', root: `0x${'0'.repeat(64)}` }
    for (const id of ['genesis', '64'])
      expect(await checkpoints(id)).toEqual({
        ...{ previous_justified: nothing, current_justified: nothing, finalized: nothing },
      })
    // The update’s branch leads from the epoch and the root into the attested state.
    const { json } = await ask(app, '/eth/v1/beacon/light_client/finality_update')
    const { attested_header, finality_branch } = json['data']!
    const attested = await checkpoints(attested_header!['beacon']!['slot']!)
    expect(Number(attested['finalized']!['epoch'])).toBe(
      Number.parseInt(String(finality_branch![0]).slice(2, 4), 16),
    )
    expect((await ask(app, '/eth/v1/beacon/states/1/finality_checkpoints')).status).toBe(404)
    expect((await ask(app, `/eth/v1/beacon/states/${chain.head.root}/finality_checkpoints`)).status).toBe(404)
    expect((await ask(app, '/eth/v1/beacon/states/now/finality_checkpoints')).json).toEqual({
      code: 400,
      message: expect.stringContaining('state_id') as unknown,
    })
    const deneb: LabelledNetwork = { ...networks.holesky, label: 'Holesky' }
    const real = createBeaconApp({
      chain: await realChain({ sidecars: await readEmbeddedSidecars(), network: deneb }),
    })
    for (const id of ['head', 'justified'])
      expect((await ask(real, `/eth/v1/beacon/states/${id}/finality_checkpoints`)).status).toBe(404)
  })

  it('may be read by pages of any origin', async () => {
    const { headers } = await ask(app, '/eth/v1/node/version')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toMatch(/eth-consensus-version.*retry-after/i)
    const preflight = await app.fetch(
      new Request('http://beacon.test/eth/v1/node/version', {
        method: 'OPTIONS',
        headers: { origin: 'http://page.test', 'access-control-request-method': 'GET' },
      }),
    )
    expect(preflight.status).toBe(204)
  })

  it('is 404 for routes that are none', async () => {
    for (const path of [
      '/',
      '/eth/v1/beacon/states/head/root',
      '/eth/v1/beacon/light_client',
      '/favicon.ico',
    ])
      expect(await ask(app, path)).toMatchObject({ status: 404, json: { code: 404 } })
  })
})

describe('light-client routes', () => {
  it('refuse nonsense', async () => {
    const base = '/eth/v1/beacon/light_client'
    expect((await ask(app, `${base}/bootstrap/head`)).status).toBe(400)
    expect((await ask(app, `${base}/bootstrap/0x${'1'.repeat(64)}`)).status).toBe(404)
    for (const query of [
      '',
      '?start_period=0',
      '?count=1',
      '?start_period=x&count=1',
      '?start_period=0&count=-1',
    ])
      expect([query, (await ask(app, `${base}/updates${query}`)).status]).toEqual([query, 400])
    expect((await ask(app, `${base}/updates?start_period=999999999&count=128`)).json).toEqual([])
    expect((await ask(app, `${base}/updates?start_period=0&count=0`)).json).toEqual([])
    // As many as the protocol allows, however many are asked for.
    expect((await ask(app, `${base}/updates?start_period=0&count=999999999999`)).json).toHaveLength(1)
  })
})

describe('nodes that have no proofs of blobs', () => {
  const infinity = `0xc0${'0'.repeat(94)}`
  const zeros = `0x${'0'.repeat(96)}`
  const proofsOf = async (nodesLike?: NodeName): Promise<string[]> => {
    const served = createBeaconApp({ chain, ...(nodesLike && { nodesLike }) })
    const response = await served.fetch(new Request(`http://any${blobSidecars(full())}`))
    const { data } = (await response.json()) as { data: { kzg_proof: string }[] }
    return data.map(({ kzg_proof }) => kzg_proof)
  }

  it('serve the stub of their kind, or compute them anew', async () => {
    const computed = await proofsOf()
    expect(new Set([...computed, infinity, zeros]).size).toBe(5)
    for (const name of ['grandine', 'lodestar', 'prysm'] as const)
      expect(await proofsOf(name)).toEqual(computed)
    expect(await proofsOf('lighthouse')).toEqual(computed.map(() => infinity))
    expect(await proofsOf('teku')).toEqual(computed.map(() => zeros))
    expect(() => createBeaconApp({ chain, nodesLike: 'geth' as never })).toThrow(TypeError)
  })

  it('have their sidecars verified all the same', async () => {
    const verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
    for (const nodesLike of ['lighthouse', 'teku'] as const) {
      const response = await createBeaconApp({ chain, nodesLike }).fetch(
        new Request(`http://any${blobSidecars(full())}`),
      )
      const verdicts = await verifier.verifyBlobSidecars(await response.text(), {
        anchor: { header: chain.at(full())!.root },
      })
      expect(verdicts).toHaveLength(3)
      for (const verdict of verdicts)
        expect(verdict).toMatchObject({ via: 'commitment', links: { kzg: 'verified', header: 'trusted' } })
    }
    await verifier.dispose()
  })
})

describe('nodes that have no table of offsets', () => {
  it.each([
    ['prysm', true],
    ['teku', true],
    ['grandine', false],
    ['lighthouse', false],
    ['lodestar', false],
  ] as const)(
    'serve one column after the other where they are of that kind (%s: %j)',
    async (nodesLike, is) => {
      const gloas = await handChain({ slots: 98, gloasForkEpoch: 3 })
      for (const served of [chain, gloas]) {
        const nodes = createBeaconApp({ chain: served, nodesLike })
        const slot = served === chain ? full() : served.head.slot
        const bytesOf = async (indices: string): Promise<Uint8Array<ArrayBuffer>> =>
          (await ask(nodes, columns(slot, `?indices=${indices}`), SSZ)).bytes
        // One alone, in a list, is behind an offset.
        const [one, other, both] = [await bytesOf('3'), await bytesOf('9'), await bytesOf('3,9')]
        const ssz = [one, other].map((bytes) => (is ? bytes : bytes.subarray(4)))
        expect(ssz.map((bytes) => bytes[0])).toEqual([3, 9])
        expect(both).toEqual(is ? concat(...ssz) : listSsz(ssz))
        expect(await bytesOf('3,9')).toHaveLength(ssz[0]!.length * 2 + (is ? 0 : 8))
        const { json } = await ask(nodes, columns(slot, '?indices=3,9'))
        expect(json['data']!.map(({ index }) => index)).toEqual(['3', '9'])
      }
      const empty = createBeaconApp({ chain, nodesLike })
      const without = chain.head.slot % 4 === 0 ? chain.head.slot : chain.head.slot - (chain.head.slot % 4)
      expect((await ask(empty, columns(without), SSZ)).bytes).toHaveLength(0)
    },
  )
})

describe('nodes that keep few columns', () => {
  it.each([
    ['lighthouse', 400],
    ['prysm', 404],
    ['lodestar', 200],
    [undefined, 200],
  ] as const)('refuse to rebuild blobs as those of their kind do (%s: %i)', async (nodesLike, status) => {
    const statusOf = async (path: string, columns: number): Promise<number> => {
      const faults: Faults = { rules: [{ fault: { kind: 'withhold', columns } }] }
      return (await ask(createBeaconApp({ chain, faults, ...(nodesLike && { nodesLike }) }), path)).status
    }
    for (const path of [blobs(full()), blobSidecars(full())]) {
      expect(await statusOf(path, 65)).toBe(status)
      // Half of them are all.
      expect(await statusOf(path, 64)).toBe(200)
    }
  })
})

describe('a server', () => {
  it.each([
    ['a port in words', { port: '0x10' }],
    ['a port that is none', { port: 65_536 }],
    ['a broken port', { port: 1.5 }],
    ['a host that is none', { host: 7 }],
  ])('takes no %s', async (_, where) => {
    const options = { chain, ...where } as unknown as Parameters<typeof serveBeacon>[0]
    await expect(serveBeacon(options)).rejects.toBeInstanceOf(TypeError)
    await expect(serveExecution(options)).rejects.toBeInstanceOf(TypeError)
  })

  it('ends with `await using`', async () => {
    for (const server of [await serveBeacon({ chain }), await serveExecution({ chain })]) {
      // An answer came from there, so that a refusal is not that of a port on which nothing ever listened.
      expect((await fetch(server.url)).status).toBeGreaterThan(0)
      await server[Symbol.asyncDispose]()
      await expect(fetch(server.url)).rejects.toThrow()
    }
  })

  it('is closed by hand alone in an engine that does not know it', async () => {
    vi.stubGlobal('Symbol', Object.create(Symbol, { asyncDispose: { value: undefined } }))
    const server = await serveBeacon({ chain }).finally(() => vi.unstubAllGlobals())
    await server.close()
    expect(Reflect.ownKeys(server)).toEqual(['url', 'close'])
  })
})
