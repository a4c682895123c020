// What is going on: a status line on terminals, as the command line has it; in logs a line now and then.
import { isLive, Lines } from '../../dist/cli/terminal/output.js'

export class Progress {
  #lines = new Lines(process.stderr)

  /** Replaces the status line. */
  show(text) {
    this.#lines.status(text)
  }

  clear() {
    this.#lines.clear()
  }

  /** What is worth a line of its own in a log. */
  milestone(text) {
    if (isLive(process.stderr)) this.#lines.clear()
    else this.#lines.print(text)
  }

  warn(text) {
    this.#lines.print(text)
  }

  /** Does something for each name, two at a time, and shows whom it waits for. */
  async during(doing, names, task) {
    const waiting = new Set(names)
    const queue = [...names]
    const take = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        await task(name)
        waiting.delete(name)
        if (waiting.size > 0) this.show(`${doing}: ${[...waiting].join(', ')}`)
      }
    }
    await Promise.all([take(), take()])
  }
}
