/** What the panel says of files that were read, and of the verdicts on them. */
import type { Subject } from '../../instrument/stage.ts'
import { isolated } from '../../shared/printable.ts'
import { capital, integer, numberWord } from '../../shared/words.ts'
import { contentsWords } from './contents.ts'
import type { Gathered, LeftOut } from './gather.ts'
import type { ItemView } from './item.ts'
import type { Layout } from './layout.ts'
import type { ItemVerdict } from './verify.ts'

/** How many files are named, and how many of those that are left out: one for each column of a block, and more. */
const MAX_NAMES = 256

/** What is known of the files that are shown. */
export interface Read {
  readonly contents: Gathered
  readonly views: readonly ItemView[]
  readonly layout: Layout
  /** The block that all items are of; null where they are not of one, or do not say. */
  readonly block: ItemView['block']
}

export const nouns = {
  ...{ 'blob-sidecars': 'blob', blobs: 'blob', transaction: 'transaction' },
  'data-column-sidecars': 'column',
} as const

/** For example `blob 3`: what it says of itself, else its place in its file; `blob 3 in a.ssz` where there are several files. */
export function nameOf({ contents, views }: Read, at: number): string {
  const { name, from } = contents.partOf[at]!
  const place = isOfSeveral(contents) ? ` in ${isolated(name!)}` : ''
  return `${nouns[contents.kind]} ${views[at]?.index ?? at - from}${place}`
}

/** Whether several files were chosen, be they all read or not. */
export function isOfSeveral({ parts, leftOut }: Gathered): boolean {
  return parts.length + leftOut.length > 1
}

export function wordsOf({ kind, items, parts }: Gathered): string {
  return contentsWords(kind, items.length, parts)
}

/** For each file that was read, how many of its items are valid. */
export function partsWords({ kind, parts }: Gathered, verdicts: readonly ItemVerdict[]): readonly string[] {
  const words = parts.slice(0, MAX_NAMES).map((part) => {
    const { length } = part.items
    const valid = verdicts.slice(part.from, part.from + length).filter(({ status }) => status === 'valid')
    return `${isolated(part.name!)}: ${contentsWords(kind, length, [part])}. ${integer(valid.length)} of ${integer(length)} valid.`
  })
  return [...words, ...moreWords(parts.length - MAX_NAMES)]
}

export function leftOutWords(leftOut: readonly LeftOut[]): readonly string[] {
  return [
    ...leftOut.slice(0, MAX_NAMES).map(({ name, why }) => `${isolated(name)}: ${why}`),
    ...moreWords(leftOut.length - MAX_NAMES),
  ]
}

/** What the status says of files that are left out, behind a sentence. */
export function withoutWords({ length }: readonly LeftOut[]): string {
  if (length === 0) return ''
  return length === 1
    ? ' One of the files was not verified, for the reason below.'
    : ` ${capital(numberWord(length))} of the files were not verified, for the reasons below.`
}

export function moreWords(count: number): readonly string[] {
  return count > 0 ? [`And ${integer(count)} more.`] : []
}

/**
 * The valid items that are copies of others before them. Those of one index in one block are: its commitments are in the header, or were
 * named, and no other bytes are valid for one of them. Blobs without their block may be alike and two of it.
 */
export function copiesIn({ views }: Read, verdicts: readonly ItemVerdict[]): ReadonlySet<number> {
  const known = new Set<string>()
  const copies = new Set<number>()
  for (const [at, { block, index }] of views.entries()) {
    if (verdicts[at]!.status !== 'valid' || block === null || index === null) continue
    const place = JSON.stringify([block, index])
    if (known.has(place)) copies.add(at)
    known.add(place)
  }
  return copies
}

/** For example `6 blobs`. */
export function countWords({ contents: { kind } }: Read, count: number): string {
  return `${integer(count)} ${nouns[kind]}${count === 1 ? '' : 's'}`
}

/** For example `Network unknown, slot 7, block root 0x…`. */
export function blockWords({ network, slot, root }: Subject): string {
  const parts = [network, ...(slot === null ? [] : [`slot ${integer(slot)}`])]
  return `${[...parts, ...(root === null ? [] : [`block root ${root}`])].join(', ')}.`
}

/** What the status says of copies, behind a sentence. */
export function copiesWords(read: Read, copies: number): string {
  if (copies === 0) return ''
  const { length } = read.views
  const some = copies === 1 ? 'One' : capital(numberWord(copies))
  const are = copies === 1 ? 'is a copy of another' : 'are copies of others'
  return ` ${some} of these ${integer(length)} ${are}: together they are ${countWords(read, length - copies)}.`
}
