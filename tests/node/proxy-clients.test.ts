/**
 * What rollup clients ask a beacon node for, replayed: the requests that their sources make, with their queries and headers, and what they read of
 * the answers. docs/guides/proxy.md has the list, with the commits that were read.
 */
import { loadKzg } from 'blobcheck/kzg'
import { loadProver } from 'blobcheck/prover'
import type { Chain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import { versionedHash } from '../../dist/beacon/hashes.js'
import { fromHex, toHex } from '../support/bytes.ts'
import {
  ask,
  blobsAt,
  digestOf,
  endpointOf,
  hashesAt,
  type Json,
  proxiedChain,
  type Proxied,
  proxyOf,
} from '../support/proxies.ts'

/** A slot with three blobs, one with no block, and one that nobody knows yet. */
const [THREE, EMPTY] = [95, 87]
/** Go's `net/http`, reqwest and undici set no `Accept` of their own, but for these. */
const GO = { 'accept-encoding': 'gzip', 'user-agent': 'Go-http-client/1.1' }
const REQWEST = { accept: '*/*' }
const UNDICI = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

const kzg = await loadKzg()
const prover = await loadProver({ proofs: 'blobs' })
/** As each of them recomputes it. */
const hashOf = (blob: string): string => toHex(versionedHash(prover.blobToKzgCommitment(blob)))

let chain: Chain
let proxied: Proxied
beforeAll(async () => {
  chain = await proxiedChain()
  // One that lies comes first.
  const liar = await endpointOf(chain, [{ fault: { kind: 'corrupt', part: 'cell' } }])
  const honest = await endpointOf(chain)
  proxied = await proxyOf(chain, [liar.url, honest.url])
})

const query = (name: string, values: readonly string[]): string =>
  values.length === 0 ? '' : `?${values.map((value) => `${name}=${value}`).join('&')}`

/** Seconds of Unix time of a slot, as an execution block has it. */
const timeOf = (slot: number): number => chain.network.genesisTime + slot * chain.network.secondsPerSlot!

/** Genesis, and then the spec: from there each of them computes the slot of an execution block's timestamp. */
async function slotFor(time: number, headers: Record<string, string>): Promise<number> {
  const genesis = (await ask(proxied, '/eth/v1/beacon/genesis', headers)).json
  const spec = (await ask(proxied, '/eth/v1/config/spec', headers)).json
  // Strings of decimal digits: Go's Uint64String, Rust's quantity.
  const [start, seconds] = [genesis['data']!['genesis_time'], spec['data']!['SECONDS_PER_SLOT']]
  expect(start).toMatch(/^\d+$/)
  expect(seconds).toMatch(/^[1-9]\d*$/)
  return Math.floor((time - Number(start)) / Number(seconds))
}

describe('op-node (op-service/sources/l1_beacon_client.go)', () => {
  const headers = { ...GO, accept: 'application/json' }

  /** `BeaconBlobs` and `beaconBlobs`: as many as were asked for, each found by its hash. */
  async function getBlobs(slot: number, hashes: readonly string[]): Promise<string[] | number> {
    const { status, json } = await ask(
      proxied,
      `/eth/v1/beacon/blobs/${slot}${query('versioned_hashes', hashes)}`,
      headers,
    )
    if (status !== 200) return status
    const data = json['data'] as unknown as string[]
    expect(data.length).toBe(hashes.length)
    return hashes.map((hash) => data.find((blob) => hashOf(blob) === hash)!)
  }

  it('gets the blobs of a batcher’s transaction by their hashes', async () => {
    const slot = await slotFor(timeOf(THREE), headers)
    expect(slot).toBe(THREE)
    const hashes = hashesAt(chain, THREE).slice(1)
    expect(digestOf(await getBlobs(slot, hashes))).toBe(digestOf(blobsAt(chain, THREE).slice(1)))
    expect(await getBlobs(EMPTY, hashes)).toBe(404)
  })

  it('of before Fulu: sidecars by indices, all of which must be there, with proofs that verify', async () => {
    expect((await ask(proxied, '/eth/v1/node/version', headers)).json['data']!['version']).toMatch(
      /^blobcheck/,
    )
    const { json } = await ask(proxied, `/eth/v1/beacon/blob_sidecars/${THREE}?indices=2&indices=0`, headers)
    const data = json['data'] as unknown as Json[]
    for (const index of [2, 0]) {
      const sidecar = data.find((one) => one['index'] === String(index))!
      const {
        blob,
        kzg_commitment: commitment,
        kzg_proof: proof,
      } = sidecar as unknown as Record<string, string>
      expect(toHex(versionedHash(fromHex(commitment!)))).toBe(hashesAt(chain, THREE)[index])
      expect(kzg.verifyBlobKzgProof(blob!, commitment!, proof!)).toBe(true)
      // `SignedBeaconBlockHeader` and `[]Bytes32` are decoded, though not looked at.
      expect(sidecar['signed_block_header']!['signature']).toMatch(/^0x[0-9a-f]{192}$/)
      expect(sidecar['kzg_commitment_inclusion_proof']).toHaveLength(17)
    }
  })
})

describe('kona (providers-alloy/src/beacon_client.rs)', () => {
  it('names each hash once, and takes a 404 alone for a slot that was missed', async () => {
    const { data } = (await ask(proxied, '/eth/v1/config/spec', REQWEST)).json
    expect(Number(data!['SLOT_DURATION_MS']) % 1000).toBe(0)
    const hashes = hashesAt(chain, THREE)
    const path = `/eth/v1/beacon/blobs/${THREE}${query('versioned_hashes', [...new Set(hashes)])}`
    const { json } = await ask(proxied, path, REQWEST)
    const returned = (json['data'] as unknown as string[]).map(hashOf)
    expect(returned).toEqual(hashes)
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${EMPTY}`, REQWEST)).status).toBe(404)
    // A 404 here would have it reset its pipeline.
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${chain.head.slot + 9}`, REQWEST)).status).toBe(503)
  })
})

describe('nitro (util/headerreader/blob_client.go)', () => {
  it('takes the answer in the order of its hashes, and its Authorization is not looked at', async () => {
    const headers = { ...GO, authorization: 'Bearer secret-of-nitro' }
    expect(await slotFor(timeOf(THREE), headers)).toBe(THREE)
    const hashes = hashesAt(chain, THREE).slice(0, 2)
    const { json } = await ask(
      proxied,
      `/eth/v1/beacon/blobs/${THREE}${query('versioned_hashes', hashes)}`,
      headers,
    )
    expect((json['data'] as unknown as string[]).map(hashOf)).toEqual(hashes)
    expect(JSON.stringify(proxied.log)).not.toContain('secret-of-nitro')
  })
})

describe('Taiko', () => {
  it('driver in Go (pkg/rpc/beaconclient.go): all sidecars of a slot, and a block’s number', async () => {
    const spec = (await ask(proxied, '/eth/v1/config/spec', GO)).json['data'] as unknown as Record<
      string,
      unknown
    >
    expect([spec['SECONDS_PER_SLOT'], spec['SLOTS_PER_EPOCH']]).toEqual(['3600', '32'])
    const { json } = await ask(proxied, `/eth/v1/beacon/blob_sidecars/${THREE}`, GO)
    const data = json['data'] as unknown as { blob: string; kzg_commitment: string }[]
    expect(digestOf(data.map(({ blob }) => blob))).toBe(digestOf(blobsAt(chain, THREE)))
    const block = (await ask(proxied, `/eth/v2/beacon/blocks/${THREE}`, GO)).json
    const payload = block['data']!['message']!['body']!['execution_payload']!
    expect(Number(payload['block_number'])).toBeGreaterThan(0)
  })

  it('driver in Rust (crates/rpc/src/beacon.rs): walks back over slots that are 404', async () => {
    let slot = EMPTY
    let found: Json | null = null
    while (found === null) {
      const { status, json } = await ask(proxied, `/eth/v2/beacon/blocks/${slot}`, REQWEST)
      if (status === 200) found = json
      else expect([status, slot--]).toEqual([404, EMPTY])
    }
    expect(found['data']!['message']!['slot']).toBe(String(EMPTY - 1))
  })
})

describe('Taiko’s ejector (packages/ejector/src/beacon.rs)', () => {
  it('reads strings of digits, none of them zero', async () => {
    const { data } = (await ask(proxied, '/eth/v1/config/spec', REQWEST)).json
    for (const name of ['SECONDS_PER_SLOT', 'SLOTS_PER_EPOCH']) expect(data![name]).toMatch(/^[1-9]\d*$/)
    expect(await slotFor(timeOf(EMPTY), REQWEST)).toBe(EMPTY)
  })
})

describe('Aztec (yarn-project/blob-client/src/client/http.ts)', () => {
  it('finds out at its start whether the host serves the head’s blobs', async () => {
    // No node has this route: it goes on without.
    expect((await ask(proxied, '/eth/v1/config/genesis', UNDICI)).status).toBe(404)
    const { json } = await ask(proxied, '/eth/v1/beacon/headers/head', UNDICI)
    const slot = parseInt(json['data']!['header']!['message']!['slot']!)
    expect((await ask(proxied, `/eth/v1/beacon/blobs/${slot}`, UNDICI)).status).toBe(200)
  })

  it('goes from the parent’s root to the next slot that has a block, with its key in the query', async () => {
    const parent = chain.at(EMPTY - 1)!
    const key = 'key=secret-of-aztec'
    const { json } = await ask(proxied, `/eth/v1/beacon/headers/${parent.root}?${key}`, UNDICI)
    let slot = Number(json['data']!['header']!['message']!['slot']) + 1
    expect(slot).toBe(EMPTY)
    const hashes = hashesAt(chain, EMPTY + 1)
    expect(hashes).toEqual([])
    let answer = await ask(proxied, `/eth/v1/beacon/blobs/${slot}?${key}`, UNDICI)
    expect(answer.status).toBe(404)
    for (let tries = 10; answer.status === 404 && tries > 0; tries--)
      answer = await ask(proxied, `/eth/v1/beacon/blobs/${++slot}?${key}`, UNDICI)
    expect([answer.status, slot]).toEqual([200, EMPTY + 1])
    expect(JSON.stringify(proxied.log)).not.toContain('secret-of-aztec')
  })

  it('of before: reads commitments of sidecars', async () => {
    const { json } = await ask(proxied, `/eth/v1/beacon/blob_sidecars/${THREE}`, UNDICI)
    const data = json['data'] as unknown as { blob: string; kzg_commitment: string }[]
    expect(data.map(({ kzg_commitment: commitment }) => toHex(versionedHash(fromHex(commitment))))).toEqual(
      hashesAt(chain, THREE),
    )
  })
})

describe('es-node (ethstorage/eth/beacon_client.go)', () => {
  it('decodes whatever comes, and takes an empty list, or none, for a failure', async () => {
    const hashes = hashesAt(chain, THREE)
    const { json } = await ask(
      proxied,
      `/eth/v1/beacon/blobs/${THREE}${query('versioned_hashes', hashes)}`,
      GO,
    )
    expect((json['data'] as unknown as string[]).map(hashOf)).toEqual(hashes)
    const refused = (await ask(proxied, `/eth/v1/beacon/blobs/${EMPTY}`, GO)).json
    expect(refused).toMatchObject({ code: 404, message: expect.any(String) as string })
    expect(refused).not.toHaveProperty('data')
  })
})
