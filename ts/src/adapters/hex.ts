/** Hex as the libraries have it. */
import { encodeHex, type Bytes } from '../util/hex.ts'

export type Hex = `0x${string}`

/** Lower-case hex; what is hex already is passed on. */
export function toHex(bytes: Bytes): Hex {
  return typeof bytes === 'string' ? (bytes as Hex) : `0x${encodeHex(bytes)}`
}
