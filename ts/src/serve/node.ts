/** `blobcheck/serve/node`: the app behind a port of this machine. */
import { readFile } from 'node:fs/promises'
import { type BeaconAppOptions, createBeaconApp } from './app.ts'
import { listen, type Listening } from './listen.ts'
import { embeddedSidecarsUrl } from './real/embedded.ts'

export interface ServeBeaconOptions extends BeaconAppOptions {
  /** Default 0: any that is free. */
  readonly port?: number
  /** Default 127.0.0.1: nobody but this machine. */
  readonly host?: string
}

/** A server that listens. */
export type BeaconServer = Listening

/** Listens; rejects where the port cannot be had. */
export async function serveBeacon(options: ServeBeaconOptions): Promise<BeaconServer> {
  const { port = 0, host = '127.0.0.1' } = options
  return await listen(createBeaconApp(options).fetch, port, host)
}

/** The sidecars of the embedded block, for `realChain`. */
export async function readEmbeddedSidecars(): Promise<string> {
  return await readFile(embeddedSidecarsUrl, 'utf8')
}
