// A line that says what is going on, on terminals; in logs a line now and then.
export class Progress {
  #live = process.stderr.isTTY === true

  show(text) {
    if (this.#live) process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  }

  clear() {
    if (this.#live) process.stderr.write('\r\x1b[2K')
  }

  /** What is worth a line of its own. */
  milestone(text) {
    this.clear()
    if (!this.#live) process.stderr.write(`${text}\n`)
  }

  warn(text) {
    this.clear()
    process.stderr.write(`${text}\n`)
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
