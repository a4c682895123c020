/** A JSON-RPC server on loopback, over real HTTP: it answers what a test says, in any way that a test wants. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

export type Params = readonly unknown[]

/** An error that a method answers with. */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Methods by their name; any other does not exist (-32601). */
export type Methods = Readonly<Record<string, (...params: string[]) => unknown>>

/** What a request was. */
export interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: Params
}

/** Sends what would be the answer, as text, to a call; or anything else. */
export type Delivery = (text: string, response: ServerResponse, call: Call) => void

export interface RpcServer {
  readonly url: URL
  /** The methods that were called, in order. */
  readonly called: string[]
  readonly requests: {
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: unknown
  }[]
}

const running: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()))
})

export const plainly: Delivery = (text, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

/** A server that is closed when the test ends. */
export async function startRpc(
  methods: Methods,
  deliver: Delivery = plainly,
  path = '/',
): Promise<RpcServer> {
  const called: string[] = []
  const requests: RpcServer['requests'] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Call
      called.push(body.method)
      requests.push({ path: `${request.method} ${request.url}`, headers: request.headers, body })
      deliver(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...outcome(methods, body) }), response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: new URL(path, `http://127.0.0.1:${port}`), called, requests }
}

function outcome(methods: Methods, { method, params }: Call): object {
  try {
    const act = methods[method]
    if (act === undefined) throw new RpcError(-32601, `the method ${method} does not exist`)
    return { result: act(...(params as string[])) ?? null }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}
