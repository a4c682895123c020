/** Node, and what follows its interfaces. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import type { Endpoint } from '../../vendor/comlink.ts'
import { after, every, turn } from './node-timers.ts'
import { compileBytes, fetchAsset } from './web-apis.ts'
import type { NativeHash, Platform, WorkerThread } from './platform.ts'

/** The part of a MessagePort or Worker of Node that Comlink needs. */
interface NodeWire {
  postMessage(message: unknown, transfer?: readonly import('node:worker_threads').Transferable[]): void
  on(event: 'message', listener: (data: unknown) => void): unknown
  off(event: 'message', listener: (data: unknown) => void): unknown
  start?(): void
}

/** Comlink speaks EventTarget; Node's wires speak EventEmitter. */
function endpoint(wire: NodeWire): Endpoint {
  const wrapped = new WeakMap<object, (data: unknown) => void>()
  return {
    postMessage: (message, transfer) => wire.postMessage(message, transfer as never),
    addEventListener: (_type, listener) => {
      const forward = (data: unknown): void => {
        const event = { data } as MessageEvent
        if (typeof listener === 'function') listener(event)
        else listener.handleEvent(event)
      }
      wire.on('message', forward)
      wrapped.set(listener, forward)
    },
    removeEventListener: (_type, listener) => {
      const forward = wrapped.get(listener)
      if (forward !== undefined) wire.off('message', forward)
    },
    start: () => wire.start?.(),
  }
}

function sha256(pieces: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  // Not the Buffer itself: it lies in memory that it shares, all of which would travel with it.
  return new Uint8Array(hash.digest())
}

/**
 * Starts a worker from a file. Where the script of the process came from its command line or its standard input, the worker would be given
 * `--input-type`, which Node refuses for a file. Else it is given what the process was, as is the default: whatever is named is held to be an
 * option for workers.
 */
export function startThread(url: URL): WorkerThread {
  // A `process` of a bundler's has no such list.
  const isFile = !process.execArgv?.some((option) => option.startsWith('--input-type'))
  return threadOf(new Worker(url, isFile ? {} : { execArgv: [] }))
}

/** A worker of Node as pools know threads. */
function threadOf(worker: Worker): WorkerThread {
  const wire = endpoint(worker as NodeWire)
  return {
    endpoint: {
      ...wire,
      addEventListener(...args) {
        wire.addEventListener(...args)
        // A pool that nobody disposed of must not keep a script from ending; calls in flight hold it. Each time: who
        // listens to a worker refs it.
        worker.unref()
      },
    },
    onDeath(callback) {
      worker.once('error', (error) => callback(error instanceof Error ? error : new Error(String(error))))
      worker.once('messageerror', (error) => callback(error))
      worker.once('exit', (code) => callback(new Error(`worker thread exited with code ${code}`)))
    },
    terminate: () => void worker.terminate(),
  }
}

/** The platform that this file is for. */
export const platform: Platform = {
  cores: () => availableParallelism(),

  hasWorkers: () => true,

  distrustsRelaxedSimd() {
    const [major = 0] = (process.versions.node ?? '').split('.').map(Number)
    // V8 11.3 has relaxed SIMD behind a flag, and its baseline compiler gets a neighbouring instruction wrong.
    return major < 22 ? `Node ${major} miscompiles relaxed SIMD` : null
  },

  async compile(url, init) {
    const bytes = url.protocol === 'file:' ? await readFile(url) : await fetchAsset(url, 'reload', init)
    return await compileBytes(bytes, url)
  },

  readAsset: async (url, cache) =>
    url.protocol === 'file:' ? new Uint8Array(await readFile(url)) : await fetchAsset(url, cache),

  chunkBytes: 2 << 20,

  tellsOfEnds: true,

  lasting: (task) => task(),

  turn,
  after,
  every,
}

/** Node's SHA-256. Not WebCrypto: its threads would compete with the workers for the cores, and its promises cost a turn each. */
export function nativeHash(): NativeHash | null {
  return { name: 'node', sha256: (bytes) => sha256([bytes]), now: sha256 }
}

/** Inside a worker thread: the wire to the thread that started it. */
export function parent(): Endpoint {
  if (parentPort === null) throw new Error('blobcheck/worker is to be run as a worker thread')
  return endpoint(parentPort as NodeWire)
}
