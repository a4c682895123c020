/** Requests whose answers have not been sent to the end, by the connections that they came on. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Counts them. HTTP/1.1 lets a client send requests before it reads what it was answered, and each of those answers is kept until it does. What waits
 * behind another answer hears nothing of the end of its connection, which is why connections are what is counted by.
 */
export class RequestsUnderWay {
  readonly #byConnection = new Map<Socket, number>()
  #count = 0

  /** Of all connections. */
  get count(): number {
    return this.#count
  }

  /** Counts a request until it is answered, or its connection has ended. Returns how many that connection has under way, with this one. */
  add(socket: Socket, response: ServerResponse): number {
    if (!this.#byConnection.has(socket)) {
      this.#byConnection.set(socket, 0)
      socket.once('close', () => {
        this.#count -= this.#byConnection.get(socket)!
        this.#byConnection.delete(socket)
      })
    }
    response.once('close', () => {
      if (this.#byConnection.has(socket)) this.#change(socket, -1)
    })
    return this.#change(socket, 1)
  }

  #change(socket: Socket, by: number): number {
    const count = this.#byConnection.get(socket)! + by
    this.#byConnection.set(socket, count)
    this.#count += by
    return count
  }
}
