/** Words of others, made fit for a terminal and for a log: what steers these must come from here alone. */

/** Control characters, C0 and C1, halves of surrogate pairs, and what breaks lines or turns the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text with each of these replaced. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd')
}
