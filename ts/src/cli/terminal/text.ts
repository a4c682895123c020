/** Text in the cells of a terminal: how wide it is, where it breaks, where it is cut, and what of it may be printed. */
import { printable } from '../../util/printable.ts'

/** The only escapes that commands write: colours. They take no room. */
const COLOUR = /\u001b\[[0-9;]*m/g
/** Combining marks and joiners, which take none either. */
const NARROWEST = /^[\p{M}\u200b-\u200d\ufeff]$/u
/** East Asian and emoji characters that take two. A character too many is a short line; one too few breaks a picture. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u

/** How many cells a text takes. */
export function widthOfText(text: string): number {
  let width = 0
  for (const character of text.replace(COLOUR, '')) {
    width += NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  }
  return width
}

/**
 * A paragraph in lines of `width` cells, broken at spaces; a longer word is on a line of its own, whole, so that it can be
 * copied. Lines after the first begin with `indent`.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  if (widthOfText(text) <= width) return [text]
  const lines: string[] = []
  // What the paragraph itself begins with stays.
  let line = /^ */.exec(text)?.[0] ?? ''
  let isEmpty = true
  for (const word of text.trim().split(/ +/)) {
    if (!isEmpty && widthOfText(line) + 1 + widthOfText(word) > width) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}

/** The text, or as much of it as fits, with an ellipsis. It must hold no colours. */
export function clip(text: string, width: number): string {
  if (widthOfText(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOfText(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Line breaks are kept; anything else that is no character to be read is replaced. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
