/** Files that come together, read as one list. */
import type { Arrival } from '../../arrivals.ts'
import { integer } from '../../shared/words.ts'
import { type Contents, ContentsError, type Kind, kindName, MAX_ITEMS } from './contents.ts'
import { readContents } from './reader.ts'

/** The most bytes that are read: 128 columns of 72 blobs are 40 MB of JSON. */
const MAX_BYTES = 64_000_000

/** A file of the list. */
export interface Part extends Contents {
  /** Null for pasted text. */
  readonly name: string | null
  /** Where its items begin in the list. */
  readonly from: number
}

/** A file that is not in the list, and why, in whole sentences. */
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
 * Reads all of what came, files in the order of their names; what cannot be in one list with the rest is left out, and condemns none of it.
 * `onSign` is called whenever more has been read. Throws `ContentsError` where nothing can be verified, and the signal's reason.
 */
export async function gather(arrival: Arrival, signal: AbortSignal, onSign: () => void): Promise<Gathered> {
  const files: readonly (File | string)[] = typeof arrival === 'string' ? [arrival] : inOrder(arrival)
  const tooLarge = sizeFaults(files.map((file) => (typeof file === 'string' ? file.length : file.size)))
  const small = files.filter((_, at) => tooLarge[at] === null)
  const read = small.length === 0 ? [] : await readContents(small, signal, onSign)
  const contents = new Map(small.map((file, at) => [file, read[at]!]))
  return listOf(
    files.map((file, at) => ({
      name: typeof file === 'string' ? null : file.name,
      found: contents.get(file) ?? new ContentsError(tooLarge[at]!),
    })),
  )
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

/** One list of what was found, of the kind that the first file which could be read is of. Throws `ContentsError` where none could be. */
export function listOf(
  files: readonly { readonly name: string | null; readonly found: Contents | ContentsError }[],
): Gathered {
  const parts: Part[] = []
  const leftOut: LeftOut[] = []
  let from = 0
  for (const { name, found } of files) {
    const contents = found instanceof ContentsError ? null : found
    const why = contents === null ? (found as ContentsError).message : whyNot(contents, parts[0], from)
    if (contents === null || why !== null) leftOut.push({ name: name ?? '', why: why ?? '' })
    else {
      parts.push({ ...contents, name, from })
      from += contents.items.length
    }
  }
  const [first] = parts
  if (first !== undefined)
    return {
      ...{ kind: first.kind, parts, leftOut },
      items: parts.flatMap(({ items }) => items),
      partOf: parts.flatMap((part) => part.items.map(() => part)),
    }
  throw leftOut.length === 1 ? new ContentsError(leftOut[0]!.why) : new NothingGatheredError(leftOut)
}

/** Why contents are in no list with the `count` items before them, the first of which are of `first`; null where they are. */
function whyNot({ kind, items }: Contents, first: Part | undefined, count: number): string | null {
  if (first !== undefined && first.kind !== kind)
    return `It holds ${kindName(kind)}, and ${first.name} holds ${kindName(first.kind)}: choose those of one kind together.`
  if (count + items.length > MAX_ITEMS)
    return `With the files before it there are ${integer(count + items.length)} items; ${integer(MAX_ITEMS)} are the most that this page looks at.`
  return null
}
