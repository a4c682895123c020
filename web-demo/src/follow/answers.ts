/** The answers with data columns, kept as they came, so that the bytes of a cell can be shown. */
import type { Fetch } from 'blobcheck/sampler'
import { fromHex } from '../shared/bytes.ts'
import { CELL_BYTES } from '../shared/sizes.ts'
import { watched } from './watched.ts'

interface Answer {
  readonly origin: string
  /** The columns that were asked for; what else is in the answer was not looked at. */
  readonly asked: ReadonlySet<number>
  readonly isJson: boolean
  readonly body: Uint8Array
}

const ROUTE = /\/eth\/v1\/debug\/beacon\/data_column_sidecars\/(0x[0-9a-f]{64})$/i

export class Answers {
  /** By the root of the block, in the order in which they were complete. */
  readonly #byRoot = new Map<string, Answer[]>()

  /** A `fetch` whose answers with columns are kept; none of them is changed. */
  kept(fetch: Fetch): Fetch {
    return async (url, init) => {
      const { origin, pathname, searchParams } = new URL(url)
      const root = ROUTE.exec(pathname)?.[1]?.toLowerCase()
      if (root === undefined) return await fetch(url, init)
      // Those of now: what is complete after its block was forgotten is put where nobody looks.
      const answers = this.#answersOn(root)
      const response = await fetch(url, init)
      if (!response.ok) return response
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const asked = new Set(searchParams.getAll('indices').map(Number))
      return watched(response, (body) => answers.push({ origin, asked, isJson, body }))
    }
  }

  #answersOn(root: string): Answer[] {
    const answers = this.#byRoot.get(root) ?? []
    this.#byRoot.set(root, answers)
    return answers
  }

  /** Nothing is kept of a block any more, nor of what was asked for about it and has not come. */
  forget(root: string): void {
    this.#byRoot.delete(root.toLowerCase())
  }

  /**
   * The 2,048 bytes of a cell as a sender gave them last; null where they are not here. `source` is the sender's name in reports: its origin,
   * or, where several endpoints share that, one with a number, of which nothing is known here.
   */
  cell(root: string, source: string, column: number, blob: number): Uint8Array | null {
    const answers = this.#byRoot.get(root.toLowerCase()) ?? []
    const last = answers.filter(({ origin, asked }) => origin === source && asked.has(column)).at(-1)
    if (last === undefined) return null
    if (last.isJson) return cellInJson(last.body, column, blob)
    const cell = cellsInSsz(last.body, column)?.subarray(blob * CELL_BYTES, (blob + 1) * CELL_BYTES)
    return cell?.length === CELL_BYTES ? cell : null
  }
}

/** The cells of a column, one after the other, in a list of data column sidecars of Fulu or of Gloas: both begin with index and cells. */
function cellsInSsz(list: Uint8Array, column: number): Uint8Array | null {
  const view = new DataView(list.buffer, list.byteOffset, list.length)
  const offset = (at: number): number => (at + 4 <= list.length ? view.getUint32(at, true) : list.length)
  const first = offset(0)
  for (let at = 0; at < Math.min(first, list.length); at += 4) {
    const begin = offset(at)
    if (begin + 16 > list.length) return null
    if (view.getBigUint64(begin, true) === BigInt(column))
      return list.subarray(begin + offset(begin + 8), begin + offset(begin + 12))
  }
  return null
}

const HEX_CELL = new RegExp(`^0x[0-9a-f]{${2 * CELL_BYTES}}$`, 'i')

/** A cell of a column in the same list as JSON. Nobody has judged the shape of the answer: null where it is not the one that a list has. */
function cellInJson(text: Uint8Array, column: number, blob: number): Uint8Array | null {
  const data = propertyOf(jsonIn(text), 'data')
  const sidecar = listOf(data).find((one) => propertyOf(one, 'index') === String(column))
  const cell = listOf(propertyOf(sidecar, 'column'))[blob]
  return typeof cell === 'string' && HEX_CELL.test(cell) ? fromHex(cell) : null
}

function jsonIn(text: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(text))
  } catch {
    return undefined
  }
}

/** A property of what may be no object. */
function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
