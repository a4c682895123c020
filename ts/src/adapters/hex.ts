/** Hex as the wallets' libraries type it. */
import { encodeHex, type Bytes } from '../util/hex.ts'

/** A string of 0x and hex digits. */
export type Hex = `0x${string}`

/** Bytes as 0x and lower-case digits; a string, which is hex already, is passed on as it is. */
export function toHex(bytes: Bytes): Hex {
  return typeof bytes === 'string' ? (bytes as Hex) : `0x${encodeHex(bytes)}`
}
