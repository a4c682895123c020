/** JSON-RPC 2.0 as nodes of the execution layer speak it: one call in a request, and what can be wrong with its answer. */
import { parseJson, Undecodable } from '../beacon/answer.ts'
import type { Route } from '../beacon/endpoint.ts'
import { BeaconFailure, type FailureKind } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import type { Portable } from '../util/portable.ts'

/** A call. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly (string | boolean)[]
  /** Longest honest answer, in bytes. */
  readonly maxBytes: number
}

/** The endpoint says that there is nothing of the kind that was asked for, as a status of 404, which may be that of a wrong URL, does not. */
export class NothingThere extends BeaconFailure {
  /** Whether it says that there may be such a thing later: a transaction that it knows, and that is in no block. */
  readonly isPending: boolean
  constructor(detail: string, isPending = false) {
    super('not-found', detail)
    this.isPending = isPending
  }
}

/** The request of a call. */
export function rpcRoute({ method, params, maxBytes }: RpcCall, id: number): Route {
  return { path: '', body: JSON.stringify({ jsonrpc: '2.0', id, method, params }), maxBytes }
}

/** The result in the answer to the call of this id, which may be null. Throws `BeaconFailure`. */
export function rpcResult(answer: BeaconAnswer, id: number): Portable {
  const envelope = parse(answer)
  if (
    typeof envelope !== 'object' ||
    envelope === null ||
    Array.isArray(envelope) ||
    envelope instanceof Uint8Array
  )
    throw new BeaconFailure('malformed', 'no answer of JSON-RPC')
  const { error, result } = envelope
  // What could not be read of a call has no id that could be given back.
  if (envelope['id'] !== id && !(envelope['id'] === null && error))
    throw new BeaconFailure('malformed', 'an answer to another call')
  if (error !== undefined && error !== null) throw failureOf(error)
  if (result === undefined) throw new BeaconFailure('malformed', 'an answer of JSON-RPC without a result')
  return result
}

function parse(answer: BeaconAnswer): Portable {
  try {
    return parseJson(answer)
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    throw new BeaconFailure(error.kind, `no answer of JSON-RPC: ${error.message}`)
  }
}

function failureOf(error: Portable): BeaconFailure {
  const fields =
    typeof error === 'object' && !Array.isArray(error) && !(error instanceof Uint8Array) ? error : null
  // Some servers give words alone, in the place of a code and a message.
  const { code, message = error } = fields ?? {}
  const words = typeof message === 'string' ? message : 'no message'
  if (typeof code !== 'number') return new BeaconFailure('malformed', `an error without a code: ${words}`)
  const detail = `error ${code}: ${words}`
  return code === NOT_FOUND ? new NothingThere(detail) : new BeaconFailure(kindOf(code), detail)
}

/** "Resource not found" (EIP-1474). */
const NOT_FOUND = -32001

/** Codes of JSON-RPC 2.0 (section 5.1), of EIP-1474, and 4444 of execution-apis (pruned history). */
function kindOf(code: number): FailureKind {
  switch (code) {
    case -32601: // no such method
    case -32004: // a method that is not supported
      return 'no-route'
    case -32005: // a limit is exceeded
    case 429:
      return 'rate-limited'
    case 4444:
      return 'not-found'
    default:
      // -32603 is an internal error; what lies from -32000 to -32099 is the server's own.
      return code === -32603 || (code <= -32000 && code >= -32099) ? 'server-error' : 'refused'
  }
}
