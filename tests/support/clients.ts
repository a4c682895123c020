/** What the tests of the light client share: servers that go when a test ends, and clients that are disposed of. */
import { LightClient, type LightClientOptions, type LightClientReport } from 'blobcheck/light-client'
import { afterEach, expect } from 'vitest'
import type { Chain } from '../lodestar/chain.mjs'
import { type BeaconServer, type Manner, type Oracle, plainly, serve } from './beacon-server.ts'

const servers: BeaconServer[] = []
const clients: LightClient[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that is closed when the test ends. */
export async function startServer(oracle: Oracle, manner: Manner = plainly): Promise<BeaconServer> {
  const server = await serve(oracle, manner)
  servers.push(server)
  return server
}

/** A client of a made chain, at its head's time, that is disposed of when the test ends. It keeps nothing. */
export async function startClient(
  chain: Chain,
  beacon: LightClientOptions['beacon'],
  options: Partial<LightClientOptions> = {},
): Promise<LightClient> {
  const { network, checkpoint, now } = chain
  return await enter({ network, checkpoint, beacon, now, store: false, allowStale: true, ...options })
}

/** A client that is disposed of when the test ends. */
export async function enter(options: LightClientOptions): Promise<LightClient> {
  const client = await LightClient.fromCheckpoint(options)
  clients.push(client)
  return client
}

/** From the checkpoint to the head, once. */
export async function followOnce(
  chain: Chain,
  beacon: LightClientOptions['beacon'],
  options: Partial<LightClientOptions> = {},
): Promise<LightClientReport> {
  return await (await startClient(chain, beacon, options)).sync()
}

/** That a client is where the chain is, and knows all of it from its checkpoint. */
export function expectHead(report: LightClientReport, chain: Chain): void {
  expect(report.finalized.slot).toBe(chain.finalized.slot)
  expect(report.optimistic.slot).toBe(chain.optimistic.slot)
  expect(report.links).toEqual({ header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' })
}
