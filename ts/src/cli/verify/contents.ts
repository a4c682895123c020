/** What a file holds, once it is known: items of one kind, in one form. */

/** What can be in a file. */
export const kinds = ['blob-sidecars', 'data-column-sidecars', 'transaction', 'blobs'] as const
export type Kind = (typeof kinds)[number]

/** How it is written down. Any binary form may also be in hexadecimal digits. */
export type Form = 'json' | 'ssz' | 'rlp'

export interface Contents {
  readonly kind: Kind
  readonly form: Form
  readonly isHex: boolean
  /** Sidecars, blobs or one transaction, as bytes or JSON; not looked into yet. */
  readonly items: readonly unknown[]
}

/** The file is nothing that could be verified, `message` says why. */
export interface Unrecognised {
  readonly kind: null
  readonly message: string
}

/** A block holds 128 columns at most, and a file some blocks. */
export const MAX_ITEMS = 16_384

const kindWords: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  'blob-sidecars': ['blob sidecar', 'blob sidecars'],
  'data-column-sidecars': ['data column sidecar', 'data column sidecars'],
  transaction: ['blob transaction in network form', 'blob transactions in network form'],
  blobs: ['bare blob', 'bare blobs'],
}
const formWords: Readonly<Record<Form, string>> = { json: 'JSON', ssz: 'SSZ', rlp: 'RLP' }

/** For example `6 blob sidecars, JSON`. */
export function contentsInWords({ kind, form, isHex, items }: Contents): string {
  const [one, many] = kindWords[kind]
  return `${items.length} ${items.length === 1 ? one : many}, ${formWords[form]}${isHex ? ' in hex' : ''}`
}

/** Nothing is said about the data: it could not be read, or what was asked for cannot be applied to it. */
export class UndeterminedError extends Error {
  override readonly name = 'UndeterminedError'
}
