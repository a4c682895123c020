/** Words of others, made fit for a terminal: what steers it must come from here alone. */

/** Control characters, C0 and C1, and those that break lines or turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text with each of these replaced. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd')
}

/** One line of JSON, in ASCII: a log is opened in a terminal sooner or later, and JSON leaves C1 controls as they are. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${text}\n`
}
