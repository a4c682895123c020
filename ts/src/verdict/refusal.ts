/** Why something is not valid, as the stations pass it on. */
import type { InvalidReason, MalformedReason } from './reasons.ts'

/** Why an item was refused, before or by KZG. */
export type Refusal =
  | {
      readonly status: 'invalid'
      readonly stage: 'versioned-hash' | 'inclusion' | 'anchor' | 'signature' | 'kzg'
      readonly reason: InvalidReason
    }
  | {
      readonly status: 'malformed'
      readonly stage: 'structure' | 'encoding'
      readonly reason: MalformedReason
    }

/** What KZG says of a unit. */
export type KzgOutcome = 'valid' | Refusal
