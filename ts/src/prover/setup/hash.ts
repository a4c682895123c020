/** Whether bytes are a half of Ethereum's setup, as far as can be said before a module has looked at them. */
import { encodeHex } from '../../util/hex.ts'

const BYTES = 393_216

/** SHA-256 of the halves, as `crates/prover/src/setup.rs` pins them. */
const HASHES = [
  '556809daa82fe71acb4b380c178406e8c505e80537decd7c207f7764ceba8862',
  'd120450456b69d42af9b63c119410173ec4b14d4e79ffcb65b89e44d2ec7e11f',
]

/** True, too, where nothing can be hashed (insecure contexts): the module hashes again, and has the last word. */
export async function isGenuine(half: number, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (bytes.length !== BYTES) return false
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return true
  return encodeHex(new Uint8Array(await subtle.digest('SHA-256', bytes))) === HASHES[half]
}
