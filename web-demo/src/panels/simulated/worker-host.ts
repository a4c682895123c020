/** A worker of the page that answers as a service worker does elsewhere: through a `fetch` of its own. */
import script from 'virtual:simulated-node'
import type { Asked, Host } from './host.ts'
import type { FromAnswer, ToAnswer, ToNode } from './messages.ts'

export class WorkerHost implements Host {
  readonly url = null
  readonly why: string
  readonly #worker: Worker
  /** Aborted when the worker is gone, with why. */
  readonly #end = new AbortController()

  /** The worker ends with the signal. */
  constructor(why: string, signal: AbortSignal) {
    this.why = why
    this.#worker = new Worker(script, { type: 'module' })
    const end = (reason: unknown): void => {
      this.#worker.terminate()
      this.#end.abort(reason)
    }
    signal.addEventListener('abort', () => end(signal.reason), { once: true })
    this.#worker.addEventListener('error', ({ message }) =>
      end(new Error(message || 'its worker could not be loaded')),
    )
  }

  /** Answers as the platform’s own does: it rejects where a redirect is refused, and a body that breaks off is one that fails. */
  ask(path: string, { method, headers = {}, body, signal }: Asked): Promise<Response> {
    return new Promise((resolve, reject) => {
      const signals = [signal, this.#end.signal]
      for (const each of signals) each.throwIfAborted()
      const { port1: port, port2 } = new MessageChannel()
      const say = (message: ToAnswer): void => port.postMessage(message)
      const end = (): void => {
        for (const each of signals) each.removeEventListener('abort', cancel)
        port.close()
      }
      let controller: ReadableStreamDefaultController<Uint8Array> | null = null
      /** Resolves the pull that waits for a part. */
      let pulled = (): void => {}
      const break_ = (reason: unknown): void => {
        end()
        if (controller === null) reject(reason as Error)
        else controller.error(reason)
        pulled()
      }
      const cancel = (): void => {
        say('cancel')
        break_(signals.find(({ aborted }) => aborted)?.reason)
      }
      for (const each of signals) each.addEventListener('abort', cancel)
      const stream = (): ReadableStream<Uint8Array> =>
        new ReadableStream(
          {
            start: (own) => void (controller = own),
            pull: () =>
              new Promise((resolve) => {
                pulled = resolve
                say('next')
              }),
            cancel: () => {
              say('cancel')
              end()
            },
          },
          { highWaterMark: 0 },
        )
      port.onmessage = ({ data }: MessageEvent<FromAnswer>): void => {
        switch (data.kind) {
          case 'head': {
            const { status } = data
            const headers = data.headers.map(([name, value]): [string, string] => [name, value])
            if (status < 300 || status > 399) return resolve(new Response(stream(), { status, headers }))
            say('cancel')
            return break_(new TypeError('it was redirected, which is refused'))
          }
          case 'part':
            controller?.enqueue(data.bytes)
            return pulled()
          case 'end':
            end()
            controller?.close()
            return pulled()
          case 'broken':
            return break_(new TypeError(data.why))
        }
      }
      const message: ToNode = { path, method: method ?? 'GET', headers, body: body ?? null }
      this.#worker.postMessage(message, [port2])
    })
  }
}
