/** JSON-RPC 2.0: what a request's body asks for, and what is answered. Source: jsonrpc.org/specification. */
import { ownFault } from '../routes/http.ts'

/** An error of JSON-RPC, with its code. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

/** Codes of JSON-RPC 2.0 (section 5.1), and of EIP-1474. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  notFound: -32001,
} as const

/** A call, as it was read. */
export interface Call {
  /** Absent in a notification, which nobody answers. */
  readonly id?: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a body asks for: one call or several; in the place of a call that is none, the error that is answered. */
export interface Calls {
  readonly isBatch: boolean
  readonly calls: readonly (Call | RpcError)[]
}

/** Reads a body. What is no JSON, or an empty list, is one call that is none. */
export function readCalls(body: string): Calls {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { isBatch: false, calls: [new RpcError(codes.parseError, 'this is no JSON')] }
  }
  const isBatch = Array.isArray(value) && value.length > 0
  return { isBatch, calls: (isBatch ? (value as unknown[]) : [value]).map(readCall) }
}

function readCall(value: unknown): Call | RpcError {
  const { jsonrpc, method, params = [], ...rest } = (value ?? {}) as Record<string, unknown>
  if (jsonrpc !== '2.0' || typeof method !== 'string' || Array.isArray(value))
    return new RpcError(codes.invalidRequest, 'this is no request of JSON-RPC 2.0')
  // Parameters by name are none of Ethereum's: a method finds that it has too few.
  return { ...('id' in rest && { id: rest['id'] }), method, params: Array.isArray(params) ? params : [] }
}

/** An answer to a call. */
export type RpcAnswer = { readonly jsonrpc: '2.0'; readonly id: unknown } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
)

/** The answer with a result. */
export function resultAnswer(id: unknown, result: unknown): RpcAnswer {
  return { jsonrpc: '2.0', id, result }
}

/** The answer with an error; what is not meant for the caller is an internal error. */
export function errorAnswer(id: unknown, error: unknown): RpcAnswer {
  const known = error instanceof RpcError ? error : new RpcError(codes.internalError, ownFault(error))
  return { jsonrpc: '2.0', id, error: { code: known.code, message: known.message } }
}
