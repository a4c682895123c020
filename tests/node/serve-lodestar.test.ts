/** What is served, in another implementation's types: blocks, columns, sidecars and light-client objects. */
import { createBeaconApp, type MadeChain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import * as lodestar from '../lodestar/types.mjs'
import { concat, toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'
import { type App, ask, blobSidecars, columns, handChain, SSZ } from '../support/served.ts'

let chain: MadeChain
let app: App
beforeAll(async () => {
  chain = await handChain({ slots: 150, blobsPerBlock: 8, isMissed: (slot) => slot % 11 === 4 })
  app = createBeaconApp({ chain })
})

/** Both forms of an answer as values of a type, which must be the same, and must be written as they were read. */
async function decoded(path: string, type: lodestar.LodestarType): Promise<lodestar.Value> {
  const [ssz, json] = [await ask(app, path, SSZ), await ask(app, path)]
  const value = type.deserialize(ssz.bytes)
  expect(type.serialize(value)).toEqual(ssz.bytes)
  expect(type.toJson(value)).toEqual(json.json['data'])
  expect(type.equals(type.fromJson(json.json['data']), value)).toBe(true)
  return value
}

describe('blocks', () => {
  it.each(['head', 'genesis', '64', '100', 'finalized'])(
    'are Fulu’s, and have the root that %s has',
    async (id) => {
      const block = await decoded(`/eth/v2/beacon/blocks/${id}`, lodestar.SignedBeaconBlock)
      const { json } = await ask(app, `/eth/v1/beacon/headers/${id}`)
      expect(toHex(lodestar.blockRoot(block))).toBe(json['data']!['root'])
      expect(toHex(lodestar.bodyRoot(block))).toBe(json['data']!['header']!['message']!['body_root'])
    },
  )

  it('have the gas, and the versioned hashes, of their blobs', async () => {
    const block = await decoded('/eth/v2/beacon/blocks/head', lodestar.SignedBeaconBlock)
    const { blobGasUsed, transactions } = lodestar.payloadOf(block)
    expect(blobGasUsed).toBe(BigInt(8 * 2 ** 17))
    const hashes = chain.head.blobs.map(({ commitment }) => lodestar.versionedHash(commitment))
    const named = transactions.map((bytes) => hashes.filter((hash) => toHex(bytes).includes(hash)))
    expect(named.flat()).toEqual(hashes)
    // Six in a transaction, at most, and none in one of another type.
    for (const [at, { length }] of named.entries()) expect(length > 0).toBe(transactions[at]![0] === 3)
    expect(Math.max(...named.map(({ length }) => length))).toBeLessThanOrEqual(6)
  })

  it('are signed by the key that all know', () => {
    const { header, root } = chain.head
    expect(lodestar.isSigned(chain.network, 0, root, [1n], header.signature)).toBe(true)
    expect(lodestar.isSigned(chain.network, 0, chain.finalized.root, [1n], header.signature)).toBe(false)
  })
})

describe('columns and sidecars', () => {
  it('are those of the types', async () => {
    const list = await ask(app, columns('head', '?indices=0,1,127'), SSZ)
    const { json } = await ask(app, columns('head', '?indices=0,1,127'))
    const values = lodestar.DataColumnSidecars.deserialize(list.bytes)
    expect(lodestar.DataColumnSidecars.toJson(values)).toEqual(json['data'])
    expect(lodestar.DataColumnSidecars.serialize(values)).toEqual(list.bytes)
    const sidecars = lodestar.BlobSidecars.deserialize(
      (await ask(app, blobSidecars('head', '?indices=1,7'), SSZ)).bytes,
    )
    expect(lodestar.BlobSidecars.toJson(sidecars)).toEqual(
      (await ask(app, blobSidecars('head', '?indices=1,7'))).json['data'],
    )
  })

  it('have branches to the body that the types find', async () => {
    const block = await decoded('/eth/v2/beacon/blocks/head', lodestar.SignedBeaconBlock)
    expect(chain.head.column(5).kzg_commitments_inclusion_proof.map(toHex)).toEqual(
      lodestar.commitmentsBranch(block).map(toHex),
    )
    for (const index of [0, 7]) {
      const sidecar = await chain.head.blobSidecar(index)
      expect(sidecar.kzg_commitment_inclusion_proof.map(toHex)).toEqual(
        lodestar.commitmentBranch(block, index).map(toHex),
      )
    }
  })
})

describe('light-client objects', () => {
  const base = '/eth/v1/beacon/light_client'

  it('are those of the types', async () => {
    await decoded(`${base}/bootstrap/${chain.checkpoint}`, lodestar.LightClientBootstrap)
    await decoded(`${base}/finality_update`, lodestar.LightClientFinalityUpdate)
    await decoded(`${base}/optimistic_update`, lodestar.LightClientOptimisticUpdate)
  })

  it('come in a stream of chunks, with the digest of the fork', async () => {
    const { json } = await ask(app, `${base}/updates?start_period=0&count=1`)
    const value = lodestar.LightClientUpdate.fromJson(json[0]!['data'])
    const ssz = lodestar.LightClientUpdate.serialize(value)
    const length = new Uint8Array(8)
    new DataView(length.buffer).setBigUint64(0, BigInt(ssz.length + 4), true)
    const stream = concat(length, lodestar.forkDigest(chain.network), ssz)
    expect((await ask(app, `${base}/updates?start_period=0&count=1`, SSZ)).bytes).toEqual(stream)
  })

  it('are signed by all 512 of the committee', async () => {
    const { json } = await ask(app, `${base}/optimistic_update`)
    const signature = json['data']!['sync_aggregate']!['sync_committee_signature']! as string
    const signed = chain.at(chain.head.slot - 1) ?? chain.at(chain.head.slot - 2)!
    const secrets = range(512).map((at) => BigInt(1 + at))
    expect(
      lodestar.isSigned(chain.network, 7, signed.root, secrets, Buffer.from(signature.slice(2), 'hex')),
    ).toBe(true)
    const { json: bootstrap } = await ask(app, `${base}/bootstrap/${chain.checkpoint}`)
    const { pubkeys, aggregate_pubkey } = bootstrap['data']!['current_sync_committee'] as unknown as {
      pubkeys: string[]
      aggregate_pubkey: string
    }
    expect(pubkeys).toEqual(secrets.map((secret) => lodestar.publicKey([secret])))
    expect(aggregate_pubkey).toBe(lodestar.publicKey(secrets))
  })
})
