/**
 * The page’s side of the simulated node. It runs in a worker of the page, and is asked through a `fetch` of its own: so it is the same
 * everywhere, in private windows and without HTTPS, too, where there is no service worker; nobody ends it while it is used, as a browser
 * does with service workers; and the prover in it has workers of its own, and delays nothing that the page’s service worker has to answer.
 */
import type { Fetch } from 'blobcheck/sampler'
import type { FromAnswer, FromNode, MadeNode, ToAnswer, ToNode } from './messages.ts'
import type { NodeFaults, PlainChainOptions } from './settings.ts'

export interface OpenOptions {
  readonly chain: PlainChainOptions
  readonly faults: NodeFaults
  readonly signal: AbortSignal
  /** Called with how many blobs are proved. */
  readonly onProgress: (done: number, total: number) => void
}

export class SimulatedNode {
  readonly made: MadeNode
  readonly #worker: Worker

  private constructor(worker: Worker, made: MadeNode) {
    this.#worker = worker
    this.made = made
  }

  /** Makes a chain. Rejects with the signal’s reason, and with an `Error` that says why where there can be no chain. */
  static open({ chain, faults, signal, onProgress }: OpenOptions): Promise<SimulatedNode> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const worker = new Worker(new URL('./node-worker.ts', import.meta.url), { type: 'module' })
      const fail = (reason: unknown): void => {
        worker.terminate()
        reject(reason)
      }
      // Once the chain is made this only ends the worker, with which all of its requests end.
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
      worker.addEventListener('error', ({ message }) =>
        fail(new Error(message || 'its worker could not be loaded')),
      )
      worker.addEventListener('message', ({ data }: MessageEvent<FromNode>) => {
        if (data.kind === 'proved') onProgress(data.done, data.total)
        else if (data.kind === 'failed') fail(new Error(data.why))
        else resolve(new SimulatedNode(worker, data.made))
      })
      post(worker, { kind: 'make', chain, faults })
    })
  }

  /** From the next answer on. */
  set(faults: NodeFaults): void {
    post(this.#worker, { kind: 'faults', faults })
  }

  /** Answers as the platform’s own does: it rejects where a redirect is refused, and a body that breaks off is one that fails. */
  readonly fetch: Fetch = (url, { headers, signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const { port1: port, port2 } = new MessageChannel()
      const say = (message: ToAnswer): void => port.postMessage(message)
      const end = (): void => {
        signal.removeEventListener('abort', cancel)
        port.close()
      }
      let body: ReadableStreamDefaultController<Uint8Array> | null = null
      /** Resolves the pull that waits for a part. */
      let pulled = (): void => {}
      const break_ = (reason: unknown): void => {
        end()
        if (body === null) reject(reason)
        else body.error(reason)
        pulled()
      }
      const cancel = (): void => {
        say('cancel')
        break_(signal.reason)
      }
      signal.addEventListener('abort', cancel)
      const stream = (): ReadableStream<Uint8Array> =>
        new ReadableStream(
          {
            start: (controller) => void (body = controller),
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
            body?.enqueue(data.bytes)
            return pulled()
          case 'end':
            end()
            body?.close()
            return pulled()
          case 'broken':
            return break_(new TypeError(data.why))
        }
      }
      post(this.#worker, { kind: 'request', url, headers }, [port2])
    })
}

function post(worker: Worker, message: ToNode, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer)
}
