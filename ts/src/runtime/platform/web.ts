/** Browsers, and what follows their interfaces. */
import type { Endpoint } from '../../vendor/comlink.ts'
import { readUrl } from '../../util/url.ts'
import { compileBytes, fetchAsset, fetchNamed } from './web-apis.ts'
import { after, every, turn } from './web-timers.ts'
import type { NativeHash, Platform, WorkerThread } from './platform.ts'

const SCRIPT_FAILED = 'the script could not be loaded: it is missing, or a policy (CSP, COEP) forbids it'

/** What tells that a page is being left, is left, and is come back to. Between the first two WebKit lets nothing be fetched, for as long as the next page is in coming. */
const TRANSITIONS = ['beforeunload', 'pagehide', 'pageshow']

/** A page that was to be left for so long stays: there was a download, or whoever was to leave it did not. */
const STAYS_MS = 5_000

const urls: Record<string, string> = {}

/** The Blob URL of a script; kept, since workers are started again. */
export function scriptUrl(code: string): string {
  return (urls[code] ??= URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
}

/**
 * Starts a worker. Browsers refuse a script of another origin (a CDN's) as it is; one that does nothing but import it they take, where
 * the other origin allows its use (CORS) and the page's policy (`worker-src`) both `blob:` and that origin. `script` is where the script is,
 * where the caller has said so; else `start` alone knows it. Throws what the browser throws.
 */
export function startWorker(start: () => Worker, script: URL | undefined): Worker {
  const url = script ?? addressIn(start)
  // Not tried as it is first: where Chromium and WebKit throw, Firefox has a worker that dies later. A script that is not from a server (`data:`)
  // has no other origin. Ours is that of our Blobs, since a page may have a global `origin` of another kind; a sandboxed frame has none of its own,
  // whatever its address, and so every script is of another one.
  return url?.protocol.startsWith('http') && url.origin !== new URL(scriptUrl('')).origin
    ? new Worker(scriptUrl(`import ${JSON.stringify(url.href)}`), { type: 'module' })
    : start()
}

/**
 * The address that `start` hands to `Worker`; `undefined` where it cannot be told. Bundlers make a file of a worker where they find
 * `new Worker(new URL('…', import.meta.url))`, and write its address there and nowhere else. What lies where that text leads after them may be
 * anybody's script, and must not be run. So `start` is called once before, with a `Worker` that does nothing but note the address; nothing else runs
 * before the browser's own is back.
 */
function addressIn(start: () => Worker): URL | undefined {
  const { Worker: own } = globalThis as { Worker?: typeof Worker }
  let address: URL | undefined
  // Where there is none, there is none afterwards.
  if (own)
    try {
      globalThis.Worker = function (url: URL | string) {
        // Trusted types have objects for addresses.
        address = readUrl(String(url), 'workerUrl')
      } as unknown as typeof Worker
      try {
        const started = start()
        // Whoever ignores it that the global is written to has started one.
        if (!address) started.terminate()
      } finally {
        globalThis.Worker = own
      }
    } catch {
      // A global that nobody may write to, or no address.
    }
  return address
}

/** A browser's worker as pools know threads. */
export function threadOf(worker: Worker): WorkerThread {
  return {
    endpoint: worker,
    onDeath(callback) {
      // A script that cannot be loaded arrives here with an empty message.
      worker.addEventListener('error', (event) => callback(new Error(event.message || SCRIPT_FAILED)), {
        once: true,
      })
      worker.addEventListener(
        'messageerror',
        () => callback(new Error('a message from the worker could not be read')),
        { once: true },
      )
    },
    terminate: () => worker.terminate(),
  }
}

/** The platform that this file is for. */
export const platform: Platform = {
  cores: () => globalThis.navigator?.hardwareConcurrency || 1,

  hasWorkers: () => !!globalThis.Worker,

  distrustsRelaxedSimd: () => null,

  async compile(url, init) {
    const response = await fetchNamed(url, init)
    try {
      return await WebAssembly.compileStreaming(response.clone())
    } catch {
      // Served with another type than application/wasm, or no streaming here.
      return await compileBytes(new Uint8Array(await response.arrayBuffer()), url)
    }
  },

  readAsset: fetchAsset,

  // A page has frames to draw: half as long a task as with twice the bytes.
  chunkBytes: 1 << 20,

  tellsOfEnds: false,

  lasting: (task) =>
    new Promise((resolve, reject) => {
      /** The task as it was begun last; and whether the page is being left since, or was. */
      let latest = { isLeft: false }
      const end = (): void => {
        latest = { isLeft: false }
        listen('removeEventListener')
      }
      const begin = (): void => {
        const own = (latest = { isLeft: false })
        void task().then(
          (result) => {
            end()
            resolve(result)
          },
          (cause: Error) => {
            // Begun again when the page is come back to, or here, where it stays.
            if (own.isLeft) after(STAYS_MS, () => own === latest && begin())
            else if (own === latest) {
              end()
              reject(cause)
            }
          },
        )
      }
      const heard = ({ type, persisted }: Event & { persisted?: boolean }): void => {
        if (type !== 'pageshow') latest.isLeft = true
        else if (persisted) begin()
      }
      // Not by a signal: what stands for a page in tests may have another `AbortController` than its own, whose signals it refuses.
      const listen = (how: 'addEventListener' | 'removeEventListener'): void =>
        TRANSITIONS.forEach((type) => globalThis[how]?.(type, heard))
      listen('addEventListener')
      begin()
    }),

  turn,
  after,
  every,
}

/** The platform's own SHA-256. */
export function nativeHash(): NativeHash | null {
  // Not in insecure contexts, whatever the types say.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return null
  return {
    name: 'webcrypto',
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes)),
    now: null,
  }
}

/** Inside a worker: the wire to who started it. */
export function parent(): Endpoint {
  return self as unknown as Endpoint
}
