/** A picture of some lines at the end of a terminal's output, painted over itself. */
import type { Output } from './output.ts'

export class Screen {
  readonly #out: Output & { readonly rows?: number }
  /** Lines of the last picture, above the cursor. */
  #height = 0

  constructor(out: Output) {
    this.#out = out
  }

  /** Puts a picture in place of the last one. Its lines must fit: a wrapped one would be counted as one. */
  paint(lines: readonly string[]): void {
    // What has scrolled out of sight cannot be painted over.
    const shown = lines.slice(0, Math.max(1, (this.#out.rows ?? 24) - 1))
    const up = this.#height === 0 ? '' : `\u001b[${this.#height}A`
    // To the end of the screen first: a smaller terminal may have wrapped what is there.
    this.#out.write(`${up}\r\u001b[J${shown.map((line) => `${line}\n`).join('')}`)
    this.#height = shown.length
  }

  /** The picture stays, and what follows is written under it. */
  leave(): void {
    this.#height = 0
  }
}
