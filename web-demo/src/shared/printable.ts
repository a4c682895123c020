/** Words of others, such as the names of files, made fit for a sentence of ours: they steer nothing but themselves. */

/** Control characters, halves of surrogate pairs, and what breaks lines or turns the direction of text around: those of ts/src/util/printable.ts. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text with each of these replaced. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd')
}

/** The same between marks that keep letters written from right to left from moving what is beside them; what is ASCII needs none. */
export function isolated(text: string): string {
  const plain = printable(text)
  return /^[ -~]*$/.test(plain) ? plain : `\u2068${plain}\u2069`
}

/** A string literal, or an array of them, in which what is unprintable is written as digits: code is read, too, by whom it is copied by. */
export function literal(value: string | readonly string[]): string {
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
