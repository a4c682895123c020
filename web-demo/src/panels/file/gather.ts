/** Files that come together, read as one list. */
import type { Arrival } from '../../arrivals.ts'
import { isolated } from '../../shared/printable.ts'
import { integer } from '../../shared/words.ts'
import { lackingWords } from './anchor.ts'
import { type Contents, ContentsError, type Kind, kindName, MAX_ITEMS } from './contents.ts'
import { type ItemView, lackCommitments, viewOf } from './item.ts'
import { MAX_ROWS, Rows } from './layout.ts'
import { readContents } from './reader.ts'

/** The most bytes that are read: 128 columns of 72 blobs are 40 MB of JSON. */
const MAX_BYTES = 64_000_000

/** A file, and what is in it, or why that cannot be verified. */
export interface Found {
  /** Null for pasted text. */
  readonly name: string | null
  readonly found: Contents | ContentsError
}

/** A file of the list. */
export interface Part extends Contents {
  /** No other file has it: where several are called the same, there is a number behind it. Null for pasted text. */
  readonly name: string | null
  /** What the file is called; null for pasted text. */
  readonly calledAs: string | null
  /** Where its items begin in the list. */
  readonly from: number
}

/** A file that is not in the list, and why, in whole sentences; `name` as that of a part. */
export interface LeftOut {
  readonly name: string
  readonly why: string
}

export interface Gathered {
  /** Of all parts. */
  readonly kind: Kind
  /** Of all parts, one after another. */
  readonly items: readonly unknown[]
  /** At least one. */
  readonly parts: readonly Part[]
  /** The part that each item is of. */
  readonly partOf: readonly Part[]
  /** What each item says of itself. */
  readonly views: readonly ItemView[]
  readonly leftOut: readonly LeftOut[]
}

/** None of several files can be verified. */
export class NothingGatheredError extends ContentsError {
  readonly leftOut: readonly LeftOut[]
  constructor(leftOut: readonly LeftOut[]) {
    super('None of them can be verified.')
    this.leftOut = leftOut
  }
}

/**
 * Reads all of what came, files in the order of their names. `onSign` is called whenever more has been read. Throws `ContentsError` where it
 * cannot be read at all, and the signal's reason.
 */
export async function readAll(
  arrival: Arrival,
  signal: AbortSignal,
  onSign: () => void,
): Promise<readonly Found[]> {
  const files: readonly (File | string)[] = typeof arrival === 'string' ? [arrival] : inOrder(arrival)
  const tooLarge = sizeFaults(files.map((file) => (typeof file === 'string' ? file.length : file.size)))
  const small = files.filter((_, at) => tooLarge[at] === null)
  const read = small.length === 0 ? [] : await readContents(small, signal, onSign)
  const contents = new Map(small.map((file, at) => [file, read[at]!]))
  return files.map((file, at) => ({
    name: typeof file === 'string' ? null : file.name,
    found: contents.get(file) ?? new ContentsError(tooLarge[at]!),
  }))
}

/** How they are listed, and nothing else follows from it. A number in a name counts as one: `blob_10` is behind `blob_9`. */
function inOrder(files: readonly File[]): readonly File[] {
  return [...files].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** For each file null, or why it is not read; `sizes` in bytes. */
function sizeFaults(sizes: readonly number[]): readonly (string | null)[] {
  const most = `, and ${integer(MAX_BYTES / 1e6)} MB are the most that this page reads: “npx blobcheck verify” takes more.`
  let sum = 0
  return sizes.map((size) => {
    if (size > MAX_BYTES) return `It has ${integer(Math.ceil(size / 1e6))} MB${most}`
    if (sum + size > MAX_BYTES)
      return `With the files before it there are ${integer(Math.ceil((sum + size) / 1e6))} MB${most}`
    sum += size
    return null
  })
}

/**
 * One list of what was found, of the kind that most files are of which could be read, or of the first of those kinds. What cannot be in one list
 * with the rest is left out, and condemns none of it. `isListed`: whether it is named what the commitments are of items that bring none; where
 * it is not, the files of such items are left out too, unless all files are like that. Throws `ContentsError` where nothing is left.
 */
export function listOf(files: readonly Found[], isListed: boolean): Gathered {
  const names = distinct(files.map(({ name }) => name))
  const readable = files.flatMap(({ found }, at) =>
    found instanceof ContentsError ? [] : [{ name: names[at]!, contents: found }],
  )
  const kinds = [...new Set(readable.map(({ contents }) => contents.kind))]
  const [ofKind = []] = kinds
    .map((kind) => readable.filter(({ contents }) => contents.kind === kind))
    // The first of the longest stays the first.
    .sort((a, b) => b.length - a.length)
  const isLacking = ({ kind, items }: Contents): boolean => !isListed && lackCommitments(kind, items)
  const allLack = ofKind.every(({ contents }) => isLacking(contents))
  const rows = new Rows(ofKind[0]?.contents.kind === 'data-column-sidecars')
  const parts: Part[] = []
  const views: ItemView[] = []
  const leftOut: LeftOut[] = []

  /** Why contents are in no list with those before them; null where they are. */
  const whyNot = (contents: Contents, own: readonly ItemView[]): string | null => {
    const { name, contents: first } = ofKind[0]!
    if (contents.kind !== first.kind)
      return `It holds ${kindName(contents.kind)}, and ${isolated(name!)} holds ${kindName(first.kind)}: choose those of one kind together.`
    if (isLacking(contents) && !allLack) return lackingWords(contents.kind, true)
    const items = views.length + own.length
    if (items > MAX_ITEMS)
      return `With the files before it there are ${integer(items)} items; ${integer(MAX_ITEMS)} are the most that this page looks at.`
    const { count } = rows.place(own, MAX_ROWS)
    if (count <= MAX_ROWS) return null
    return `${parts.length === 0 ? 'It is about' : 'With the files before it there are'} ${integer(count)} blobs; ${integer(MAX_ROWS)} are the most that this page shows: “npx blobcheck verify” takes more.`
  }

  for (const [at, { name: calledAs, found }] of files.entries()) {
    const name = names[at]!
    const own = found instanceof ContentsError ? [] : found.items.map((item) => viewOf(found.kind, item))
    const why = found instanceof ContentsError ? found.message : whyNot(found, own)
    if (found instanceof ContentsError || why !== null) leftOut.push({ name: name ?? '', why: why ?? '' })
    else {
      parts.push({ ...found, name, calledAs, from: views.length })
      views.push(...own)
    }
  }
  const [first] = parts
  if (first !== undefined)
    return {
      ...{ kind: first.kind, parts, views, leftOut },
      items: parts.flatMap(({ items }) => items),
      partOf: parts.flatMap((part) => part.items.map(() => part)),
    }
  throw leftOut.length === 1 ? new ContentsError(leftOut[0]!.why) : new NothingGatheredError(leftOut)
}

/** Each name once: a number stands behind one that has come before, as with files of several folders. */
function distinct(names: readonly (string | null)[]): readonly (string | null)[] {
  const taken = new Set(names)
  const counts = new Map<string | null, number>()
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1
    if (count > 1) while (taken.has(`${name} (${count})`)) count++
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}
