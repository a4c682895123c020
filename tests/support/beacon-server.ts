/** A Beacon API server on loopback, over real HTTP: honest by default, and as bad as a test wants it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server says to one request. */
export interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

/** An answer in both forms; the server picks by the request's `accept`. Null: 404. */
export interface Told {
  readonly ssz: Uint8Array | null
  readonly json: unknown
  readonly version?: string
}

/** The data of a server, by path (with the query for updates). */
export type Oracle = (url: URL) => Told | null

/** What a server does with what it would say: anything, or nothing at all. */
export type Manner = (said: Said, request: IncomingMessage, response: ServerResponse) => void

export interface BeaconServer {
  readonly url: string
  /** What was asked: `path?query` and the `accept` header, in order. */
  readonly asked: { readonly path: string; readonly accept: string }[]
  close(): Promise<void>
}

/** Says what it is to say. */
export const plainly: Manner = ({ status = 200, headers = {}, body }, _request, response) => {
  response.writeHead(status, headers).end(body)
}

/** Serves an oracle's answers in a manner. */
export async function serve(oracle: Oracle, manner: Manner = plainly): Promise<BeaconServer> {
  const asked: BeaconServer['asked'] = []
  const server = createServer((request, response) => {
    const accept = request.headers.accept ?? ''
    asked.push({ path: request.url ?? '', accept })
    manner(say(oracle(new URL(request.url ?? '', 'http://loopback')), accept), request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function say(told: Told | null, accept: string): Said {
  if (told === null) {
    return { status: 404, headers: { 'content-type': 'application/json' }, body: '{"code":404}' }
  }
  const version = told.version === undefined ? {} : { 'eth-consensus-version': told.version }
  if (told.ssz !== null && accept.includes('octet-stream'))
    return { headers: { 'content-type': 'application/octet-stream', ...version }, body: told.ssz }
  const headers = { 'content-type': 'application/json', ...version }
  return { headers, body: JSON.stringify(told.json) }
}
