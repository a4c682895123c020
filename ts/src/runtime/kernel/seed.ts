/** Where batch coefficients come from: crates/kzg expands them from one seed for each group. */

/** Whether the platform has a CSPRNG. Every supported one does; the alternative exists so that none is assumed. */
export function hasCsprng(): boolean {
  return typeof globalThis.crypto?.getRandomValues === 'function'
}

/** A fresh 32-byte seed; without a CSPRNG no bytes, upon which the core takes SHA-256 over all of its inputs. */
export function freshSeed(): Uint8Array<ArrayBuffer> {
  return hasCsprng() ? crypto.getRandomValues(new Uint8Array(32)) : new Uint8Array(0)
}
