/** An HTTP server on a port of this machine, for any app that answers with `fetch`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { disposeBy } from '../util/disposable.ts'
import type { PlatformDisposable } from '../util/platform-types.ts'
import { serve } from '../vendor/node-server.ts'

/** A server that listens. */
export interface Listening extends PlatformDisposable {
  /** Its address as `http://host:port`, without a slash at the end. */
  readonly url: string
  /**
   * Stops listening and ends the connections that are open; resolves when all of them are closed. May be called more than once; `await using`
   * calls it where the engine has `Symbol.asyncDispose`.
   */
  close(): Promise<void>
}

/**
 * Starts a server; resolves when it listens, and rejects with Node's error where the port cannot be had. Port 0 is any that is free. Throws
 * `TypeError` for what is no port or no host: Node takes text for the path of a socket in the file system, where nobody would look for a server.
 *
 * @internal
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  host: string,
): Promise<Listening> {
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new TypeError('port must be an integer from 0 to 65,535')
  if (typeof host !== 'string') throw new TypeError('host must be a string')
  // The app's own classes will do: nobody's globals are to change because a server listens.
  const server = serve({ fetch, port, hostname: host, overrideGlobalObjects: false })
  server.on('request', endWithConnection)
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('listening', () => resolve(server.address() as AddressInfo))
    server.once('error', reject)
  })
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const listening = {
    url: `http://${name}:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  } satisfies Omit<Listening, typeof Symbol.asyncDispose>
  disposeBy(listening, listening.close)
  return listening as Listening
}

/**
 * Ends the answer to a request with its connection. Node closes the answer that is being sent, and the requests; of pipelined
 * requests, the answers that wait for their turn never learn that nobody reads them: an event stream would go on for ever,
 * and keep the process alive.
 */
function endWithConnection(request: IncomingMessage, response: ServerResponse): void {
  const isSent = (): boolean => response.writableFinished || response.closed
  const end = (): void => {
    if (isSent()) return
    response.destroy()
    response.emit('close')
  }
  request.once('close', () => {
    const { socket } = request
    if (isSent() || socket.destroyed) return end()
    // A request with a body is closed when that has been read, long before its connection is.
    socket.once('close', end)
    response.once('close', () => socket.off('close', end))
  })
}
