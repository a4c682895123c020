/** Light clients that keep what they verified: what one leaves in a storage, and another that starts with it. */
import {
  type LightClient,
  type LightClientOptions,
  type LightClientStorage,
  MemoryStorage,
} from 'blobcheck/light-client'
import type { RecordOwner } from '../../dist/light-client/store/record-store.js'
import type { Chain } from '../lodestar/chain.mjs'
import type { BeaconServer } from './beacon-server.ts'
import { fromHex } from './bytes.ts'
import { startClient, startServer } from './clients.ts'

/** A client that was started with a storage, and the server that it asks. */
export interface Restart {
  readonly client: LightClient
  readonly server: BeaconServer
}

/** What is done with clients of one chain. */
export interface KeptClients {
  /** A client that has been at the head once, and is gone; what it left is in the storage. */
  fill(store: LightClientStorage): Promise<void>
  /** A client that begins with what is in the storage. */
  restart(store: LightClientStorage, options?: Partial<LightClientOptions>): Promise<Restart>
  /** What was kept, as one storage keeps it. */
  record(): Promise<{ key: string; bytes: Uint8Array }>
}

export function keptClients(chain: Chain): KeptClients {
  async function fill(store: LightClientStorage): Promise<void> {
    const { client } = await restart(store)
    await client.sync()
    await client.dispose()
  }

  async function restart(
    store: LightClientStorage,
    options: Partial<LightClientOptions> = {},
  ): Promise<Restart> {
    const server = await startServer(chain.oracle())
    return { server, client: await startClient(chain, server.url, { store, ...options }) }
  }

  async function record(): Promise<{ key: string; bytes: Uint8Array }> {
    const kept = new Map<string, Uint8Array>()
    await fill({
      get: async () => null,
      set: async (key, value) => void kept.set(key, value),
      delete: async () => {},
    })
    const [[key, bytes]] = [...kept] as [[string, Uint8Array]]
    return { key, bytes }
  }

  return { fill, restart, record }
}

/** Whether a client asked for the checkpoint's bootstrap. */
export const bootstrapped = ({ server }: Restart): boolean =>
  server.asked.some(({ path }) => path.includes('bootstrap'))

/** Whether a client asked for updates. */
export const updated = ({ server }: Restart): boolean =>
  server.asked.some(({ path }) => path.includes('updates'))

/** Whose record that of a chain's client is. */
export function ownerOf({ checkpoint, network }: Chain): RecordOwner {
  return {
    genesisValidatorsRoot: fromHex(network.signing!.genesisValidatorsRoot),
    checkpoint: fromHex(checkpoint),
  }
}

/** A storage with one entry. */
export async function holding(key: string, bytes: Uint8Array): Promise<MemoryStorage> {
  const store = new MemoryStorage()
  await store.set(key, bytes)
  return store
}
