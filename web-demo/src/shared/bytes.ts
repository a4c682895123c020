/** Hex, as far as the page needs it: of data that the verifier judges by itself. */

/** Hex digits behind `0x`. */
export type Hex = `0x${string}`

const DIGITS = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}

/** A blob has 262,144 digits: by table, for this shares the processor with the verifier. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((hex.length - 2) >> 1)
  for (let at = 0, digit = 2; at < bytes.length; at++, digit += 2) {
    bytes[at] = (DIGITS[hex.charCodeAt(digit)]! << 4) | DIGITS[hex.charCodeAt(digit + 1)]!
  }
  return bytes
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, hexByte).join('')}`
}

/** Two digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
