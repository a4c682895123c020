/** Browsers, and what follows their interfaces. */
import type { Endpoint } from 'comlink'
import { fetchAsset } from './web-apis.ts'
import type { Platform, WorkerThread } from './platform.ts'

/** A browser's worker as pools know threads. */
export function threadOf(worker: Worker): WorkerThread {
  return {
    endpoint: worker,
    onDeath(callback) {
      // A script that cannot be loaded arrives here with an empty message.
      worker.addEventListener(
        'error',
        (event) => callback(new Error(event.message || 'the worker script failed to load')),
        { once: true },
      )
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
  cores: () => navigator.hardwareConcurrency || 1,

  distrustsRelaxedSimd: () => null,

  async compile(url) {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url.href} answered ${response.status}`)
    try {
      return await WebAssembly.compileStreaming(response.clone())
    } catch {
      // Served with another type than application/wasm, or no streaming here.
      return WebAssembly.compile(await response.arrayBuffer())
    }
  },

  readAsset: fetchAsset,

  nativeHash() {
    // Not in insecure contexts, whatever the types say.
    const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
    if (subtle === undefined) return null
    return {
      name: 'webcrypto',
      sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes)),
      now: null,
    }
  },

  // A page has frames to draw: half as long a task as with twice the bytes.
  chunkBytes: 1 << 20,

  // By a message: timers that follow one another wait for four milliseconds.
  turn: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(null)
    }),

  parent: () => self as unknown as Endpoint,
}
