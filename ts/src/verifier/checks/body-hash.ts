/**
 * The hash of a unit's body: the one time that long data is hashed. It is part of the unit's digest, and for a blob it is
 * what `compute_challenge` reduces (crates/kzg, `unit`).
 *
 * It goes with the unit to whichever worker verifies it, and is believed there, as the digest is believed that keeps a
 * verdict: both come from this same code, and between here and there nobody can write to the unit, whose memory never was
 * a caller's. Whoever confirms a refusal hashes again.
 */
import { platform } from '#platform'
import { pack } from '../../util/bytes.ts'
import type { Core } from '../../kzg/module.ts'

/** Shorter bodies (a cell, say) are not worth a call to the platform: SIMD lanes hash four of them at a time. */
const LONG = 16 << 10

export interface BodyHashes {
  /** Hashes the unit's body, or has it hashed while this thread does other work. */
  begin(unit: Uint8Array<ArrayBuffer>): void
  /** All hashes, in the order in which they were begun. */
  finish(): Promise<Uint8Array[]>
}

export function hashBodies(core: Core): BodyHashes {
  const native = platform.nativeHash()
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
