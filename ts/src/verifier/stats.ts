/** Counters since the verifier was made. Warm-up work is not counted. */
export interface Stats {
  /** Items handed in. */
  readonly items: number
  /** Items refused by the cheap checks, which cost no KZG. */
  readonly refusedByChecks: number
  /** Items that shared the verification of the same bytes: delivered at the same time, or refused before. */
  readonly duplicates: number
  /** Items whose bytes were verified before. */
  readonly cacheHits: number
  /** Units (blobs, cells, columns) that KZG ran for, each once. */
  readonly kzgItems: number
  /** Batches that they were verified in, one closing pairing each where all is well. */
  readonly kzgBatches: number
  /** Verdicts by status. */
  readonly valid: number
  readonly invalid: number
  readonly malformed: number
  readonly errors: number
  /** Workers that died at a task, or failed at it, and were replaced. */
  readonly crashes: number
  /** Units that were tried again, alone, after a crash. */
  readonly retries: number
  /** Refusals of the fast kernel that the baseline was asked about, and how many it overruled. */
  readonly confirmations: number
  readonly kernelDisagreements: number
  /** Failures of the persistent cache; each cost a verification at most. */
  readonly cacheFailures: number
}

export type Counters = { -readonly [counter in keyof Stats]: Stats[counter] }

export function newCounters(): Counters {
  return {
    items: 0,
    refusedByChecks: 0,
    duplicates: 0,
    cacheHits: 0,
    kzgItems: 0,
    kzgBatches: 0,
    valid: 0,
    invalid: 0,
    malformed: 0,
    errors: 0,
    crashes: 0,
    retries: 0,
    confirmations: 0,
    kernelDisagreements: 0,
    cacheFailures: 0,
  }
}
