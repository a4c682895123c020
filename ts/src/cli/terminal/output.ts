/** Where a command writes: a terminal of some width, or a pipe, a file, a log; in colours where these are seen, in lines for people, or in JSON for programs. */
import type { Writable } from 'node:stream'
import { clip, wrap } from './text.ts'

/** The part of `process.stdout` that is looked at. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Whether what was written can be written over. Screen readers, logs and pipes get plain lines. */
export function isLive(out: Output): boolean {
  return out.isTTY === true && process.env['TERM'] !== 'dumb'
}

/** Cells in a line; boundless where nobody wraps lines but their reader. */
export function columnsOf(out: Output): number {
  return out.isTTY === true ? Math.max(20, out.columns ?? 80) : Number.POSITIVE_INFINITY
}

/** The text with its long lines wrapped to the terminal; what is indented goes on further in. */
export function helpText(text: string, out: Output): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, columnsOf(out), line.startsWith(' ') ? '      ' : ''))
    .join('\n')
}

/** Colours, for those who see them. No meaning rests on a colour alone: the words are there without it. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Text in a style, or as it was. */
export type Styled = (style: Style, text: string) => string

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
}

export const unstyled: Styled = (_style, text) => text

export const ansiStyle: Styled = (style, text) => {
  const [on, off] = codes[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Colours where the output is a terminal and `NO_COLOR` is not set (no-color.org: to anything but nothing). */
export function styleFor(out: Output): Styled {
  return isLive(out) && (process.env['NO_COLOR'] ?? '') === '' ? ansiStyle : unstyled
}

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

export class Screen {
  readonly #out: Output & { readonly rows?: number }
  /** Lines of the last picture, above the cursor. */
  #height = 0

  constructor(out: Output) {
    this.#out = out
  }

  /** Puts a picture in place of the last one. Its lines must fit: a wrapped one would be counted as one. */
  draw(lines: readonly string[]): void {
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

/** One line of JSON, in ASCII: a log is opened in a terminal sooner or later, and JSON leaves C1 controls as they are. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${text}\n`
}
