/** Integers of the execution layer: big-endian without leading zeros as bytes, and hex without leading zeros in JSON. */
import { encodeHex } from '../../util/hex.ts'

/** An integer as bytes; 0 is no byte at all. */
export function integerBytes(value: number | bigint): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number' && value < 256) return value === 0 ? new Uint8Array(0) : Uint8Array.of(value)
  let rest = BigInt(value)
  const bytes: number[] = []
  for (; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 255n))
  return Uint8Array.from(bytes)
}

/** An integer, given as a number or as its bytes, as a quantity of the JSON-RPC: `0x0`, `0x1f`. */
export function quantityOf(value: number | bigint | Uint8Array): string {
  if (!(value instanceof Uint8Array)) return `0x${value.toString(16)}`
  return `0x${encodeHex(value).replace(/^0+/, '') || '0'}`
}

/** The number in big-endian bytes, which must be below 2⁵³. */
export function numberOfBytes(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

/** The integer in big-endian bytes. */
export function bigintOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${encodeHex(bytes)}`)
}
