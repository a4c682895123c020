/** `blobcheck/serve/node`: a Beacon API, and the JSON-RPC of an execution node, on ports of this machine. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type BeaconAppOptions, createBeaconApp } from './app.ts'
import { createExecutionApp, type ExecutionAppOptions } from './execution/app.ts'
import { listen, type Listening } from './listen.ts'
import { embeddedSidecarsUrl } from './networks.ts'

const gunzipped = promisify(gunzip)

/** Options of `serveBeacon`: what is served, and where. */
export interface ServeBeaconOptions extends BeaconAppOptions {
  /** The TCP port; default 0, which takes any that is free. */
  readonly port?: number
  /** The address to listen on; default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
}

/** A Beacon API that listens: its `url`, and `close()`, which ends it together with the connections that are open. */
export interface BeaconServer extends Listening {}

/**
 * Serves a Beacon API over a chain on a port of this machine (Node only). Resolves when it listens; rejects with Node's error
 * (`EADDRINUSE`, `EACCES`, …) where the port cannot be had, and with `TypeError` for what is no port or no host.
 *
 * @example
 * ```ts
 * import { makeChain } from 'blobcheck/serve'
 * import { serveBeacon } from 'blobcheck/serve/node'
 *
 * const chain = await makeChain({ slots: 160, blobsPerBlock: 6 })
 * const server = await serveBeacon({ chain, port: 5052 })
 * console.log(server.url) // http://127.0.0.1:5052
 * await server.close()
 * ```
 */
export async function serveBeacon(options: ServeBeaconOptions): Promise<BeaconServer> {
  const { port = 0, host = '127.0.0.1' } = options
  return await listen(createBeaconApp(options).fetch, port, host)
}

/** Options of `serveExecution`: what is served, and where. */
export interface ServeExecutionOptions extends ExecutionAppOptions {
  /** The TCP port; default 0, which takes any that is free. */
  readonly port?: number
  /** The address to listen on; default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
}

/** A JSON-RPC of an execution node that listens: its `url`, and `close()`, which ends it together with the connections that are open. */
export interface ExecutionServer extends Listening {}

/**
 * Serves the JSON-RPC of an execution node over a chain on a port of this machine (Node only). Resolves when it listens; rejects with Node's
 * error (`EADDRINUSE`, `EACCES`, …) where the port cannot be had, and with `TypeError` for what is no port or no host.
 *
 * @example
 * ```ts
 * import { makeChain } from 'blobcheck/serve'
 * import { serveBeacon, serveExecution } from 'blobcheck/serve/node'
 *
 * const chain = await makeChain({ slots: 160, blobsPerBlock: 6 })
 * const [beacon, execution] = [await serveBeacon({ chain }), await serveExecution({ chain, port: 8545 })]
 * console.log(execution.url) // http://127.0.0.1:8545
 * await Promise.all([beacon.close(), execution.close()])
 * ```
 */
export async function serveExecution(options: ServeExecutionOptions): Promise<ExecutionServer> {
  const { port = 0, host = '127.0.0.1' } = options
  return await listen(createExecutionApp(options).fetch, port, host)
}

/**
 * Reads the sidecars of the real block that comes with the package: Holesky’s of slot 1409759, with six blobs. Resolves with the JSON
 * text that `realChain` takes (Node only); rejects with Node’s error where the file cannot be read.
 *
 * @example
 * ```ts
 * import { realChain } from 'blobcheck/serve'
 * import { readEmbeddedSidecars } from 'blobcheck/serve/node'
 *
 * const chain = await realChain({ sidecars: await readEmbeddedSidecars() })
 * console.log(chain.head.slot) // 1409759
 * ```
 */
export async function readEmbeddedSidecars(): Promise<string> {
  return (await gunzipped(await readFile(embeddedSidecarsUrl))).toString()
}
