/** Answers in the form that was asked for. */
import type { Context } from 'hono'
import type { ConsensusVersion } from '../chain.ts'
import { type Form, formOf } from './accept.ts'

/** An answer in both forms, made when its form is known. */
export interface Told {
  readonly version?: ConsensusVersion
  json(): unknown
  /** Absent: there is JSON alone. */
  ssz?(): Uint8Array<ArrayBuffer>
}

/** JSON or SSZ, as `Accept` has it; throws a 406 where neither will do. */
export function answer(context: Context, told: Told): Response {
  const forms: readonly Form[] = told.ssz === undefined ? ['json'] : ['json', 'ssz']
  const form = formOf(context.req.header('accept'), forms)
  const version = told.version === undefined ? {} : { 'eth-consensus-version': told.version }
  if (form === 'ssz' && told.ssz !== undefined)
    return context.body(told.ssz(), 200, { 'content-type': 'application/octet-stream', ...version })
  return context.body(JSON.stringify(told.json()), 200, { 'content-type': 'application/json', ...version })
}
