/** Keccak-256 as the execution layer names blocks and transactions. */
import { encodeHex } from '../util/hex.ts'
import { keccak_256 } from '../vendor/keccak.ts'
import type { Pause } from './turns.ts'

/** Keccak-256 of bytes (Yellow Paper, section 3): 32 bytes as lower-case 0x hex. */
export function keccakHex(bytes: Uint8Array): string {
  return `0x${encodeHex(keccak_256(bytes))}`
}

/** Bytes that are hashed without a pause: some two milliseconds. */
export const WITHOUT_PAUSE = 16_384

/** The same hash, as bytes. `pause` is awaited between parts of them, so that many bytes do not keep the thread; where it rejects, so does this. */
export async function keccakInTurns(bytes: Uint8Array, pause: Pause): Promise<Uint8Array> {
  const hash = keccak_256.create()
  for (let at = 0; at < bytes.length; at += WITHOUT_PAUSE) {
    await pause()
    hash.update(bytes.subarray(at, at + WITHOUT_PAUSE))
  }
  return hash.digest()
}

/** What `keccakHex` gives, with pauses. */
export async function keccakHexInTurns(bytes: Uint8Array, pause: Pause): Promise<string> {
  return `0x${encodeHex(await keccakInTurns(bytes, pause))}`
}
