/** Hex by a table of all pairs of digits: the package's own decoder is among what is tested. */

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BYTES = new Map(PAIRS.map((pair, byte) => [pair, byte]))

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.slice(text.startsWith('0x') ? 2 : 0).toLowerCase()
  const bytes = new Uint8Array(digits.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    const byte = BYTES.get(digits.slice(2 * at, 2 * at + 2))
    if (byte === undefined) throw new RangeError(`no hex at ${at}`)
    bytes[at] = byte
  }
  return bytes
}

export function toHex(bytes: Uint8Array): `0x${string}` {
  let digits = ''
  for (const byte of bytes) digits += PAIRS[byte]!
  return `0x${digits}`
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A copy with one bit flipped. */
export function flip(bytes: Uint8Array, at: number, bit = 0): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes)
  const byte = copy[at]
  if (byte === undefined) throw new RangeError(`no byte ${at}`)
  copy[at] = byte ^ (1 << bit)
  return copy
}

/** Text in UTF-16, behind its byte order mark: Windows writes it so, PowerShell's `>` among others. Node alone. */
export function inUtf16(text: string, encoding: 'utf-16le' | 'utf-16be' = 'utf-16le'): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}
