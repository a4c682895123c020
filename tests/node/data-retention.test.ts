/** For how long nodes must serve the data of a block, as the network's config says: who has none of an older one is accused of nothing. */
import { createVerifier, type Verifier } from 'blobcheck'
import { createBlobSource } from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import { createSampler } from 'blobcheck/sampler'
import type { FaultRule, MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networkFile } from '../support/beacons.ts'
import { blobcheckHere, jsonLines } from '../support/cli.ts'
import { handChain } from '../support/served.ts'

let chain: MadeChain
let server: BeaconServer
let verifier: Verifier
let client: LightClient
/** The first slot of which nodes must still have the data. */
let first: number
beforeAll(async () => {
  chain = await handChain({
    ...{ slots: 100, slotsPerEpoch: 8, epochsPerSyncCommitteePeriod: 8, syncCommitteeSize: 32 },
    ...{ signHeaders: false, dataRetentionEpochs: 4 },
  })
  // A node that has no data of any block.
  const rules: FaultRule[] = [
    { fault: { kind: 'withhold', columns: 128 } },
    { fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] },
  ]
  server = await serveBeacon({ chain, faults: { rules } })
  const { checkpoint, network } = chain
  const common = { checkpoint, network, beacon: server.url, now: () => chain.now() }
  verifier = await createVerifier({ network, workers: 1, cache: false })
  client = await LightClient.fromCheckpoint({ ...common, store: false })
  await client.sync()
  first = 8 * (Math.floor(chain.head.slot / 8) - 4)
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
  await server.close()
})

describe('a block whose data nobody has', () => {
  const options = () => ({ verifier, headers: client, beacon: server.url, now: () => chain.now() })

  it('is unavailable to the sampler while nodes must have it, and expired before', async () => {
    const sampler = createSampler(options())
    const finding = async (slot: number) => {
      const { verdict, reason } = await sampler.sampleBlock(slot)
      return [verdict, reason]
    }
    expect(await finding(first)).toEqual(['unavailable', 'columns-missing'])
    expect(await finding(first - 1)).toEqual(['unknown', 'expired'])
  })

  it('is not served to a source of blobs while nodes must have it, and expired before', async () => {
    const source = createBlobSource(options())
    expect(await source.get({ slot: first })).toMatchObject({ verdict: 'missing', reason: 'not-served' })
    expect(await source.get({ slot: first - 1 })).toMatchObject({ verdict: 'missing', reason: 'expired' })
  })

  it('is judged so on the command line, by the file of --network', async () => {
    const network = ['--network', await networkFile(chain), '--checkpoint', chain.checkpoint]
    const terms = ['--now', String(chain.now() / 1000), '--no-store', '--json', '--beacon', server.url]
    const sampled = async (slot: number) => {
      const { code, out } = await blobcheckHere(['sample', ...network, ...terms, '--block', String(slot)])
      return [code, jsonLines(out).find(({ event }) => event === 'report')]
    }
    expect(await sampled(first)).toMatchObject([1, { reason: 'columns-missing' }])
    expect(await sampled(first - 1)).toMatchObject([3, { reason: 'expired' }])
  })
})
