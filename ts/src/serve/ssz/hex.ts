/** Hex of long data: as ASCII in one piece, where a string that grows by pairs would take ten times as long. */

const DIGITS: Uint8Array = new TextEncoder().encode('0123456789abcdef')
const ascii = new TextDecoder()

/** `0x` and lower-case digits. */
export function hexOf(bytes: Uint8Array): string {
  const text = new Uint8Array(2 + 2 * bytes.length)
  text[0] = 48
  text[1] = 120
  for (let at = 0, to = 2; at < bytes.length; at++) {
    const byte = bytes[at]!
    text[to++] = DIGITS[byte >> 4]!
    text[to++] = DIGITS[byte & 15]!
  }
  return ascii.decode(text)
}
