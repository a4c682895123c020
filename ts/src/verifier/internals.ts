/** The parts of a verifier, for the entries of this package that build on one: they share its workers and its network. */
import type { NetworkConfig } from '../beacon/networks.ts'
import type { BaselineConfirmation } from './batch/baseline-confirmation.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { VerdictStore } from './cache/layered.ts'
import type { PendingVerifications } from './dedup/pending-verifications.ts'
import type { SignatureCheck } from './signatures.ts'
import type { Counters } from './stats.ts'
import type { VerifierPool } from './worker/protocol.ts'

/** The parts that `createVerifier` puts together. */
export interface VerifierInternals {
  readonly network: NetworkConfig
  /** The network as the WASM module reads it. */
  readonly networkWords: BigUint64Array<ArrayBuffer>
  readonly pool: VerifierPool
  readonly buffers: BufferPool
  readonly pending: PendingVerifications
  readonly confirmation: BaselineConfirmation
  readonly cache: VerdictStore | null
  readonly counters: Counters
  readonly signatures: SignatureCheck
}

const known = new WeakMap<object, VerifierInternals>()

/** Puts a verifier's parts on record; for its constructor alone. */
export function registerInternals(verifier: object, internals: VerifierInternals): void {
  known.set(verifier, internals)
}

/** The parts of a verifier. Throws `TypeError` for what is no verifier of this package. */
export function internalsOf(verifier: unknown): VerifierInternals {
  const internals = typeof verifier === 'object' && verifier !== null ? known.get(verifier) : undefined
  if (internals === undefined) throw new TypeError('verifier must be one that createVerifier made')
  return internals
}
