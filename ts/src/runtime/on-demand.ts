/** What is started when it is wanted first, since most users never want it: a worker with its script and module. */
import { Once } from '../util/once.ts'
import { abortable } from '../util/signals.ts'
import { DisposedError } from './errors.ts'

/** Something that is started once it is wanted, again where that failed, and disposed of with its owner. */
export class OnDemand<T extends { dispose(): void }> {
  readonly #started: Once<T>
  readonly #end = new AbortController()

  constructor(start: () => Promise<T>) {
    this.#started = new Once(start)
  }

  /**
   * What was started, or is started now. Rejects as the start does, after which the next call starts again; and with `DisposedError`, at once:
   * a module may be long in coming.
   */
  async get(): Promise<T> {
    return await abortable(this.#end.signal, () => this.#started.get())
  }

  /** Disposes of what was started, and of what is being started. */
  dispose(): void {
    this.#end.abort(new DisposedError())
    this.#started.begun?.then((started) => started.dispose()).catch(() => {})
  }
}
