/** What files hold as text: JSON, or the digits of bytes. */
import { isBoundedJson } from '../beacon/json-bounds.ts'
import { decodeHex } from '../util/hex.ts'

/**
 * A file as text, without a byte order mark: that of UTF-16, which PowerShell's `>` writes, tells how to read it. UTF-8 is what has none
 * of those.
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = 256 * bytes[0]! + bytes[1]!
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The value of JSON. Throws `SyntaxError`, and `TypeError` for what would cost far more than it weighs. */
export function parseJson(text: string): unknown {
  if (!isBoundedJson(text)) throw new TypeError(UNBOUNDED)
  return JSON.parse(text)
}

/** What is said of JSON that is not parsed for its depth, or its number of values. */
export const UNBOUNDED = 'its JSON is too deep, or has too many values'

/** The text that a file holds, without a byte order mark and white space around it; null where it is binary. */
export function textIn(bytes: Uint8Array): string | null {
  return looksLikeText(bytes) ? decodeText(bytes).trim() : null
}

/** The bytes of hex digits, with 0x or without, in lines as `xxd -p` writes them or in one; null where the text is something else. */
export function hexIn(text: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.replaceAll(/\s+/g, '')
  return decodeHex(`0x${digits.replace(/^0x/i, '')}`)
}

/** Nothing but ASCII, and no control characters but white space, at its beginning. SSZ and RLP begin with numbers, which are full of zeros. */
function looksLikeText(bytes: Uint8Array): boolean {
  return /^[\t\n\r -~]*$/.test(decodeText(bytes.subarray(0, 64)))
}
