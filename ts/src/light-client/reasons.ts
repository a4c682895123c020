/**
 * Why the light client refuses something: the names come from the `Reason` enum of crates/light-client, whose numbers the
 * WASM module throws; a test holds this file against them.
 */
import type { FailureKind } from '../beacon/failure.ts'

/** Every reason that the module can give. */
export type LightClientReason =
  | 'network-config'
  | 'fork-unsupported'
  | 'object-length'
  | 'object-offsets'
  | 'store-encoding'
  | 'store-network'
  | 'too-many'
  | 'trusted-root-mismatch'
  | 'parent-mismatch'
  | 'execution-unexpected'
  | 'execution-mismatch'
  | 'current-committee-mismatch'
  | 'next-committee-mismatch'
  | 'next-committee-unproven'
  | 'finality-mismatch'
  | 'finality-unproven'
  | 'no-participants'
  | 'signature-in-future'
  | 'slot-order'
  | 'period-unknown'
  | 'not-relevant'
  | 'next-committee-conflict'
  | 'period-skipped'
  | 'committee-keys'
  | 'signature-mismatch'

/** What an endpoint did whose answer was refused for a reason. What may be honest accuses nobody. */
export function failureOf(reason: LightClientReason): FailureKind {
  switch (reason) {
    // True, perhaps; of another time than ours.
    case 'not-relevant':
    case 'period-unknown':
    case 'period-skipped':
      return 'behind'
    case 'signature-in-future':
      return 'ahead'
    case 'fork-unsupported':
    case 'object-length':
    case 'object-offsets':
    case 'too-many':
      return 'malformed'
    // Our own fault, or our storage's.
    case 'network-config':
    case 'store-encoding':
    case 'store-network':
      return 'crashed'
    default:
      return 'invalid'
  }
}
