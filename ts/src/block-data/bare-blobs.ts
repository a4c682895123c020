/** Answers of `/eth/v1/beacon/blobs`: blobs one after the other, without indices, commitments or proofs. */
import { CRASHED } from '../runtime/errors.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { BLOB_BYTES, splitFixed } from '../beacon/ssz/layout.ts'
import type { ByteArray } from '../util/platform-types.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'

/** The blobs of an answer, so many at most. JSON is read in a worker. Throws `BeaconFailure` where the answer is no list of blobs. */
export async function splitBlobs(
  { body, form }: BeaconAnswer,
  count: number,
  pool: VerifierPool,
): Promise<ByteArray[]> {
  if (form === 'ssz') {
    const blobs = splitFixed(body, BLOB_BYTES)
    if (blobs === null) throw new BeaconFailure('malformed', 'an SSZ list that ends in a blob')
    return blobs
  }
  const list = await pool.attemptTwice((api) => api.parse('blob', body, count))
  if (list === CRASHED) throw new BeaconFailure('crashed', 'two workers in a row crashed on it')
  const blobs = list.filter((blob) => blob instanceof Uint8Array)
  if (blobs.length < list.length)
    throw new BeaconFailure('malformed', `JSON that is no list of up to ${count} blobs`)
  return blobs
}
