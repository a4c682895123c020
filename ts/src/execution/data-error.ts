/** What is wrong with data of the execution layer, whoever gave it. */

/**
 * - `malformed`: not what it claims to be: no RLP, no hex, a missing field, a wrong length.
 * - `invalid`: well formed, and false: another hash than the one asked for, or a proof that proves nothing of the kind.
 * - `unsupported`: of a fork to come, as it seems: a transaction of a type that this version cannot write as bytes, or a header with fields
 *   that it does not know. Nothing is known about it, and no one is accused.
 */
export type ExecutionDataFault = 'malformed' | 'invalid' | 'unsupported'

/** Thrown by everything that reads headers, transactions and proofs; callers turn it into a failure of whoever gave the data. */
export class ExecutionDataError extends Error {
  override readonly name = 'ExecutionDataError'
  readonly fault: ExecutionDataFault
  constructor(fault: ExecutionDataFault, detail: string) {
    super(detail)
    this.fault = fault
  }
}

export function malformed(detail: string): ExecutionDataError {
  return new ExecutionDataError('malformed', detail)
}

export function invalid(detail: string): ExecutionDataError {
  return new ExecutionDataError('invalid', detail)
}
