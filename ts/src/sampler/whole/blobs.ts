/**
 * Where columns are missing, whole blobs: `/eth/v1/beacon/blobs` has neither commitments nor proofs, so that the commitments are
 * computed anew, and held against those of a column that was verified. Only if asked for: it loads the prover.
 */
import { CRASHED, DisposedError } from '../../runtime/errors.ts'
import type { Endpoint } from '../../beacon/endpoint.ts'
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { BLOB_BYTES } from '../../beacon/ssz/layout.ts'
import { splitFixed } from '../../beacon/ssz/layout.ts'
import { encodeHex } from '../../util/hex.ts'
import type { VerifierPool } from '../../verifier/worker/protocol.ts'
import type { AsyncProver } from '../../prover/async-prover.ts'
import type { BlobSource, Finding, SampleContext } from '../context.ts'
import { confidenceOf } from '../confidence.ts'
import { FallbackTally } from '../requests/tally.ts'

/** What JSON takes for a byte, with quotes, commas and some slack. */
const JSON_FACTOR = 2.01
const SLACK_BYTES = 4_096

interface Whole {
  readonly blobs: readonly Uint8Array[]
  readonly endpoint: string
}

/**
 * A finding with the block's commitments, made good if one of these has the blobs that they are of; else as it was, but for what
 * they did. Who failed before another one had them is told of, too. Where the prover cannot be had or fails, the finding stays
 * as it was and says so in its `detail`: what was found out without it is as true as before.
 */
export async function completeWithBlobs(
  finding: Finding,
  context: SampleContext,
  { from, endpoints }: BlobSource,
): Promise<Finding> {
  const { commitments } = finding
  const { parts, proven, reconstruct, signal, timings, until } = context
  if (commitments.length === 0 || (proven !== null && proven !== commitments.length)) return finding
  const began = performance.now()
  const tally = new FallbackTally()
  let prover: AsyncProver | undefined
  try {
    const { createProver } = await import('../../prover/async-prover.ts')
    const started = await createProver({ workers: parts.pool.workers === 0 ? 0 : 1 })
    prover = started
    const whole = await endpoints.first(
      {
        path: `/eth/v1/beacon/blobs/${context.header.root}`,
        maxBytes: Math.ceil(commitments.length * BLOB_BYTES * JSON_FACTOR) + SLACK_BYTES,
      },
      (answer, endpoint) => {
        tally.of(endpoint.name).bytes += answer.body.length
        return verify(started, parts.pool, commitments, answer, endpoint, until)
      },
      until,
      (endpoint, failure) => {
        const failed = tally.of(endpoint.name)
        failed.requests++
        failed.fail(failure)
      },
    )
    tally.of(whole.endpoint).requests++
    return {
      ...finding,
      ...{ verdict: 'available', reason: 'complete', detail: null, via: 'blobs' },
      fallback: { from, sources: [whole.endpoint] },
      confidence: confidenceOf({
        samples: finding.columns.length,
        missing: finding.confidence.missing,
        maxError: 0,
        endpoints: [whole.endpoint],
        ...{ contested: [], target: 0 },
      }),
      endpoints: tally.addedTo(finding.endpoints),
      blobs: reconstruct
        ? whole.blobs.map((blob, index) => ({ index, blob, commitment: commitments[index] ?? '' }))
        : null,
    }
  } catch (error) {
    signal?.throwIfAborted()
    // The verifier's own end: there is nobody left to report to.
    if (error instanceof DisposedError) throw error
    const isAnswered = until.aborted || error instanceof BeaconUnavailableError
    const detail = isAnswered ? finding.detail : `whole blobs could not be verified: ${messageOf(error)}`
    return { ...finding, detail, endpoints: tally.addedTo(finding.endpoints) }
  } finally {
    await prover?.dispose()
    timings.fetchMs += performance.now() - began
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Throws `BeaconFailure` where these are not the blobs that the block commits to. */
async function verify(
  prover: AsyncProver,
  pool: VerifierPool,
  commitments: readonly string[],
  answer: BeaconAnswer,
  { name }: Endpoint,
  signal: AbortSignal,
): Promise<Whole> {
  const blobs = await split(answer, commitments.length, pool)
  const count = `${blobs.length} blobs of a block with ${commitments.length}`
  // Who keeps too few columns to rebuild them has none to give. Nor can a list that was cut between two blobs be told from that, since
  // blobs follow each other without a count: neither accuses anybody, and neither changes the finding.
  if (blobs.length < commitments.length) throw new BeaconFailure('not-found', count)
  if (blobs.length > commitments.length) throw new BeaconFailure('invalid', count)
  for (const [index, blob] of blobs.entries()) {
    if (commitments[index] !== (await commitmentOf(prover, blob, signal)))
      throw new BeaconFailure('invalid', `blob ${index} is not what the block commits to`)
  }
  return { blobs, endpoint: name }
}

/** Null for what is no blob. */
async function commitmentOf(
  prover: AsyncProver,
  blob: Uint8Array,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return `0x${encodeHex(await prover.blobToKzgCommitment(blob, { signal }))}`
  } catch (error) {
    if (error instanceof Error && error.name === 'KzgInputError') return null
    throw error
  }
}

/** A list of so many blobs at most. JSON is read in a worker. */
async function split({ body, form }: BeaconAnswer, count: number, pool: VerifierPool): Promise<Uint8Array[]> {
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
