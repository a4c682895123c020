/** What the tests of `blobcheck/serve` share: asking an app, and the made chains that several of them look at. */
import {
  createBeaconApp,
  type Faults,
  type MadeChain,
  makeChain,
  type MakeChainOptions,
  type MadeChainBlock,
} from 'blobcheck/serve'
import type { MadeBlock } from '../../dist/serve/synthetic/block.js'

export type App = ReturnType<typeof createBeaconApp>

export const SSZ = 'application/octet-stream'
export const JSON_TYPE = 'application/json'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The body as JSON. */
  readonly json: Json
}

/** What there may be in an answer; tests look no deeper than what they expect. */
export type Json = { readonly [name: string]: Json } & readonly Json[] & string

/** An app's answer, without a network. */
export async function ask(app: App, path: string, accept: string | null = JSON_TYPE): Promise<Answered> {
  const headers: Record<string, string> = accept === null ? {} : { accept }
  const response = await app.fetch(new Request(`http://beacon.test${path}`, { headers }))
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isJson = response.headers.get('content-type') === JSON_TYPE && bytes.length > 0
  const json = (isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null) as Json
  return { status: response.status, headers: response.headers, bytes, json }
}

/** A chain that is the same wherever it is made. */
export const madeChain: MakeChainOptions = { clock: 'by-hand', slots: 100, blobsPerBlock: 2 }

/** A chain whose time stands still. */
export async function handChain(options: MakeChainOptions = {}): Promise<MadeChain> {
  return await makeChain({ clock: 'by-hand', slots: 8, blobsPerBlock: 1, ...options })
}

/** A block of a made chain with all that it knows of itself, of which the entry shows no more than others need. */
export const insideOf = (block: MadeChainBlock): MadeBlock => block as MadeBlock

/** An app over a chain, with faults that a test may change. */
export function faultyApp(chain: MadeChain, seed = 1): { app: App; faults: Faults } {
  const faults: Faults = { seed, rules: [] }
  return { app: createBeaconApp({ chain, faults }), faults }
}

export const blobSidecars = (id: string | number, query = ''): string =>
  `/eth/v1/beacon/blob_sidecars/${id}${query}`
export const columns = (id: string | number, query = ''): string =>
  `/eth/v1/debug/beacon/data_column_sidecars/${id}${query}`
export const blobs = (id: string | number, query = ''): string => `/eth/v1/beacon/blobs/${id}${query}`
