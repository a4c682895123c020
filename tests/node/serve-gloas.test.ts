/** A made chain over the fork to Gloas: in another implementation's types, and followed by the light client. */
import { LightClient } from 'blobcheck/light-client'
import { createBeaconApp, type MadeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'
import { beforeAll, describe, expect, it } from 'vitest'
import * as lodestar from '../lodestar/types.mjs'
import { toHex } from '../support/bytes.ts'
import { type App, ask, blobSidecars, columns, handChain, insideOf, SSZ } from '../support/served.ts'

const { Gloas } = lodestar
const FORK = 4 * 32

let chain: MadeChain
let app: App
beforeAll(async () => {
  // Blocks of Fulu from epoch 2 on, of Gloas from epoch 4 on; the payload of one in seven is never revealed.
  chain = await handChain({
    ...{ slots: 130, blobsPerBlock: 2, gloasForkEpoch: 4 },
    ...{ isMissed: (slot) => slot % 11 === 4, isPayloadWithheld: (slot) => slot % 7 === 3 },
  })
  app = createBeaconApp({ chain })
})

/** Both forms of an answer as values of a type, which must be the same, and must be written as they were read. */
async function decoded(path: string, type: lodestar.LodestarType): Promise<lodestar.Value> {
  const [ssz, json] = [await ask(app, path, SSZ), await ask(app, path)]
  const value = type.deserialize(ssz.bytes)
  expect(type.serialize(value)).toEqual(ssz.bytes)
  expect(type.equals(type.fromJson(json.json['data']), value)).toBe(true)
  return value
}

const slotsOf = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at).filter((slot) => chain.at(slot) !== null)

describe('blocks of Gloas', () => {
  it('have the roots that the types have, and each payload builds on the last that was revealed', async () => {
    const label = chain.network.label
    expect(label).toContain('Gloas from epoch 4')
    expect(chain.at(FORK - 1)?.version).toBe('fulu')
    let latest = insideOf(chain.at(FORK - 1)!).payload.block_hash
    let withheld = 0
    for (const slot of slotsOf(FORK, FORK + 30)) {
      const block = await decoded(`/eth/v2/beacon/blocks/${slot}`, Gloas.SignedBeaconBlock)
      const { header, root } = chain.at(slot)!
      expect(toHex(Gloas.blockRoot(block))).toBe(root)
      expect(toHex(Gloas.bodyRoot(block))).toBe(toHex(header.message.body_root))
      const bid = Gloas.bidOf(block)
      expect(toHex(bid.parentBlockHash)).toBe(toHex(latest))
      expect(bid.blobKzgCommitments).toHaveLength(2)
      const envelope = `/eth/v1/beacon/execution_payload_envelopes/${slot}`
      if (slot % 7 === 3) {
        withheld++
        expect((await ask(app, envelope)).status).toBe(404)
      } else {
        const payload = Gloas.payloadOf(await decoded(envelope, Gloas.SignedExecutionPayloadEnvelope))
        expect(toHex(payload.blockHash)).toBe(toHex(bid.blockHash))
        expect(toHex(payload.parentHash)).toBe(toHex(latest))
        latest = bid.blockHash
      }
    }
    expect(withheld).toBeGreaterThan(2)
  })

  it('are signed under the version of Gloas', () => {
    const { header, root } = chain.at(FORK)!
    expect(lodestar.isSigned(chain.network, 0, root, [1n], header.signature, 'gloas')).toBe(true)
    expect(lodestar.isSigned(chain.network, 0, root, [1n], header.signature, 'fulu')).toBe(false)
  })

  it('prove what they build on, where the light client looks', async () => {
    const block = await decoded(`/eth/v2/beacon/blocks/${FORK + 2}`, Gloas.SignedBeaconBlock)
    expect(insideOf(chain.at(FORK + 2)!).blockHashHeader.execution_branch.map(toHex)).toEqual(
      Gloas.executionBranch(block).map(toHex),
    )
  })
})

describe('columns of Gloas', () => {
  it('are those of the types, and there are none of a payload that was withheld', async () => {
    const slot = FORK + 9
    const list = await ask(app, columns(`${slot}`, '?indices=0,127'), SSZ)
    const values = Gloas.DataColumnSidecars.deserialize(list.bytes)
    expect(Gloas.DataColumnSidecars.serialize(values)).toEqual(list.bytes)
    const { json } = await ask(app, columns(`${slot}`, '?indices=0,127'))
    expect(json['version']).toBe('gloas')
    expect(Gloas.DataColumnSidecars.toJson(values)).toEqual(json['data'])
    expect(json['data']).toMatchObject([
      { index: '0', slot: `${slot}`, beacon_block_root: chain.at(slot)!.root },
      { index: '127' },
    ])
    const withheld = slotsOf(FORK, FORK + 30).find((one) => one % 7 === 3)!
    expect((await ask(app, columns(`${withheld}`))).json['data']).toEqual([])
    expect((await ask(app, blobSidecars(`${slot}`))).status).toBe(400)
  })
})

describe('light-client objects of Gloas', () => {
  const base = '/eth/v1/beacon/light_client'

  it('are those of the types', async () => {
    await decoded(`${base}/bootstrap/${chain.at(FORK)!.root}`, Gloas.LightClientBootstrap)
    await decoded(`${base}/finality_update`, Gloas.LightClientFinalityUpdate)
    await decoded(`${base}/optimistic_update`, Gloas.LightClientOptimisticUpdate)
    const { bytes } = await ask(app, `${base}/updates?start_period=0&count=1`, SSZ)
    expect(bytes.subarray(8, 12)).toEqual(lodestar.forkDigest(chain.network, 'gloas'))
    const update = Gloas.LightClientUpdate.deserialize(bytes.subarray(12))
    expect(Gloas.LightClientUpdate.serialize(update)).toEqual(bytes.subarray(12))
  })
})

describe('a light client', () => {
  it('follows the chain over the fork, slot by slot and in leaps', async () => {
    const small = await handChain({
      ...{
        slots: 30,
        blobsPerBlock: 0,
        gloasForkEpoch: 8,
        isPayloadWithheld: (slot: number) => slot % 5 === 2,
      },
      ...{ slotsPerEpoch: 8, epochsPerSyncCommitteePeriod: 8, syncCommitteeSize: 32 },
    })
    const fork = 8 * 8
    const server = await serveBeacon({ chain: small })
    const { network, checkpoint } = small
    const now = (): number => small.now()
    const client = await LightClient.fromCheckpoint({
      network,
      checkpoint,
      beacon: server.url,
      now,
      store: false,
    })
    try {
      await client.sync()
      expect(client.optimistic.slot).toBeLessThan(fork)
      let mixed = 0
      for (let at = 0; at < 40; at++) {
        small.advance(at < 36 ? 2 : 50)
        const report = await client.sync()
        // The head signs its parent.
        expect(client.optimistic.root).toBe(toHex(small.head.header.message.parent_root))
        expect(report.endpoints[0]?.failures).toEqual({})
        const block = small.byRoot(client.optimistic.root)!
        const { execution, parentExecutionBlockHash } = client.optimistic
        if (block.version === 'gloas') {
          expect(execution).toBeNull()
          expect(parentExecutionBlockHash).toBe(toHex(insideOf(block).blockHashHeader.execution_block_hash))
          mixed += client.finalized.slot < fork ? 1 : 0
        } else {
          expect(execution?.blockHash).toBe(toHex(insideOf(block).payload.block_hash))
          expect(parentExecutionBlockHash).toBeNull()
        }
      }
      expect(mixed).toBeGreaterThan(3)
      expect(client.finalized.slot).toBeGreaterThan(fork + 128)
      expect(client.report().links).toEqual({
        header: 'verified',
        'sync-committee': 'verified',
        checkpoint: 'verified',
      })
    } finally {
      await client.dispose()
      await server.close()
    }
  })
})
