/** What the visitor says that the file must belong to, read from a text field. */
import type { AnchorOption } from 'blobcheck'
import type { Kind } from './contents.ts'
import { numberWord, shortened } from '../../shared/words.ts'

export type AnchorName = 'none' | 'header' | 'versionedHashes' | 'commitments'

/** What was typed cannot be used; `message` is one sentence. */
export class AnchorError extends Error {
  override readonly name = 'AnchorError'
}

/** The anchor as hex: lines of code show it, and `anchorFor` makes of it what the verifier takes. */
export interface Anchor {
  readonly name: AnchorName
  /** Values in `0x` digits: one root, or hashes or commitments; in the order of the block where blobs have places. None for `none`. */
  readonly values: readonly string[]
}

const forms = {
  header: { bytes: 32, one: 'A block root' },
  versionedHashes: { bytes: 32, one: 'A versioned hash' },
  commitments: { bytes: 48, one: 'A commitment' },
} as const

/** Reads the values, which white space, commas, quotes or brackets may separate. Throws `AnchorError`. */
export function readAnchor(name: AnchorName, text: string): Anchor {
  if (name === 'none') return { name, values: [] }
  const { bytes, one } = forms[name]
  const values = text.split(/[\s,;"'[\]]+/).filter((part) => part !== '')
  if (values.length === 0) throw new AnchorError(`${one} is 0x and ${2 * bytes} digits: write it beside it.`)
  const wrong = values.find((value) => !/^0x([0-9a-f]{2})+$/i.test(value) || value.length !== 2 + 2 * bytes)
  if (wrong !== undefined)
    throw new AnchorError(`${one} is 0x and ${2 * bytes} digits, which “${shortened(wrong)}” is not.`)
  if (name === 'header' && values.length > 1)
    throw new AnchorError(`One block root is compared, and here are ${numberWord(values.length)}.`)
  return { name, values }
}

/** Whether an anchor says what the commitments are of items that bring none. */
export function listsCommitments(name: AnchorName): boolean {
  return name === 'versionedHashes' || name === 'commitments'
}

/** Why items that bring no commitments are not verified without such an anchor. */
export function lackingWords(kind: Kind, isOfSeveral: boolean): string {
  return kind === 'blobs'
    ? `These blobs bring no commitments, and without these nothing can be said of them: choose versioned hashes or commitments above, and write those that the block has, in ${isOfSeveral ? 'any' : 'its'} order.`
    : 'Columns of Gloas bring no commitments: choose commitments above, and write all that the block has, in its order.'
}

/**
 * The values for a call of so many blobs, any of which may be any of the values: the verifier takes a list of its call's length for one that
 * names each blob's own, in its place.
 */
export function anyOf(values: readonly string[], count: number): readonly string[] {
  return values.length === count && count > 1 ? [...values, ...values] : values
}

/**
 * What the verifier takes. `isOfSeveral`: whether the items are of several files. Throws `AnchorError` where items of this kind cannot be held
 * against it, or cannot be verified without one.
 */
export function anchorFor(
  { name, values }: Anchor,
  kind: Kind,
  needsCommitments: boolean,
  isOfSeveral: boolean,
): AnchorOption {
  if (needsCommitments && !listsCommitments(name)) throw new AnchorError(lackingWords(kind, isOfSeveral))
  if (name === 'header' && (kind === 'blobs' || kind === 'transaction'))
    throw new AnchorError(
      `Nothing leads from ${kind === 'blobs' ? 'blobs' : 'a transaction'} to a block root: choose versioned hashes or commitments above.`,
    )
  switch (name) {
    case 'none':
      return 'none'
    case 'header':
      return { header: values[0]! }
    case 'versionedHashes':
      return { versionedHashes: values }
    case 'commitments':
      return { commitments: values }
  }
}
