/** The worker threads behind a verifier: how to kill them, and how to start ones that have traps in them. */
import { inBrowser } from './files.ts'
import { turn } from './make.ts'

export interface Threads {
  /** How many were started since the watch began. */
  readonly started: number
  /**
   * Kills all that have come to life, without a word: in browsers no event tells of it. (Nor of the death of one that
   * is about to start, for which nothing is left but to wait until it should have.) Resolves once whoever started them
   * has noticed.
   */
  killAll(): Promise<void>
  /** Kills one of them, in the same way. */
  killOne(random: () => number): Promise<void>
  /** Ends the watch. */
  stop(): void
}

interface Thread {
  terminate(): unknown
}

/**
 * How to kill those that can be killed: they have been set up, and whoever started them has not let go of them. It resolves once the owner, who
 * has noticed, lets go of the thread by terminating it once more.
 */
const alive = new WeakMap<Thread, () => Promise<void>>()

/** Kills a thread that is alive. */
async function kill(thread: Thread): Promise<void> {
  await alive.get(thread)?.()
}

/** To be called for each thread as it starts. What it returns says that the thread is alive, unless its owner has let go of it by then. */
function attend(thread: Thread): () => void {
  const terminate = thread.terminate.bind(thread)
  let isLetGo = false
  const letGo = new Promise<void>((resolve) => {
    // A thread that died by itself is let go of in the same way.
    thread.terminate = () => {
      isLetGo = true
      alive.delete(thread)
      resolve()
      return terminate()
    }
  })
  const end = async (): Promise<void> => {
    alive.delete(thread)
    void terminate()
    await letGo
  }
  return () => void (isLetGo || alive.set(thread, end))
}

/** Gets hold of all worker threads that start from now on. */
export async function watchThreads(): Promise<Threads> {
  // Node tells of a thread a moment after it has started. One that its owner has let go of by then is of a test before: nobody would notice
  // that it was killed.
  await turn()
  const threads: Thread[] = []
  const stop = inBrowser ? watchInBrowser(threads) : watchInNode(threads)
  return {
    get started() {
      return threads.length
    },
    killAll: async () => void (await Promise.all(threads.map(kill))),
    async killOne(random) {
      const living = threads.filter((thread) => alive.has(thread))
      const thread = living[Math.floor(random() * living.length)]
      if (thread !== undefined) await kill(thread)
    },
    stop,
  }
}

function watchInNode(threads: Thread[]): () => void {
  const listener = (worker: Thread): void => {
    threads.push(worker)
    attend(worker)() // its exit is told in any case
  }
  process.on('worker', listener)
  return () => void process.off('worker', listener)
}

function watchInBrowser(threads: Thread[]): () => void {
  const Original = globalThis.Worker
  globalThis.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      threads.push(this)
      const live = attend(this)
      // Its first word is the answer to a ping. With the second it says that it has been set up, and holds the lock that tells of its death.
      let words = 0
      this.addEventListener('message', () => void (++words === 2 && live()))
    }
  }
  return () => void (globalThis.Worker = Original)
}

/** What the worker script of `trap-worker.js` is to do; see there. */
export type Traps = {
  readonly [
    trap in
      | 'poison'
      | 'company'
      | 'gate'
      | 'diary'
      | 'rehearsal'
      | 'start'
      | 'setup'
      | 'close'
      | 'confirm'
      | 'checks'
      | 'parse'
      | 'refuse'
      | 'unsound'
  ]?: number | string | true
}

/** The URL of a worker with traps. */
export function trapWorker(traps: Traps): URL {
  const url = new URL('trap-worker.js', new URL('.', here))
  for (const [trap, value] of Object.entries(traps))
    url.searchParams.set(trap, value === true ? '' : String(value))
  if (inBrowser) return url
  // Node's workers forget the query of the URL that they are started from, but not of one that they import.
  return new URL(`data:text/javascript,import ${encodeURIComponent(JSON.stringify(url.href))}`)
}

/** Not written in one expression with `new URL`: bundlers would take the script for an asset. */
const here: string = import.meta.url

/** A task that a worker did. */
export interface Entry {
  readonly thread: string
  readonly task: string
  /** When it was done, in milliseconds since 1970. */
  readonly at: number
  /** Bytes of WebAssembly memory after it. */
  readonly memory: number
}

/** Reads the diaries of all workers that were given this one's name. */
export function openDiary(): { readonly name: string; readonly entries: Entry[]; close(): void } {
  const name = `diary-${Math.random().toString(36).slice(2)}`
  const channel = new BroadcastChannel(name)
  const entries: Entry[] = []
  channel.addEventListener('message', (event) => entries.push((event as MessageEvent<Entry>).data))
  return { name, entries, close: () => channel.close() }
}

/** A gate in front of the KZG of all workers that were given its name. */
export interface Gate {
  readonly name: string
  /** Workers that have come to it. */
  readonly held: number
  open(): void
  close(): void
}

export function makeGate(): Gate {
  const name = `gate-${Math.random().toString(36).slice(2)}`
  const channel = new BroadcastChannel(name)
  let isOpen = false
  let held = 0
  channel.addEventListener('message', (event) => {
    if ((event as MessageEvent).data !== 'held') return
    held++
    if (isOpen) channel.postMessage('open')
  })
  return {
    name,
    get held() {
      return held
    },
    open() {
      isOpen = true
      channel.postMessage('open')
    },
    close: () => channel.close(),
  }
}
