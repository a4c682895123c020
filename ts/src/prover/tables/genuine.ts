/** Whether bytes are the table that they are kept as. */
import { encodeHex } from '../../util/hex.ts'

/** The platform's hash; undefined in insecure contexts, where no tables are kept, since nothing could be believed. */
export function hasher(): SubtleCrypto | undefined {
  return globalThis.crypto?.subtle as SubtleCrypto | undefined
}

/** Whether the bytes' SHA-256 begins with `hash`, 128 bits in hex. */
export async function isGenuineTable(bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<boolean> {
  const digest = await hasher()?.digest('SHA-256', bytes)
  return digest !== undefined && hash !== '' && encodeHex(new Uint8Array(digest, 0, 16)) === hash
}
