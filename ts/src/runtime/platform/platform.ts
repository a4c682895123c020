/**
 * What differs between Node and browsers, and nothing else. `#platform` (package.json, `imports`) resolves to
 * `node.ts` or `web.ts`; both export what is declared here. What workers need of it are functions of their own, so that their scripts have
 * nothing else of it.
 */
import type { Endpoint } from '../../vendor/comlink.ts'
import type { ByteArray, PlatformModule, PlatformSignal, PlatformUrl } from '../../util/platform-types.ts'

/**
 * A worker thread, seen from the thread that started it.
 *
 * @internal
 */
export interface WorkerThread {
  /** Comlink's wire. */
  readonly endpoint: Endpoint
  /** Calls back at most once, when the thread has failed or ended without being asked to. */
  onDeath(callback: (cause: Error) => void): void
  /** Ends the thread at once. */
  terminate(): void
}

/** SHA-256 in native code, which WebAssembly is two to four times slower than. */
export interface NativeHash {
  readonly name: Exclude<Hashing, 'wasm'>
  /** The 32 bytes of a digest. Rejects where the platform cannot after all. */
  sha256(bytes: ByteArray): Uint8Array | Promise<Uint8Array>
  /** The digest of pieces in a row, at once; null where there are promises alone. */
  readonly now: ((pieces: readonly Uint8Array[]) => Uint8Array) | null
}

/** Who computes the SHA-256 of long data: `node` is `node:crypto`, `webcrypto` is `crypto.subtle`, `wasm` is this package's own module. */
export type Hashing = 'node' | 'webcrypto' | 'wasm'

/** What the request for a module may be called off with. */
export interface CompileOptions {
  readonly signal: PlatformSignal
}

/** What the package needs of a platform. */
export interface Platform {
  /** How many threads can run at once. */
  cores(): number
  /** Whether there is anything that a worker could be started by. */
  hasWorkers(): boolean
  /** Why relaxed SIMD must not be used although the engine may claim it, or null. */
  distrustsRelaxedSimd(): string | null
  /** Fetches, with these options, and compiles a module. */
  compile(url: PlatformUrl, init?: CompileOptions): Promise<PlatformModule>
  /** Reads a file of the package. `force-cache`: one that the browser kept will do, however old. */
  readAsset(url: PlatformUrl, cache: 'force-cache' | 'reload'): Promise<ByteArray>
  /** Bytes that a worker is best handed at a time: the more, the fewer messages, and the longer until the thread is let go. */
  readonly chunkBytes: number
  /** Whether a worker that ends says so in each case, so that no lock is to show it. */
  readonly tellsOfEnds: boolean
  /**
   * What a task comes to, which is begun anew where its page was left meanwhile and has been come back to, kept in memory: Firefox has forgotten
   * what it compiled then, and WebKit what it fetched. Where it fails while the page is being left, as all that is fetched does in WebKit, it has
   * not failed until it does so in the page that was come back to, or that stayed.
   */
  lasting<T>(task: () => Promise<T>): Promise<T>
  /** Resolves in a task of its own, once the thread has done what was waiting: what paints, answers and aborts. */
  turn(): Promise<void>
  /**
   * Calls back once so many milliseconds have passed, unless what it returns is called before. As `every` and `turn`, by what the engine had
   * when this code was loaded: tests put timers in the place of the global ones that stand still, or run ahead of workers.
   */
  after(ms: number, act: () => void): () => void
  /** Calls back each time that so many milliseconds have passed, until what it returns is called. Node lives for as long. */
  every(ms: number, act: () => void): () => void
}

/** The platform that this code runs on. */
export declare const platform: Platform

/** The platform's own SHA-256, or null where there is none: pages that are no secure contexts. */
export declare function nativeHash(): NativeHash | null

/**
 * Inside a worker thread: the wire to the thread that started it.
 *
 * @internal
 */
export declare function parent(): Endpoint
