/**
 * The commitment that a blob has by itself: `blob_to_kzg_commitment` (specs/deneb/polynomial-commitments.md), computed by the verifier's workers.
 * It says which blob one is that came without anything. Nobody confirms it, so that it is a hint for the verifier, and no verdict.
 */
import { BLOB_BYTES, POINT_BYTES } from '../../beacon/ssz/layout.ts'
import { encodeHex } from '../../util/hex.ts'
import type { ByteArray } from '../../util/platform-types.ts'
import { abortable } from '../../util/signals.ts'
import { internalsOf } from '../../verifier/pipeline.ts'
import type { Verifier } from '../../verifier/verifier.ts'

/** Half of the field's modulus, rounded down: of two opposite points, the one with the larger y has a flag. */
const HALF =
  '0d0088f51cbff34d258dd3db21a5d66bb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555'

/**
 * In 0x hex, 48 bytes; null where it could not be computed, of which the verifier tells why. `blob`: 131,072 bytes whose field elements are
 * canonical. Rejects with the signal's reason, and with `DisposedError`.
 */
export async function ownCommitment(
  verifier: Verifier,
  blob: ByteArray,
  signal: AbortSignal,
): Promise<string | null> {
  const { commitments, kernel, pool } = internalsOf(verifier)
  return await abortable(signal, async () => {
    const kernels = await commitments.get().catch(() => null)
    // The sums of a batch, as workers pass them on, are a point and the values of a polynomial: those of a single blob are the blob.
    const sums = new Uint8Array(2 * POINT_BYTES + BLOB_BYTES)
    sums.set(blob, 2 * POINT_BYTES)
    const point = await kernels?.attempt(
      // What nobody waits for any more is not begun.
      async (worker) => (signal.aborted ? null : await worker.commitPart([sums], 0, 1)),
      (task) => pool.attemptTwice(task),
      kernel,
      () => {},
      () => {},
    )
    return point instanceof Uint8Array ? compressed(encodeHex(point)) : null
  })
}

/** A point in the form of the specifications, of x and y in hex; zeros for the identity. */
function compressed(point: string): string {
  const [x, y] = [point.slice(0, 2 * POINT_BYTES), point.slice(2 * POINT_BYTES)]
  const flags = /^0*$/.test(point) ? 0xc0 : y > HALF ? 0xa0 : 0x80
  return `0x${(Number.parseInt(x.slice(0, 2), 16) | flags).toString(16)}${x.slice(2)}`
}
