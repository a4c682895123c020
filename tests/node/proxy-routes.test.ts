/** The proxy's routes over HTTP, in front of one honest endpoint: each answer is the chain's own. */
import { stat } from 'node:fs/promises'
import { createVerifier } from 'blobcheck'
import type { Chain } from 'blobcheck/serve'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { concat, toHex } from '../support/bytes.ts'
import {
  ask,
  blobsAt,
  digestOf,
  type Endpoint,
  endpointOf,
  hashesAt,
  type Json,
  proxiedChain,
  type Proxied,
  proxyOf,
} from '../support/proxies.ts'

const ZEROS = `0x${'00'.repeat(96)}`
const SSZ = { accept: 'application/octet-stream' }

let chain: Chain
let endpoint: Endpoint
let proxied: Proxied
/** Final, and with three, one and no blobs; one that is not final, and an empty one. */
let [three, one, none, recent, empty]: number[] = []
beforeAll(async () => {
  chain = await proxiedChain()
  endpoint = await endpointOf(chain)
  proxied = await proxyOf(chain, [endpoint.url])
  ;[three, one, none, recent, empty] = [95, 81, 80, 155, 87]
  expect([three, one, none].every((slot) => slot! <= chain.finalized.slot)).toBe(true)
  expect(recent).toBeGreaterThan(chain.finalized.slot)
})
afterEach(() => void vi.restoreAllMocks())

/** The same of the endpoint itself, with zeros where a signature is. */
async function honest(path: string): Promise<Json> {
  const response = await fetch(endpoint.url + path, { headers: { accept: 'application/json' } })
  return JSON.parse(await response.text(), (key, value: unknown) =>
    key === 'signature' && String(value).length === ZEROS.length && !path.includes('blocks') ? ZEROS : value,
  ) as Json
}

describe('/eth/v1/beacon/blobs', () => {
  it('gives the blobs of a slot, of a root, and of the head, as JSON', async () => {
    const root = chain.at(three!)!.root
    for (const id of [three!, root, root.toUpperCase().replace('0X', '0x')]) {
      const { status, json, headers, bytes } = await ask(proxied, `/eth/v1/beacon/blobs/${id}`)
      expect(status).toBe(200)
      expect(headers.get('content-length')).toBe(String(bytes.length))
      expect(headers.get('blobcheck-headers')).toBe('verified')
      expect(json).toMatchObject({ execution_optimistic: false, finalized: true })
      expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, three!)))
    }
    const { json } = await ask(proxied, '/eth/v1/beacon/blobs/head')
    expect(json['finalized']).toBe(false)
    expect(digestOf(json['data'])).toBe(digestOf(blobsAt(chain, proxied.proxy.status().head!.slot)))
  })

  it('gives them as SSZ, one after the other', async () => {
    const { status, headers, bytes } = await ask(proxied, `/eth/v1/beacon/blobs/${three}`, SSZ)
    expect([status, headers.get('content-type')]).toEqual([200, SSZ.accept])
    const blobs = Array.from({ length: 3 }, (_, at) =>
      toHex(bytes.subarray(131_072 * at, 131_072 * (at + 1))),
    )
    expect(bytes.length).toBe(3 * 131_072)
    expect(digestOf(blobs)).toBe(digestOf(blobsAt(chain, three!)))
  })

  it('gives those of versioned hashes, repeated or with commas, in the block’s order, each as often as it is named', async () => {
    const [first, , third] = hashesAt(chain, three!)
    const expected = digestOf(blobsAt(chain, three!).filter((_, at) => at !== 1))
    for (const query of [`${third}&versioned_hashes=${first}`, `${first},${third}`]) {
      const { json } = await ask(proxied, `/eth/v1/beacon/blobs/${three}?versioned_hashes=${query}`)
      expect(digestOf(json['data'])).toBe(expected)
    }
    const stranger = `0x01${'ab'.repeat(31)}`
    const { status, json } = await ask(proxied, `/eth/v1/beacon/blobs/${three}?versioned_hashes=${stranger}`)
    expect([status, json['data']]).toEqual([200, []])
  })

  it('gives an empty list where the block has none, and 404 where it is proven that there is no block', async () => {
    const without = await ask(proxied, `/eth/v1/beacon/blobs/${none}`)
    expect([without.status, without.json['data']]).toEqual([200, []])
    for (const route of ['blobs', 'blob_sidecars', 'headers']) {
      const { status, json } = await ask(proxied, `/eth/v1/beacon/${route}/${empty}`)
      expect(status).toBe(404)
      expect(json).toMatchObject({ code: 404, reason: 'empty-slot' })
    }
  })

  it('says 503 of a slot that is still to come, and 400 to what names no block', async () => {
    const later = await ask(proxied, `/eth/v1/beacon/blobs/${chain.head.slot + 50}`)
    expect([later.status, later.json['reason']]).toEqual([503, 'too-new'])
    for (const id of ['justified', 'tail', '-1', '0x12', '1e3'])
      expect((await ask(proxied, `/eth/v1/beacon/blobs/${id}`)).json).toMatchObject({ code: 400 })
    const query = await ask(proxied, `/eth/v1/beacon/blobs/${three}?versioned_hashes=0x01`)
    expect(query.status).toBe(400)
  })
})

describe('/eth/v1/beacon/blob_sidecars', () => {
  it('is what the node gives, proof and branch and all, but for the signature', async () => {
    for (const query of ['', '?indices=2', '?indices=0&indices=2', '?indices=0,2']) {
      const path = `/eth/v1/beacon/blob_sidecars/${three}${query}`
      const { status, json, headers } = await ask(proxied, path)
      expect([status, headers.get('eth-consensus-version')]).toEqual([200, 'fulu'])
      expect(headers.get('blobcheck-left-out')).toBe('signature')
      expect(digestOf(json)).toBe(digestOf(await honest(path)))
    }
    expect((await ask(proxied, `/eth/v1/beacon/blob_sidecars/${one}?indices=3`)).json['data']).toEqual([])
  })

  it('verifies as SSZ, against the header', async () => {
    const { bytes } = await ask(proxied, `/eth/v1/beacon/blob_sidecars/${three}`, SSZ)
    const verifier = await createVerifier({ network: chain.network, workers: 0, cache: false })
    const length = bytes.length / 3
    const sidecars = [0, 1, 2].map((at) => bytes.slice(length * at, length * (at + 1)))
    const verdicts = await verifier.verifyBlobSidecars(sidecars, {
      anchor: { header: chain.at(three!)!.root },
    })
    for (const { status, links } of verdicts)
      expect({ status, links }).toMatchObject({
        status: 'valid',
        links: { kzg: 'verified', inclusion: 'verified' },
      })
    await verifier.dispose()
  })
})

describe('headers and blocks', () => {
  it('gives headers by slot, root and name, without the signature', async () => {
    const ids = [three!, chain.at(three!)!.root, recent!, 'genesis']
    for (const id of ids) {
      const path = `/eth/v1/beacon/headers/${id}`
      expect((await ask(proxied, path)).json).toEqual(await honest(path))
    }
    const head = (await ask(proxied, '/eth/v1/beacon/headers/head')).json
    expect(head['data']!['root']).toBe(proxied.proxy.status().head!.root)
    const finalized = (await ask(proxied, '/eth/v1/beacon/headers/finalized')).json
    expect(finalized).toMatchObject({
      finalized: true,
      data: { root: proxied.proxy.status().finalized!.root },
    })
  })

  it('gives lists of headers', async () => {
    for (const slot of [three, recent, empty]) {
      const path = `/eth/v1/beacon/headers?slot=${slot}`
      expect((await ask(proxied, path)).json).toEqual(await honest(path))
    }
    const { json } = await ask(proxied, '/eth/v1/beacon/headers')
    expect(json['data']).toMatchObject([{ root: proxied.proxy.status().head!.root }])
    expect(json['data']).toHaveLength(1)
    expect((await ask(proxied, `/eth/v1/beacon/headers?parent_root=${ZEROS.slice(0, 66)}`)).status).toBe(400)
  })

  it('says 503 of a root that is of no block of the chain', async () => {
    const { status, json } = await ask(proxied, `/eth/v1/beacon/headers/0x${'ab'.repeat(32)}`)
    expect([status, json['reason']]).toEqual([503, 'not-of-the-chain'])
  })

  it('gives roots, and whole blocks as JSON and SSZ', async () => {
    const { root } = chain.at(three!)!
    expect((await ask(proxied, `/eth/v1/beacon/blocks/${three}/root`)).json['data']).toEqual({ root })
    const path = `/eth/v2/beacon/blocks/${three}`
    const [mine, theirs] = [(await ask(proxied, path)).json, await honest(path)]
    expect(mine['data']!['message']).toEqual(theirs['data']!['message'])
    expect(mine['data']!['signature']).toBe(ZEROS)
    const { bytes } = await ask(proxied, path, SSZ)
    const block = chain.at(three!)!.block!.ssz()
    expect(toHex(bytes.subarray(100))).toBe(toHex(block.subarray(100)))
    expect(toHex(bytes.subarray(0, 100))).toBe(`0x64000000${'00'.repeat(96)}`)
  })
})

describe('what a node says of itself', () => {
  it('says what the network’s config says, and leaves out what it does not know', async () => {
    const { data } = (await ask(proxied, '/eth/v1/config/spec')).json
    expect(data).toMatchObject({
      SECONDS_PER_SLOT: '3600',
      SLOT_DURATION_MS: '3600000',
      SLOTS_PER_EPOCH: '32',
    })
    expect(data).not.toHaveProperty('DEPOSIT_CONTRACT_ADDRESS')
    expect((await ask(proxied, '/eth/v1/beacon/genesis')).json).toEqual(
      await honest('/eth/v1/beacon/genesis'),
    )
  })

  it('has a version, and is as far as its headers', async () => {
    expect((await ask(proxied, '/eth/v1/node/version')).json['data']).toEqual({
      version: 'blobcheck-proxy/1.2.3',
    })
    expect((await ask(proxied, '/eth/v1/node/health')).status).toBe(200)
    const { head, finalized } = proxied.proxy.status()
    expect((await ask(proxied, '/eth/v1/node/syncing')).json['data']).toMatchObject({
      ...{ head_slot: String(head!.slot), is_syncing: false, is_optimistic: false },
    })
    expect((await ask(proxied, '/health')).json).toMatchObject({
      ...{ status: 'ok', headers: 'verified', trouble: null, finalized_slot: finalized!.slot },
    })
  })
})

describe('caches in front', () => {
  it('may keep what is final, asked for by slot or root, and nothing else', async () => {
    const kept = async (path: string): Promise<string | null> =>
      (await ask(proxied, path)).headers.get('cache-control')
    const finalized = proxied.proxy.status().finalized!.slot
    for (const id of [three, chain.at(three!)!.root]) {
      expect(await kept(`/eth/v1/beacon/blobs/${id}`)).toBeNull()
      expect(await kept(`/eth/v1/beacon/headers/${id}`)).toBeNull()
    }
    for (const path of [
      ...['head', 'finalized', 'justified', finalized, recent, empty, 10_000].map((id) => `blobs/${id}`),
      ...['headers', `headers?slot=${empty}`, 'headers/head', 'genesis', 'nothing'],
    ])
      expect([path, await kept(`/eth/v1/beacon/${path}`)]).toEqual([path, 'no-store'])
    for (const path of ['/health', '/metrics', '/eth/v1/node/health', '/eth/v1/node/syncing'])
      expect([path, await kept(path)]).toEqual([path, 'no-store'])
    expect((await ask(proxied, '/health', {}, { method: 'POST' })).headers.get('cache-control')).toBe(
      'no-store',
    )
  })

  it('keep nothing of what is on trust', async () => {
    const trusting = await proxyOf(chain, [endpoint.url], { checkpoint: null })
    const { status, headers } = await ask(trusting, `/eth/v1/beacon/blobs/${three}`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  })
})

describe('negotiation', () => {
  it('gives JSON where anything will do, what is wanted most, and 406 where nothing is', async () => {
    const path = `/eth/v1/beacon/blobs/${one}`
    const typeFor = async (accept: string): Promise<string | null> =>
      (await ask(proxied, path, { accept })).headers.get('content-type')
    expect(await typeFor('*/*')).toBe('application/json')
    expect(await typeFor('application/octet-stream;q=1, application/json;q=0.9')).toBe(
      'application/octet-stream',
    )
    expect(await typeFor('application/json;q=1, application/octet-stream;q=0.9')).toBe('application/json')
    expect((await ask(proxied, path, { accept: 'text/html' })).json).toMatchObject({ code: 406 })
    expect((await ask(proxied, `/eth/v1/beacon/headers/${one}`, SSZ)).status).toBe(406)
  })

  it('answers HEAD with the length alone, and neither other methods nor unknown routes', async () => {
    const path = `/eth/v1/beacon/blobs/${three}`
    const sent = async (): Promise<string[] | null> =>
      new TextDecoder()
        .decode((await ask(proxied, '/metrics')).bytes)
        .match(/response_bytes_total\{route=".*\/blobs\/.*/g)
    await ask(proxied, path, SSZ)
    const before = await sent()
    const head = await ask(proxied, path, SSZ, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '393216', 0])
    expect(proxied.log.at(-1)).toMatchObject({ method: 'HEAD', status: 200, bytes: 0 })
    const refused = await ask(proxied, `/eth/v1/beacon/blobs/${empty}`, SSZ, { method: 'HEAD' })
    expect([refused.status, refused.bytes.length]).toEqual([404, 0])
    expect(proxied.log.at(-1)).toMatchObject({ method: 'HEAD', status: 404, reason: 'empty-slot', bytes: 0 })
    expect(await sent()).toEqual(before)
    expect(before).toHaveLength(1)
    expect((await ask(proxied, path, {}, { method: 'POST' })).status).toBe(405)
    expect((await ask(proxied, '/eth/v1/beacon/states/head/root')).json).toEqual({
      ...{ code: 404, reason: 'no-route', message: 'there is no route /eth/v1/beacon/states/head/root' },
    })
  })

  it.each(['//eth/v1/beacon/blobs', '/eth//v1/beacon///blobs'])(
    'answers %s, and with slashes at the end, as with one between two names',
    async (route) => {
      const query = `?versioned_hashes=${hashesAt(chain, three!)[1]}`
      for (const end of ['', '/', '//'])
        expect(digestOf((await ask(proxied, `${route}/${three}${end}${query}`)).json['data'])).toBe(
          digestOf(blobsAt(chain, three!).slice(1, 2)),
        )
      // A slot without a block is one however it is written.
      expect((await ask(proxied, `${route}/${empty}/`)).json).toMatchObject({ reason: 'empty-slot' })
      expect(proxied.log.at(-1)).toMatchObject({ route: '/eth/v1/beacon/blobs/{block_id}' })
    },
  )
})

describe('a chain that goes on into Gloas', () => {
  it('serves blobs and blocks, and no sidecars', async () => {
    const gloas = await proxiedChain({
      ...{ slots: 100, gloasForkEpoch: 4 },
      isPayloadWithheld: (slot) => slot === 146,
    })
    const server = await endpointOf(gloas)
    const after = await proxyOf(gloas, [server.url])
    const slot = 151
    expect(gloas.at(slot)!.version).toBe('gloas')
    const { json } = await ask(after, `/eth/v1/beacon/blobs/${slot}`)
    expect(digestOf(json['data'])).toBe(digestOf(blobsAt(gloas, slot)))
    expect((await ask(after, `/eth/v1/beacon/blob_sidecars/${slot}`)).json).toMatchObject({ code: 400 })
    const path = `/eth/v2/beacon/blocks/${slot}`
    const theirs = (await (
      await fetch(server.url + path, { headers: { accept: 'application/json' } })
    ).json()) as Json
    const mine = (await ask(after, path)).json
    expect(mine['data']!['message']).toEqual(theirs['data']!['message'])
    expect(mine['version']).toBe('gloas')
    // Its payload never became part of the chain: the next block shows it.
    const withheld = await ask(after, '/eth/v1/beacon/blobs/146')
    expect([withheld.status, withheld.json['data']]).toEqual([200, []])
  })

  it('gives what was published with a payload until the next block shows that it never became part of the chain', async () => {
    const slot = 146
    const gloas = await proxiedChain({
      ...{ slots: 100, gloasForkEpoch: 4 },
      isPayloadWithheld: (withheld) => withheld === slot,
    })
    const { root, blobs } = gloas.at(slot)!
    const child = gloas.at(148)!
    const server = await endpointOf(gloas)
    let isChildThere = false
    const proxied = await proxyOf(gloas, [server.url], {
      async fetch(url, init) {
        const { pathname } = new URL(url)
        if (pathname === `/eth/v1/beacon/blobs/${root}`)
          return new Response(concat(...blobs.map(({ blob }) => blob)), {
            headers: { 'content-type': 'application/octet-stream' },
          })
        if (pathname === `/eth/v2/beacon/blocks/${child.root}` && !isChildThere)
          return new Response('{}', { status: 404 })
        return await fetch(url, init)
      },
    })
    const given = async (): Promise<string> =>
      digestOf((await ask(proxied, `/eth/v1/beacon/blobs/${slot}`)).json['data'])
    expect(await given()).toBe(digestOf(blobsAt(gloas, slot)))
    isChildThere = true
    expect(await given()).toBe(digestOf([]))
  })
})

it('a block is read as soon as the module that reads blocks can be loaded', async () => {
  const { size } = await stat(new URL('../../wasm/beacon_simd128.wasm', import.meta.url))
  const { compile } = WebAssembly
  let isThere = true
  vi.spyOn(WebAssembly, 'compile').mockImplementation(async (bytes) => {
    if (bytes.byteLength === size && !isThere) throw new Error('too many open files')
    return await compile(bytes)
  })
  const another = await proxyOf(chain, [endpoint.url])
  isThere = false
  const path = `/eth/v2/beacon/blocks/${three}`
  expect((await ask(another, path)).status).toBe(500)
  expect(await ask(another, '/health')).toMatchObject({ status: 503, json: { status: 'fault' } })
  isThere = true
  expect((await ask(another, path)).status).toBe(200)
  expect(await ask(another, '/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
})
