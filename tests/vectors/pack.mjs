// Reads a set of the committed vectors: README.md beside this file says what the form is. Runs in Node and in pages.

/** `@offset+length`, or `@offset+length*count` in a list. */
const SLICE = /^(\d+)\+(\d+)(?:\*(\d+))?$/

/**
 * The files of one set, by their paths in it.
 *
 * @param {{ documents: Record<string, unknown>, texts: Record<string, string>, objects: Record<string, string> }} index
 *   the set's `.json`
 * @param {Uint8Array<ArrayBuffer>} pool the set's `.pool`, decompressed; empty for a set that has none
 */
export function openPack(index, pool) {
  const { documents, texts, objects } = index
  const paths = [documents, texts, objects].flatMap(Object.keys).sort()

  /** @type {(kind: Record<string, any>, path: string) => any} */
  const entry = (kind, path) => {
    if (!Object.hasOwn(kind, path)) throw new Error(`the vectors have no such file: ${path}`)
    return kind[path]
  }

  return {
    /** The paths of all files, sorted. */
    paths,

    /**
     * The names in a folder, sorted: files and folders.
     *
     * @param {string} folder
     * @returns {string[]}
     */
    list(folder) {
      const names = paths
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? '')
      if (names.length === 0) throw new Error(`the vectors have no such folder: ${folder}`)
      return [...new Set(names)]
    },

    /**
     * A file that is bytes, in memory of its own.
     *
     * @param {string} path
     * @returns {Uint8Array<ArrayBuffer>}
     */
    bytes: (path) => bytesOf(entry(objects, path), pool),

    /**
     * A file that is text.
     *
     * @param {string} path
     * @returns {string}
     */
    text: (path) => entry(texts, path),

    /**
     * A file that is JSON or was YAML, as the value that it holds; byte strings are `0x` hex.
     *
     * @param {string} path
     * @returns {any}
     */
    value: (path) => valueOf(entry(documents, path), pool),
  }
}

/** The slices that a reference names, with the number of items that each is cut into. */
function slicesOf(reference) {
  return reference
    .slice(1)
    .split('@')
    .map((slice) => {
      const [, offset, length, count = '1'] = SLICE.exec(slice) ?? []
      if (offset === undefined) throw new Error(`not a reference: ${reference}`)
      return { offset: Number(offset), length: Number(length), count: Number(count) }
    })
}

function bytesOf(reference, pool) {
  const slices = slicesOf(reference)
  const bytes = new Uint8Array(slices.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const { offset, length } of slices) {
    if (offset + length > pool.length) throw new Error(`the pool ends before ${reference}`)
    bytes.set(pool.subarray(offset, offset + length), at)
    at += length
  }
  return bytes
}

const isReference = (value) => typeof value === 'string' && value.startsWith('@')

function valueOf(value, pool) {
  if (isReference(value)) return toHex(bytesOf(value, pool))
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, pool))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, valueOf(entry, pool)]))
}

/** What stands for one or more items of a list. */
function itemsOf(item, pool) {
  if (!isReference(item) || !item.includes('*')) return [valueOf(item, pool)]
  const [{ offset, length, count }] = slicesOf(item)
  return Array.from({ length: count }, (_, at) => valueOf(`@${offset + at * length}+${length}`, pool))
}

const DIGITS = new TextEncoder().encode('0123456789abcdef')
const decoder = new TextDecoder()

function toHex(bytes) {
  const text = new Uint8Array(2 + 2 * bytes.length)
  text.set([48, 120]) // 0x
  for (let at = 0; at < bytes.length; at++) {
    text[2 + 2 * at] = DIGITS[bytes[at] >> 4]
    text[3 + 2 * at] = DIGITS[bytes[at] & 15]
  }
  return decoder.decode(text)
}
