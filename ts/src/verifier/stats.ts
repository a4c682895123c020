/** What a verifier counts. */

/** Counters of a verifier since it was made; what `warmup` does is not counted. */
export interface Stats {
  /** Items that were handed in. */
  readonly items: number
  /** Items that the cheap checks refused, which cost no KZG. */
  readonly refusedByChecks: number
  /** Items that shared the verification of the same bytes: delivered at the same time, or refused before. */
  readonly duplicates: number
  /** Items whose bytes were found valid before, by this verifier or as its cache knows. */
  readonly cacheHits: number
  /** Units (blobs, cells, columns) that KZG ran for; the same bytes count once. */
  readonly kzgItems: number
  /** Batches that these units were verified in. A batch costs one closing pairing, unless something in it is false. */
  readonly kzgBatches: number
  /** Verdicts with the status `valid`. */
  readonly valid: number
  /** Verdicts with the status `invalid`. */
  readonly invalid: number
  /** Verdicts with the status `malformed`. */
  readonly malformed: number
  /** Verdicts with the status `error`. */
  readonly errors: number
  /** Workers that ended or failed during a task, and were replaced. */
  readonly crashes: number
  /** Items and units that were tried again, alone, after a crash. */
  readonly retries: number
  /** Refusals of the fast kernel that the baseline was asked about. */
  readonly confirmations: number
  /** Confirmations that overruled the fast kernel. After the first, the baseline takes its place. */
  readonly kernelDisagreements: number
  /** Failures of the cache behind the verifier's memory; each cost a verification at most. */
  readonly cacheFailures: number
}

/** The counters, as the steps of a call count with them. */
export type Counters = { -readonly [counter in keyof Stats]: Stats[counter] }

/** Counters at zero. */
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
