/** Keccak-256 as the execution layer names blocks and transactions. */
import { encodeHex } from '../util/hex.ts'
import { keccak_256 } from '../vendor/keccak.ts'

/** Keccak-256 of bytes (Yellow Paper, section 3): 32 bytes as lower-case 0x hex. */
export function keccakHex(bytes: Uint8Array): string {
  return `0x${encodeHex(keccak_256(bytes))}`
}
