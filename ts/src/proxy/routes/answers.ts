/** What routes have in common: what is noted of a request, which block it is about, and how answers and refusals are written. */
import type { Context } from '../../vendor/hono.ts'
import type { BlockBlobsAnswer } from '../blobs/block-blobs.ts'
import { reasonsInWords } from '../blobs/reasons-in-words.ts'
import type { KnownHeader, KnownHeaders } from '../headers/known-header.ts'
import { ApiError, type Form, formOf } from '../../serve/routes/http.ts'
import { isHash } from '../../util/hash.ts'
import { printable } from '../../util/printable.ts'
import { bodyOf, lengthOf, type Piece } from './streamed.ts'

/** What the log says of a request, beside what its answer says itself. */
export interface Note {
  block: string | null
  via: 'memory' | 'source' | null
  reason: string | null
  detail: string | null
  bytes: number
}

/** What handlers find in their context. */
export interface ProxyEnv {
  Bindings: { underWay: number }
  /** `isSettled`: the answer is about a block that was asked for by its slot or root, and can be no other any more. */
  Variables: { note: Note; signal: AbortSignal; isSettled?: boolean }
}

export type ProxyContext = Context<ProxyEnv>

/** Seconds after which a client may ask again, for what passes. */
const RETRY_AFTER = '1'

/** An answer in JSON that is made at once. */
export function jsonAnswer(
  context: ProxyContext,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  formOf(context.req.header('accept'), ['json'])
  return sent(context, [{ kind: 'text', text: asciiJson(value) }], 'application/json', headers)
}

/** An answer in the form that is asked for, in pieces. */
export function formAnswer(
  context: ProxyContext,
  forms: Readonly<Record<Form, () => readonly Piece[]>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const form = formOf(context.req.header('accept'), ['json', 'ssz'])
  return sent(context, forms[form](), typeOf[form], headers)
}

const typeOf: Readonly<Record<Form, string>> = { json: 'application/json', ssz: 'application/octet-stream' }

function sent(
  context: ProxyContext,
  pieces: readonly Piece[],
  type: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const length = lengthOf(pieces)
  context.var.note.bytes = length
  const all = { 'content-type': type, 'content-length': String(length), vary: 'accept', ...headers }
  return new Response(context.req.method === 'HEAD' ? null : bodyOf(pieces), { status: 200, headers: all })
}

/** JSON in ASCII, so that its length in bytes is its length. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * The proxy cannot answer: 404 where it is proven that there is nothing, or there is no such route, and 503 where it is not known. The body is
 * `{ code, message, reason }`.
 */
export class Refusal extends ApiError {
  readonly reason: string
  constructor(code: 404 | 503, reason: string, detail: string) {
    super(code, detail)
    this.reason = reason
  }

  override getResponse(): Response {
    const body = JSON.stringify({ code: this.status, message: printable(this.message), reason: this.reason })
    return new Response(body, {
      status: this.status,
      headers: {
        'content-type': 'application/json',
        ...(this.status === 503 && isPassing(this.reason) && { 'retry-after': RETRY_AFTER }),
      },
    })
  }
}

/** Whether asking again soon makes sense. */
function isPassing(reason: string): boolean {
  return [
    'busy',
    'starting',
    'too-new',
    'following-back',
    'unreachable',
    'unfinished',
    'timeout',
    'crashed',
  ].includes(reason)
}

/** The block of `{block_id}`, or with `orNone` one that by an endpoint's word is none of the chain. Throws a 400 for what names no block, and `Refusal`. */
export async function headerOf(
  context: ProxyContext,
  headers: KnownHeaders,
  id: string,
  orNone: boolean = false,
): Promise<KnownHeader> {
  const name = blockId(id)
  context.var.note.block = id
  const { signal } = context.var
  const resolution = await headers.resolve(name, { signal })
  if (resolution.status === 'found') {
    context.set('isSettled', isSettled(name, resolution.header, headers))
    return resolution.header
  }
  if (resolution.status === 'no-block')
    throw new Refusal(404, 'empty-slot', `there is no block in slot ${id}: the chain goes past it`)
  if (orNone && resolution.header !== undefined) return resolution.header
  throw new Refusal(503, resolution.reason, resolution.detail)
}

/**
 * Whether what is said of a block will be said of that name for ever. Not of the newest final block: what became of its payload, the next one says. Nor
 * by an endpoint's word.
 */
function isSettled(name: string | number, { finalized, slot }: KnownHeader, headers: KnownHeaders): boolean {
  const { finalized: newest, links } = headers.status()
  const isByName = name === 'head' || name === 'finalized'
  return !isByName && finalized && links?.header === 'verified' && newest !== null && slot < newest.slot
}

function blockId(id: string): string | number {
  if (id === 'head' || id === 'finalized') return id
  if (id === 'genesis') return 0
  if (id === 'justified')
    throw new ApiError(400, 'justified is not served: light clients are not told which block that is')
  if (/^\d{1,15}$/.test(id)) return Number(id)
  if (isHash(id)) return id.toLowerCase()
  throw new ApiError(
    400,
    'block_id must be head, genesis, finalized, a slot, or a root of 0x and 64 hex digits',
  )
}

/** What blobs answers say beside their data. */
export function statusOf(header: KnownHeader): { execution_optimistic: false; finalized: boolean } {
  return { execution_optimistic: false, finalized: header.finalized }
}

/** The refusal for blobs that cannot be had. */
export function refusalOf(
  { reason, detail }: Extract<BlockBlobsAnswer, { status: 'refused' }>,
  { slot }: KnownHeader,
): Refusal {
  const isProven = reason === 'empty-slot' || reason === 'before-deneb'
  const said =
    detail ?? (reason === 'busy' ? 'too many blocks are being fetched already' : reasonsInWords[reason])
  return new Refusal(isProven ? 404 : 503, reason, `blobs of slot ${slot}: ${reason}: ${said}`)
}
