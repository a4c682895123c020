/** The proxy on a port: it stops as a server should that others depend on. */
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { MAX_TIMER_MS } from '../util/timers.ts'
import { serve } from '../vendor/node-server.ts'
import { RequestsUnderWay } from './under-way.ts'

/** How often connections without a request are looked for while it stops, in milliseconds. */
const LOOK_MS = 50

/**
 * How long a connection is kept without a request, in milliseconds: longer than clients in Go do (90 s). One that is closed here as a request
 * is sent on it is an error there.
 */
const KEEP_ALIVE_MS = 100_000

/** How many answers one connection may wait for: no client that is known sends a request before it has read the answer to the one before. */
const MOST_PER_CONNECTION = 8

/** Where the server listens, and what it waits for. */
export interface ListenOptions {
  /** 0: any that is free. */
  readonly port: number
  readonly host: string
  /** After how many milliseconds in which nothing comes or goes a connection with a request is cut off: longer than any answer takes to begin. */
  readonly quietMs: number
}

/** A server that listens. */
export interface ProxyServer {
  /** Its address as `http://host:port`, without a slash at the end. */
  readonly url: string
  /**
   * Stops: no new connections, and each that is open is closed after the answer that it waits for. What is not done by `graceMs`
   * milliseconds is cut off; `beforeCut` is called then, before clients notice. Resolves with how many answers that were: 0 where all is well.
   */
  stop(graceMs: number, beforeCut?: () => void): Promise<number>
}

/**
 * Starts a server; resolves when it listens, and rejects with Node's error where the port cannot be had. `fetch` is told with each request how many
 * are under way with it, of all connections, those included whose answers are being sent.
 */
export async function listenGracefully(
  fetch: (request: Request, underWay: number) => Response | Promise<Response>,
  { port, host, quietMs }: ListenOptions,
): Promise<ProxyServer> {
  const underWay = new RequestsUnderWay()
  const server = serve({
    fetch: (request) => fetch(request, underWay.count),
    port,
    hostname: host,
    overrideGlobalObjects: false,
  }) as Server
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.timeout = Math.min(quietMs, MAX_TIMER_MS)
  let isStopping = false
  // Before the app hears of it.
  server.prependListener('request', ({ socket }, response) => {
    if (isStopping) response.setHeader('connection', 'close')
    if (underWay.add(socket, response) > MOST_PER_CONNECTION) socket.destroy()
  })
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('listening', () => resolve(server.address() as AddressInfo))
    server.once('error', reject)
  })
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    async stop(graceMs, beforeCut = () => {}) {
      isStopping = true
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Connections that were kept alive are idle from the end of their last answer on.
      const look = setInterval(() => server.closeIdleConnections(), LOOK_MS)
      server.closeIdleConnections()
      let cut = 0
      const limit = setTimeout(() => {
        cut = underWay.count
        beforeCut()
        server.closeAllConnections()
      }, graceMs)
      await closed
      clearInterval(look)
      clearTimeout(limit)
      return cut
    },
  }
}
