/**
 * Whether JSON is of a shape that can be parsed without harm. A parser needs far more memory for brackets than they take in
 * a file: 100 MB of them are gigabytes. What is honest is long strings, a few levels deep.
 */

/** `data`, an item, its header, the message in it, a field: half of this. */
const MAX_DEPTH = 12
/** 128 columns of 72 blobs have 30,000 values; 16,384 items that are to be refused one by one have more. */
const MAX_VALUES = 2 ** 20

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** In one pass that jumps over strings; `bytes` need not be JSON at all. */
export function isTameJson(bytes: Uint8Array): boolean {
  let [depth, values] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) values++
    else if (OPENING.has(byte)) depth++
    else if (CLOSING.has(byte)) depth--
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false
  }
  return true
}

/** The closing quote of the string that begins at a quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start; ;) {
    const quote = bytes.indexOf(QUOTE, at + 1)
    if (quote === -1) return bytes.length
    // Each backslash is looked at once: quotes stand between those that belong to different ones.
    let before = quote
    while (before - 1 > at && bytes[before - 1] === BACKSLASH) before--
    if ((quote - before) % 2 === 0) return quote
    at = quote
  }
}
