/** `blobcheck/serve/node`: the app behind a port of this machine. */
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type BeaconAppOptions, createBeaconApp } from './app.ts'
import { embeddedSidecarsUrl } from './real/embedded.ts'

export interface ServeBeaconOptions extends BeaconAppOptions {
  /** Default 0: any that is free. */
  readonly port?: number
  /** Default 127.0.0.1: nobody but this machine. */
  readonly host?: string
}

/** A server that listens. */
export interface BeaconServer {
  /** Without a slash at its end. */
  readonly url: string
  /** Ends it, with the connections that are open. */
  close(): Promise<void>
}

/** Listens; rejects where the port cannot be had. */
export async function serveBeacon(options: ServeBeaconOptions): Promise<BeaconServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const app = createBeaconApp(options)
  // The app's own classes will do: nobody's globals are to change because a server listens.
  const server = serve({ fetch: app.fetch, port, hostname: host, overrideGlobalObjects: false })
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('listening', () => resolve(server.address() as AddressInfo))
    server.once('error', reject)
  })
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

/** The sidecars of the embedded block, for `realChain`. */
export async function readEmbeddedSidecars(): Promise<string> {
  return await readFile(embeddedSidecarsUrl, 'utf8')
}
