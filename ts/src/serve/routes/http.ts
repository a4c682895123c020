/** What is in a request's path, query and `Accept`, and answers in the form that was asked for, and those that refuse. */
import { type Context, HTTPException } from '../../vendor/hono.ts'
import type { Chain, ChainBlock, ConsensusVersion } from '../chain.ts'
import { messageOf } from '../../runtime/errors.ts'
import { isHash } from '../../util/hash.ts'

type Code = 400 | 404 | 406 | 429 | 500 | 503

/** The body `{ code, message }` with its status. */
export function errorResponse(
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ code, message }), {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Ends a handler with such an answer. */
export class ApiError extends HTTPException {
  constructor(code: Code, message: string) {
    super(code, { message, res: errorResponse(code, message) })
  }
}

/** Where a handler throws: a refusal as it is, or 500 with what went wrong, which whoever tests with this server wants to know. */
export function errorAnswered(error: Error): Response {
  return error instanceof HTTPException ? error.getResponse() : errorResponse(500, ownFault(error))
}

/** What is said of an error that is no refusal: of a chain, or of a function that a caller handed in. */
export function ownFault(error: unknown): string {
  return `this server has a fault of its own: ${messageOf(error)}`
}

export type Form = 'json' | 'ssz'

const types: Readonly<Record<Form, readonly string[]>> = {
  json: ['application/json', 'application/*', '*/*'],
  ssz: ['application/octet-stream', 'application/*', '*/*'],
}

/** The form that is wanted most, JSON where both are. Throws a 406 where none of them is wanted. */
export function formOf(accept: string | undefined, forms: readonly Form[]): Form {
  if (accept === undefined || accept.trim() === '') return 'json'
  const wanted = accept.split(',').map(readRange)
  const best = forms
    .map((form) => ({ form, quality: qualityOf(form, wanted) }))
    .sort((a, b) => b.quality - a.quality)[0]
  if (best === undefined || best.quality === 0)
    throw new ApiError(406, `there is ${forms.map((form) => types[form][0]).join(' and ')} alone`)
  return best.form
}

interface Range {
  readonly type: string
  readonly quality: number
}

/** The most special range that covers a form decides. */
function qualityOf(form: Form, wanted: readonly Range[]): number {
  for (const type of types[form]) {
    const range = wanted.find((one) => one.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** An answer in both forms, made when its form is known. */
export interface Answer {
  readonly version?: ConsensusVersion
  json(): unknown
  /** Absent: there is JSON alone. */
  ssz?(): Uint8Array<ArrayBuffer>
}

/** JSON or SSZ, as `Accept` has it; throws a 406 where neither will do. */
export function answer(context: Context, content: Answer): Response {
  const forms: readonly Form[] = content.ssz === undefined ? ['json'] : ['json', 'ssz']
  const form = formOf(context.req.header('accept'), forms)
  const version = content.version === undefined ? {} : { 'eth-consensus-version': content.version }
  if (form === 'ssz' && content.ssz !== undefined)
    return context.body(content.ssz(), 200, { 'content-type': 'application/octet-stream', ...version })
  return context.body(JSON.stringify(content.json()), 200, {
    'content-type': 'application/json',
    ...version,
  })
}

/** The block of `{block_id}`: head, finalized, genesis, a slot, a root. What makes no sense is a 400, and what is not there a 404. */
export function blockOf(chain: Chain, id: string | undefined = '', name = 'block_id'): ChainBlock {
  const block = findBlock(chain, id, name)
  if (block === null) throw new ApiError(404, `there is no block ${id}`)
  return block
}

function findBlock(chain: Chain, id: string, name: string): ChainBlock | null {
  if (id === 'head') return chain.head
  if (id === 'finalized') return chain.finalized
  if (id === 'genesis') return chain.at(0)
  if (/^\d{1,15}$/.test(id)) return chain.at(Number(id))
  return chain.byRoot(readRoot(id, name))
}

/** 32 bytes as 0x hex, in lower case. */
export function readRoot(value: string, name: string): string {
  if (isHash(value)) return value.toLowerCase()
  throw new ApiError(400, `${name} must be 32 bytes as 0x hex, or what else the API takes there`)
}

/** A parameter's values, whether it is repeated or they are separated by commas; null where it is absent. */
export function listOf(context: Context, name: string): string[] | null {
  const values = context.req.queries(name)
  if (values === undefined) return null
  return values.flatMap((value) => value.split(','))
}

/** Indices below a limit, each once, in ascending order; null where there is no such parameter. */
export function indicesOf(context: Context, limit: number): number[] | null {
  const values = listOf(context, 'indices')
  if (values === null) return null
  const indices = values.map((value) => {
    const index = /^\d{1,6}$/.test(value) ? Number(value) : limit
    if (index >= limit) throw new ApiError(400, `indices must be less than ${limit}`)
    return index
  })
  return [...new Set(indices)].sort((a, b) => a - b)
}

/** A number in a query. */
export function numberOf(context: Context, name: string): number {
  const value = context.req.query(name) ?? ''
  if (!/^\d{1,15}$/.test(value)) throw new ApiError(400, `${name} must be a number`)
  return Number(value)
}

/**
 * The status by which whoever asks for a node's health wants to hear that it is syncing: `syncing_status`, else 206 (Beacon API). Throws a 400 for
 * what no final answer of HTTP can have: the API allows from 100 on.
 */
export function syncingStatusOf(context: Context): number {
  if (context.req.query('syncing_status') === undefined) return 206
  const status = numberOf(context, 'syncing_status')
  if (status < 200 || status > 599) throw new ApiError(400, 'syncing_status must be from 200 to 599')
  return status
}
