/** Hex, strictly: `0x`, then an even number of digits of either case. */

/**
 * Bytes as every function of this package takes them: a `Uint8Array`, which is never changed, and is copied unless the caller asks for a
 * transfer; or a string of `0x` and an even number of hex digits of either case. The type says `string`, since that is what JSON gives;
 * any other string is refused.
 */
export type Bytes = Uint8Array | string

const DIGIT = new Int16Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  DIGIT[digit.charCodeAt(0)] = value
  DIGIT[digit.toUpperCase().charCodeAt(0)] = value
}

/**
 * The bytes of a hex string, or null where it is not one.
 *
 * @internal
 */
export function decodeHex(text: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.length - 2
  if (digits < 0 || digits % 2 !== 0 || text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return null
  const bytes = new Uint8Array(digits / 2)
  // A bad digit is −1 and stays visible as the sign of `seen`; codes past ASCII read undefined, which `|` makes 0.
  let seen = 0
  for (let at = 0, from = 2; at < bytes.length; at++, from += 2) {
    const high = text.charCodeAt(from)
    const low = text.charCodeAt(from + 1)
    if (high > 127 || low > 127) return null
    const value = (DIGIT[high]! << 4) | DIGIT[low]!
    seen |= value
    bytes[at] = value
  }
  return seen < 0 ? null : bytes
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex digits, without prefix. */
export function encodeHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte]!
  return text
}
