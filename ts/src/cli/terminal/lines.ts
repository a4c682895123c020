/** Lines for people; on a terminal they are wrapped, and a status line under them is written over itself. */
import { columnsOf, isLive, type Output } from './output.ts'
import { clip, wrap } from './text.ts'

export class Lines {
  readonly #out: Output
  #hasStatus = false

  constructor(out: Output) {
    this.#out = out
  }

  /** A line, or a paragraph that goes on with `indent`. */
  print(text: string, indent = ''): void {
    this.clear()
    for (const line of text.split('\n'))
      this.#out.write(`${wrap(line, columnsOf(this.#out), indent).join('\n')}\n`)
  }

  /** What is going on, until the next line: on terminals alone, since nothing can be erased from a log. */
  status(text: string): void {
    if (!isLive(this.#out)) return
    this.#out.write(`\r\u001b[2K${clip(text, columnsOf(this.#out) - 1)}`)
    this.#hasStatus = true
  }

  /** Takes the status away. */
  clear(): void {
    if (this.#hasStatus) this.#out.write('\r\u001b[2K')
    this.#hasStatus = false
  }
}
