/**
 * A unit on its way out of the checks: written into memory that was lent with the items, and hashed. Units lie one after the other, each
 * with the hash of its body behind it. So they travel in one piece, and their memory can be used again, where a buffer for each would be
 * fresh every time, and garbage after its verdict.
 */
import { nativeHash } from '#platform'
import type { NativeHash } from '../../runtime/platform/platform.ts'
import { pack } from '../../util/packed.ts'
import { encodeHex } from '../../util/hex.ts'
import type { Core } from './core.ts'
import type { Links } from '../../verdict/verdict.ts'
import { HASH_BYTES, type Unit } from './protocol.ts'
import { Refused } from '../../beacon/ssz/fields.ts'

/** An item that passed: its unit, and the links that the checks have found to hold. */
export interface UnitChecked {
  readonly links: Links
  /** Links that hold if KZG finds the item valid, and of which nothing is known otherwise. */
  readonly linksIfValid?: Partial<Links>
  readonly unit: Uint8Array<ArrayBuffer>
  /** SignedBeaconBlockHeader of a sidecar, 208 bytes, where someone is to look at its signature. */
  readonly signedHeader?: Uint8Array
}

/** What the WASM checks answer with: a code, or 256 · the length of what they have written or would write if it fitted. */
const CODES = 256

/** Writes the units of a request one after the other. */
export class UnitWriter {
  readonly #size: number
  #left: Uint8Array<ArrayBuffer>

  constructor(lent: ArrayBuffer) {
    this.#size = lent.byteLength
    this.#left = new Uint8Array(lent)
  }

  /**
   * What a check writes; behind it there is space for a hash. Throws the refusal that it may answer with instead. Where the
   * buffer is full, another is begun.
   */
  write(core: Core, check: (into: Uint8Array) => number): Uint8Array<ArrayBuffer> {
    let length = this.#ask(core, check)
    if (length + HASH_BYTES > this.#left.length) {
      this.#left = new Uint8Array(Math.max(length + HASH_BYTES, this.#size))
      length = this.#ask(core, check)
    }
    const written = this.#left.subarray(0, length)
    this.#left = this.#left.subarray(length + HASH_BYTES)
    return written
  }

  #ask(core: Core, check: (into: Uint8Array) => number): number {
    // What is not written because the buffer is full is only measured.
    const answer = check(this.#left.subarray(0, Math.max(this.#left.length - HASH_BYTES, 0)))
    const refusal = core.refusal(answer % CODES)
    if (refusal !== null) throw new Refused(refusal)
    return answer / CODES
  }
}

/** Shorter bodies (a cell, say) are not worth a call to the platform: SIMD lanes hash four of them at a time. */
const LONG = 16 << 10

/** The hashes of a request's units. */
export interface BodyHashes {
  /** Hashes the unit's body, or has it hashed while this thread does other work. */
  begin(unit: Uint8Array<ArrayBuffer>): void
  /** All hashes, in the order in which they were begun. */
  finish(): Promise<Uint8Array[]>
}

/**
 * Hashes the bodies of units: the one time that long data is hashed. The hash is part of the unit's digest, and for a blob it is what
 * `compute_challenge` reduces (crates/kzg, `unit`).
 *
 * It goes with the unit to whichever worker verifies it, and is believed there, as the digest is believed that keeps a verdict: both come
 * from this same code, and between here and there nobody can write to the unit, whose memory never was a caller's. Whoever confirms a
 * refusal hashes again.
 */
export function hashBodies(core: Core, native: NativeHash | null = nativeHash()): BodyHashes {
  const hashes: (Uint8Array | Promise<Uint8Array> | undefined)[] = []
  /** Units that are left to WebAssembly, and where their hashes go. */
  const left: { readonly at: number; readonly unit: Uint8Array }[] = []

  function hashInWasm(units: readonly Uint8Array[]): Uint8Array[] {
    const { bytes, lengths } = pack(units)
    const joined = core.exports.bodyHashes(bytes, lengths)
    return units.map((_, at) => joined.slice(at * 32, at * 32 + 32))
  }

  return {
    begin(unit) {
      if (native === null || unit.length < LONG) {
        left.push({ at: hashes.push(undefined) - 1, unit })
        return
      }
      const hash = native.sha256(unit.subarray(core.exports.headLength(unit[0] ?? 0)))
      hashes.push(
        hash instanceof Uint8Array ? hash : hash.catch(() => hashInWasm([unit])[0] ?? new Uint8Array(0)),
      )
    },
    async finish() {
      const own = left.length > 0 ? hashInWasm(left.map(({ unit }) => unit)) : []
      left.forEach(({ at }, which) => (hashes[at] = own[which]))
      return await Promise.all(hashes.map((hash) => hash ?? new Uint8Array(0)))
    },
  }
}

/** A unit with its digest, and with the hash of its body in the space behind it. Throws where the hash is none. */
export function identify(core: Core, unit: Uint8Array<ArrayBuffer>, bodyHash: Uint8Array | undefined): Unit {
  // Units without a hash would share a digest, and with it a verdict.
  if (bodyHash?.length !== HASH_BYTES) throw new Error('a body was not hashed')
  const head = unit.subarray(0, core.exports.headLength(unit[0] ?? 0))
  const bytes = new Uint8Array(unit.buffer, unit.byteOffset, unit.length + HASH_BYTES)
  bytes.set(bodyHash, unit.length)
  return { digest: encodeHex(core.exports.digest(head, bodyHash)), kind: unit[0] ?? 0, bytes }
}
