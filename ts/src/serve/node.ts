/** `blobcheck/serve/node`: a Beacon API on a port of this machine. */
import { readFile } from 'node:fs/promises'
import { type BeaconAppOptions, createBeaconApp } from './app.ts'
import { listen, type Listening } from './listen.ts'
import { embeddedSidecarsUrl } from './networks.ts'

/** Options of `serveBeacon`: what is served, and where. */
export interface ServeBeaconOptions extends BeaconAppOptions {
  /** The TCP port; default 0, which takes any that is free. */
  readonly port?: number
  /** The address to listen on; default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
}

/** A server that listens: its `url`, and `close()`, which ends it together with the connections that are open. */
export type BeaconServer = Listening

/**
 * Serves a Beacon API over a chain on a port of this machine (Node only). Resolves when it listens; rejects with Node's error
 * (`EADDRINUSE`, `EACCES`, …) where the port cannot be had.
 *
 * @example
 * const chain = await makeChain({ slots: 160, blobsPerBlock: 6 })
 * const server = await serveBeacon({ chain, port: 5052 })
 * console.log(server.url) // http://127.0.0.1:5052
 * await server.close()
 */
export async function serveBeacon(options: ServeBeaconOptions): Promise<BeaconServer> {
  const { port = 0, host = '127.0.0.1' } = options
  return await listen(createBeaconApp(options).fetch, port, host)
}

/**
 * Reads the sidecars of the real block that comes with the package (Holesky, slot 1409759, six blobs): the JSON text that
 * `realChain` takes.
 */
export async function readEmbeddedSidecars(): Promise<string> {
  return await readFile(embeddedSidecarsUrl, 'utf8')
}
