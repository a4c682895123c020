/** Colours, for those who see them. No meaning rests on a colour alone: the words are there without it. */
import { isLive, type Output } from './output.ts'

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
