/** What a file of the page is sent as: with the content coding that its reader takes, and under an entity tag of its own. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The content codings that are sent, by their names in HTTP; the first that a reader takes is used. */
const CODINGS = ['br', 'gzip', 'identity'] as const

/** A content coding of RFC 9110, section 8.4.1. */
export type Coding = (typeof CODINGS)[number]

/** A body, and the strong entity tag of these very bytes (RFC 9110, section 8.8.3). */
export interface Representation {
  readonly body: Uint8Array<ArrayBuffer>
  readonly coding: Coding
  readonly etag: string
}

/** Higher qualities of brotli take longer, and save little of the page: the block and the modules are most of it. */
const BROTLI_QUALITY = 5

const compressions: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => Promise.resolve(bytes),
}

/** Each representation of some bytes, prepared when it is asked for the first time, and kept. */
export function representationsOf(bytes: Uint8Array): (coding: Coding) => Promise<Representation> {
  const prepared = new Map<Coding, Promise<Representation>>()
  return (coding) => {
    const known = prepared.get(coding) ?? prepare(bytes, coding)
    prepared.set(coding, known)
    return known
  }
}

async function prepare(bytes: Uint8Array, coding: Coding): Promise<Representation> {
  const body = new Uint8Array(await compressions[coding](bytes))
  const hash = createHash('sha256').update(body).digest('base64url')
  return { body, coding, etag: `"${hash}"` }
}

/**
 * The coding for a reader who sends this `Accept-Encoding` (RFC 9110, section 12.5.3). Whoever refuses all of them gets the bytes as they
 * are, rather than nothing.
 */
export function codingFor(accepted: string | undefined): Coding {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    if (name !== '')
      weights.set(name, weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1)))
  }
  const takes = (coding: Coding): boolean => (weights.get(coding) ?? weights.get('*') ?? 0) > 0
  return CODINGS.find(takes) ?? 'identity'
}

/** Whether a reader who sends this `If-None-Match` has what the tag names (RFC 9110, section 13.1.2). */
export function hasAlready(tags: string | undefined, etag: string): boolean {
  if (tags === undefined) return false
  return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
