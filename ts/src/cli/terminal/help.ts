/** The part of a help that commander does not lay out. */
import { columnsOf, type Output } from './output.ts'
import { wrap } from './text.ts'

/** The text with its long lines wrapped to the terminal; what is indented goes on further in. */
export function helpText(text: string, out: Output = process.stdout): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, columnsOf(out), line.startsWith(' ') ? '      ' : ''))
    .join('\n')
}
