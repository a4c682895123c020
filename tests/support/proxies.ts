/** A proxy in front of endpoints over one made chain, asked over HTTP; all that a test started ends with its file. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Chain,
  createBeaconApp,
  type FaultRule,
  type Faults,
  makeChain,
  type MakeChainOptions,
} from 'blobcheck/serve'
import { afterAll } from 'vitest'
import { versionedHash } from '../../dist/beacon/hashes.js'
import { type LogEntry } from '../../dist/proxy/access-log.js'
import { type RunningProxy, startProxy, type StartProxyOptions } from '../../dist/proxy/start.js'
import { toHex } from './bytes.ts'
import { listen } from './listen.ts'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A folder that is deleted in the end. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-proxy-'))
  ends.push(async () => await rm(folder, { recursive: true, force: true }))
  return folder
}

/** A chain in which the first slots of each epoch differ: none, one, two and three blobs; slot 7 of each ten is empty. */
export async function proxiedChain(options: MakeChainOptions = {}): Promise<Chain> {
  return await makeChain({
    ...{ slots: 100, secondsPerSlot: 3600, signHeaders: false },
    blobsPerBlock: (slot) => slot % 4,
    isMissed: (slot) => slot % 10 === 7,
    ...options,
  })
}

/** An endpoint; `faults.rules` may be changed while it serves. */
export interface Endpoint {
  readonly url: string
  readonly faults: Faults
  /** Paths that it was asked for. */
  readonly asked: string[]
  /** What its answers wait for, where a test holds them. */
  gate: Promise<void> | null
}

export async function endpointOf(
  chain: Chain,
  rules: readonly FaultRule[] = [],
  seed = 1,
): Promise<Endpoint> {
  const faults: Faults = { seed, rules }
  const app = createBeaconApp({ chain, faults })
  const answer = async (request: Request): Promise<Response> => {
    endpoint.asked.push(new URL(request.url).pathname)
    await endpoint.gate
    return (await app.fetch(request)) as Response
  }
  const server = await listen(answer, 0, '127.0.0.1')
  ends.push(async () => await server.close())
  const endpoint: Endpoint = { url: server.url, faults, asked: [], gate: null }
  return endpoint
}

export interface Proxied {
  readonly proxy: RunningProxy
  readonly log: LogEntry[]
  readonly news: string[]
  readonly faults: Error[]
  /** Paths that were asked of endpoints. */
  readonly asked: string[]
}

/** Starts a proxy, and waits until it knows the head, where `isReady` is not false. */
export async function proxyOf(
  chain: Chain,
  beacon: readonly string[],
  options: Partial<StartProxyOptions> & { readonly isReady?: boolean } = {},
): Promise<Proxied> {
  const { isReady = true, ...given } = options
  const [log, news, faults, asked]: [LogEntry[], string[], Error[], string[]] = [[], [], [], []]
  const proxy = await startProxy({
    ...{ network: chain.network, checkpoint: chain.checkpoint, beacon },
    ...{ store: false, allowStale: false, cache: null, memoryBytes: 16e6, history: 10_000 },
    ...{ timeoutMs: 2_000, deadlineMs: 10_000, port: 0, host: '127.0.0.1', version: '1.2.3' },
    now: () => chain.now(),
    fetch: async (url, init) => {
      asked.push(new URL(url).pathname)
      return await fetch(url, init)
    },
    onNews: (text) => news.push(text),
    onAnswer: (entry) => log.push(entry),
    onFault: (error) => faults.push(error),
    ...given,
  })
  ends.push(async () => await proxy.stop(0))
  if (isReady) while ((proxy.status().head?.slot ?? 0) < chain.head.slot - 1) await pause(10)
  return { proxy, log, news, faults, asked }
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The body as JSON. */
  readonly json: Json
}

/** What there may be in an answer; tests look no deeper than what they expect. */
export type Json = { readonly [name: string]: Json } & readonly Json[] & string

/** An answer over HTTP. */
export async function ask(
  { proxy }: Pick<Proxied, 'proxy'>,
  path: string,
  headers: Record<string, string> = { accept: 'application/json' },
  init: RequestInit = {},
): Promise<Answered> {
  const response = await fetch(proxy.url + path, { headers, ...init })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isJson = response.headers.get('content-type') === 'application/json' && bytes.length > 0
  const json = (isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null) as Json
  return { status: response.status, headers: response.headers, bytes, json }
}

/** The versioned hashes of a block's blobs. */
export function hashesAt(chain: Chain, slot: number): string[] {
  return chain.at(slot)!.blobs.map(({ commitment }) => toHex(versionedHash(commitment)))
}

/** The blobs of a block, as an answer in JSON has them. */
export function blobsAt(chain: Chain, slot: number): string[] {
  return chain.at(slot)!.blobs.map(({ blob }) => toHex(blob))
}

/** Megabytes are compared by their digests: a difference would be printed. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
