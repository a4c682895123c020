/** Bare blobs (`/eth/v1/beacon/blobs`): no proof came with them, so that their commitments are computed anew. */
import { versionedHash } from '../../beacon/hashes.ts'
import { encodeHex } from '../../util/hex.ts'
import { KzgInputError } from '../../kzg/errors.ts'
import type { MalformedReason } from '../../verdict/reasons.ts'
import { noLinks } from '../../verdict/verdict.ts'
import type { Finding } from './finding.ts'

/** Codes of the prover that are about bytes as such, and not about what is in them. */
const structural: ReadonlySet<string> = new Set(['not-bytes', 'bad-hex', 'blob-length'])

/**
 * Holds each blob against the versioned hashes, of which its own must be one. Some 100 ms each; `onBlob` is told of each.
 * Rejects with the signal's reason.
 */
export async function judgeBlobs(
  blobs: readonly unknown[],
  versionedHashes: readonly string[],
  signal: AbortSignal,
  onBlob: (done: number) => void,
): Promise<Finding[]> {
  const { createProver } = await import('../../prover/index.ts')
  const prover = await createProver()
  const wanted = new Set(versionedHashes.map((hash) => hash.toLowerCase()))
  let done = 0
  const judge = async (blob: unknown): Promise<Finding> => {
    try {
      const commitment = await prover.blobToKzgCommitment(blob as string | Uint8Array, { signal })
      return wanted.has(`0x${encodeHex(versionedHash(commitment))}`) ? valid : notNamed
    } catch (error) {
      if (!(error instanceof KzgInputError)) throw error
      const stage = structural.has(error.code) ? 'structure' : 'encoding'
      return malformed(stage, error.code)
    } finally {
      onBlob(++done)
    }
  }
  try {
    return await Promise.all(blobs.map(judge))
  } finally {
    await prover.dispose()
  }
}

const valid: Finding = {
  status: 'valid',
  stage: null,
  reason: null,
  // The commitment was computed from the data, which is more than a proof.
  links: { ...noLinks, kzg: 'verified', 'versioned-hash': 'verified' },
  blobs: [],
}

const notNamed: Finding = {
  ...valid,
  status: 'invalid',
  stage: 'anchor',
  reason: 'versioned-hash-not-in-anchor',
  links: noLinks,
}

function malformed(stage: string, reason: MalformedReason): Finding {
  return { status: 'malformed', stage, reason, links: noLinks, blobs: [] }
}
