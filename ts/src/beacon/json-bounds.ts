/**
 * Whether JSON is of a shape that can be parsed without harm. A parser needs far more memory for brackets than they take in
 * a file: 100 MB of them are gigabytes. What is honest is long strings, a few levels deep.
 */

/** `data`, an item, its header, the message in it, a field: half of this. */
const MAX_DEPTH = 12
/**
 * Values, and names of members. 128 columns of 72 blobs have 30,000, an execution block of 60 million gas of plain transfers has 130,000, and
 * 16,384 items that are to be refused one by one have more.
 */
const MAX_VALUES = 2 ** 20

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Text, as code units or as bytes of UTF-8: characters of JSON's structure are one of either. */
interface Codes {
  readonly length: number
  at(index: number): number
  nextQuote(from: number): number
}

/**
 * Whether JSON, as a string or as bytes of UTF-8, is at most twelve levels deep and has at most 2²⁰ values, names of members among them. One pass that
 * jumps over strings; the text need not be JSON at all.
 */
export function isBoundedJson(text: string | Uint8Array): boolean {
  const codes = codesOf(text)
  let [depth, values] = [0, 0]
  // Each name, and each value but the outermost, stands behind a bracket, a comma or a colon.
  for (let at = 0; at < codes.length; at++) {
    const code = codes.at(at)
    if (code === QUOTE) at = endOfString(codes, at)
    else if (code === COMMA || code === COLON) values++
    else if (CLOSING.has(code)) depth--
    else if (OPENING.has(code)) {
      depth++
      values++
    }
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false
  }
  return true
}

function codesOf(text: string | Uint8Array): Codes {
  return typeof text === 'string'
    ? {
        length: text.length,
        at: (index) => text.charCodeAt(index),
        nextQuote: (from) => text.indexOf('"', from),
      }
    : { length: text.length, at: (index) => text[index]!, nextQuote: (from) => text.indexOf(QUOTE, from) }
}

/** The closing quote of the string that begins at a quote, or the end of the text. */
function endOfString(codes: Codes, start: number): number {
  for (let at = start; ;) {
    const quote = codes.nextQuote(at + 1)
    if (quote === -1) return codes.length
    // Each backslash is looked at once: quotes stand between those that belong to different ones.
    let before = quote
    while (before - 1 > at && codes.at(before - 1) === BACKSLASH) before--
    if ((quote - before) % 2 === 0) return quote
    at = quote
  }
}
