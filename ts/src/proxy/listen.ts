/** The proxy on a port: it stops as a server should that others depend on. */
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { serve } from '../vendor/node-server.ts'

/** How often connections without a request are looked for while it stops, in milliseconds. */
const LOOK_MS = 50

/**
 * How long a connection is kept without a request, in milliseconds: longer than clients in Go do (90 s). One that is closed here as a request
 * is sent on it is an error there.
 */
const KEEP_ALIVE_MS = 100_000

/** A server that listens. */
export interface ProxyServer {
  /** Its address as `http://host:port`, without a slash at the end. */
  readonly url: string
  /**
   * Stops: no new connections, and each that is open is closed after the answer that it waits for. What is not done by `graceMs`
   * milliseconds is cut off. Resolves with how many answers that were: 0 where all is well.
   */
  stop(graceMs: number): Promise<number>
}

/** Starts a server; resolves when it listens, and rejects with Node's error where the port cannot be had. Port 0 is any that is free. */
export async function listenGracefully(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  host: string,
): Promise<ProxyServer> {
  const server = serve({ fetch, port, hostname: host, overrideGlobalObjects: false }) as Server
  server.keepAliveTimeout = KEEP_ALIVE_MS
  let isStopping = false
  let underWay = 0
  server.on('request', (_request, response) => {
    underWay++
    if (isStopping) response.setHeader('connection', 'close')
    response.once('close', () => underWay--)
  })
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('listening', () => resolve(server.address() as AddressInfo))
    server.once('error', reject)
  })
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    async stop(graceMs) {
      isStopping = true
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Connections that were kept alive are idle from the end of their last answer on.
      const look = setInterval(() => server.closeIdleConnections(), LOOK_MS)
      server.closeIdleConnections()
      let cut = 0
      const limit = setTimeout(() => {
        cut = underWay
        server.closeAllConnections()
      }, graceMs)
      await closed
      clearInterval(look)
      clearTimeout(limit)
      return cut
    },
  }
}
