/** Chance for batches. Apart from the rest: a page needs none where its workers compute. */
import { hasCsprng } from './web-apis.ts'

/**
 * A fresh seed of 32 bytes, from which crates/kzg expands the coefficients of one batch. Without a CSPRNG no bytes, upon which the core
 * takes SHA-256 over all of its inputs.
 */
export function freshSeed(): Uint8Array<ArrayBuffer> {
  return hasCsprng() ? crypto.getRandomValues(new Uint8Array(32)) : new Uint8Array(0)
}
