/** Work that several callers want at the same time is done once, and ends early only where none of them wants it any more. */
import { abortable } from './signals.ts'

interface Task<T> {
  readonly work: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** Tasks under way, by key. */
export class SharedTasks<T> {
  readonly #tasks = new Map<string, Task<T>>()

  /** How many are under way. */
  get size(): number {
    return this.#tasks.size
  }

  /**
   * What the task of this key resolves to; `begin` begins it where none is under way. Its signal is aborted once all who wait for it have
   * left. Rejects with the caller's own signal's reason, or with what the task rejects with.
   */
  async run(
    key: string,
    begin: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted()
    const task = this.#tasks.get(key) ?? this.#begin(key, begin)
    task.waiting++
    try {
      return await abortable(signal, () => task.work)
    } finally {
      if (--task.waiting === 0) {
        // Whoever comes now begins anew: what is about to be aborted is of no use to them.
        if (this.#tasks.get(key) === task) this.#tasks.delete(key)
        task.controller.abort(new DOMException('nobody waits for it any more', 'AbortError'))
      }
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>): Task<T> {
    const controller = new AbortController()
    const work = begin(controller.signal)
    const task: Task<T> = { work, controller, waiting: 0 }
    this.#tasks.set(key, task)
    const done = (): void => {
      if (this.#tasks.get(key) === task) this.#tasks.delete(key)
    }
    // Also where all who waited have left, so that nobody hears of a failure.
    work.then(done, done)
    return task
  }
}
