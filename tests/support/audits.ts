/** Servers for audits: over a made chain, honest but for some slots. */
import { createBeaconApp, type FaultRule, type MadeChain } from 'blobcheck/serve'
import type { Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterEach, expect } from 'vitest'

/** What is wrong with which slots. */
export interface Flaws {
  /** Slots whose data it does not have. */
  readonly missing?: readonly number[]
  /** Slots of whose blobs it gives the first one with one byte changed. */
  readonly wrong?: readonly number[]
  /** Slots of whose blobs it gives a list that ends in a blob. */
  readonly unreadable?: readonly number[]
  /** Slots for whose data it has an error. */
  readonly failing?: readonly number[]
  readonly rules?: readonly FaultRule[]
  /** Told of each request. */
  readonly onRequest?: (path: string) => void
}

const DATA = /\/(blobs|blob_sidecars|data_column_sidecars)\/(0x[0-9a-f]{64})$/

/** Answers as a server with these flaws does. */
export function flawedApp(chain: MadeChain, flaws: Flaws = {}): (request: Request) => Promise<Response> {
  const app = createBeaconApp({ chain, faults: { seed: 1, rules: flaws.rules ?? [] } })
  const { missing = [], wrong = [], unreadable = [], failing = [], onRequest } = flaws
  return async (request) => {
    const { pathname } = new URL(request.url)
    onRequest?.(pathname)
    const [, route, root] = DATA.exec(pathname) ?? []
    const slot = root === undefined ? -1 : (chain.byRoot(root)?.slot ?? -1)
    if (failing.includes(slot)) return new Response('no', { status: 503 })
    if (missing.includes(slot)) return new Response('no', { status: 404 })
    const isFlawed = wrong.includes(slot) || unreadable.includes(slot)
    if (isFlawed && route !== 'blobs') return new Response('no', { status: 404 })
    const response = await app.fetch(request)
    if (!isFlawed) return response
    const body = new Uint8Array(await response.arrayBuffer())
    // The last byte of a field element, so that it stays one.
    body[31] = (body[31] ?? 0) ^ 1
    const sent = unreadable.includes(slot) ? body.subarray(0, -5) : body
    return new Response(sent, { headers: { 'content-type': 'application/octet-stream' } })
  }
}

const servers: Server[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map(close))
})

/** The URL of a server with these flaws. It is closed when the test ends. */
export async function flawedServer(chain: MadeChain, flaws: Flaws = {}): Promise<string> {
  const options = { port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }
  const server = serve({ fetch: flawedApp(chain, flaws), ...options }) as Server
  if (!server.listening) await once(server, 'listening')
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  if (server.listening) await once(server, 'close')
}

/** That the lines of a report have each slot of a range once, and ranges that cover it without an overlap. */
export function expectEachOnce(lines: readonly Record<string, unknown>[], from: number, to: number): void {
  const all = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const slots = lines.flatMap(({ event, slot }) => (event === 'slot' ? [Number(slot)] : []))
  expect(slots.toSorted((a, b) => a - b)).toEqual(all)
  const ranges = lines.filter(({ event }) => event === 'range') as unknown as { from: number; to: number }[]
  const covered = ranges.flatMap((range) =>
    Array.from({ length: range.to - range.from + 1 }, (_, at) => range.from + at),
  )
  expect(covered.toSorted((a, b) => a - b)).toEqual(all)
}
