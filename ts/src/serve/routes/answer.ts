/** Answers in the form that was asked for, and those that refuse. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ConsensusVersion } from '../chain.ts'

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
