/** Hex, the slow and obvious way: the package's own decoder is among what is tested. */

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  )
}

export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
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
