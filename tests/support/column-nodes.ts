/**
 * Nodes that serve the columns of made blocks, in the place of `fetch`, each in a manner of its own that may change with each request; and
 * what each of them was seen to say of each column, which is what a model of a sampler goes by.
 */
import type { SamplerOptions } from 'blobcheck/sampler'
import { concat, flip } from './bytes.ts'
import type { ColumnBlock } from './column-oracle.ts'
import { answerWithoutData, lapse, OpenRequests } from './deliveries.ts'
import { listSsz } from './ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is served in the place of a column: well formed, and false. */
const lies = {
  cell: (column: Bytes) => flip(column, 356 + 2047),
  branch: (column: Bytes) => flip(column, 8 + 12 + 208 + 5),
  header: (column: Bytes) => flip(column, 8 + 12 + 8),
  'another block': (column: Bytes, index: number, others: readonly ColumnBlock[]) =>
    others.find(({ columns }) => !columns.includes(column))!.columns[index]!,
} as const
export const columnLies = Object.keys(lies) as readonly (keyof typeof lies)[]

/** In which way a node answers. All but the first three give no whole answer. */
export const columnDeliveries = [
  'plain',
  'twice',
  'late',
  'stalls',
  'deaf',
  'endless',
  'down',
  'busy',
  'failing',
  'gone',
  'without the route',
  'cut',
  'noise',
] as const

export interface ColumnManner {
  /** How many of the 128 columns it has; which ones, is the same each time. */
  readonly keeps: number
  /** How many are false, likewise others; and in what. */
  readonly spoils: number
  readonly lie: keyof typeof lies
  readonly delivery: (typeof columnDeliveries)[number]
  /** In [0, 1): how late it is, where it is cut. */
  readonly chance: number
}

export const honestly: ColumnManner = { keeps: 128, spoils: 0, lie: 'cell', delivery: 'plain', chance: 0 }

/**
 * What a node said of a column: gave it, gave a false one, or gave a whole answer without it. `none`: there was no whole answer; `no route`:
 * it says that it serves no columns at all.
 */
export type Said = 'true' | 'false' | 'lacking' | 'none' | 'no route'

/** One request for columns of a block. */
export interface Request {
  readonly node: number
  readonly root: string
  readonly indices: readonly number[]
  /** What was said of each of them. */
  readonly said: ReadonlyMap<number, Said>
  /** Whether it was answered at once. */
  readonly isPrompt: boolean
  readonly isTransient: boolean
}

/** A place of its own for each column, in an order that has nothing to do with theirs. */
const placeOf = (index: number): number => (index * 37 + 11) % 128

export class ColumnNodes {
  readonly urls: readonly string[]
  readonly manners: ColumnManner[]
  /** All requests so far, in order. */
  readonly requests: Request[] = []
  readonly #blocks: readonly ColumnBlock[]
  readonly #timeoutMs: number
  readonly #open = new OpenRequests()

  /** `timeoutMs`: how long whoever asks waits for an answer. */
  constructor(blocks: readonly ColumnBlock[], manners: readonly ColumnManner[], timeoutMs: number) {
    this.#blocks = blocks
    this.#timeoutMs = timeoutMs
    this.manners = [...manners]
    this.urls = manners.map((_, at) => `http://node-${at}.example`)
  }

  /** Requests whose signal was never aborted, as it is once nobody wants more of the answer. */
  get open(): number {
    return this.#open.count
  }

  readonly fetch: NonNullable<SamplerOptions['fetch']> = async (text, init) => {
    const signal = init.signal as AbortSignal
    this.#open.add(signal)
    const { origin, pathname, searchParams } = new URL(text)
    const node = this.urls.indexOf(origin)
    const { keeps, spoils, lie, delivery, chance } = this.manners[node]!
    // What is asked for besides, as blocks are, it does not have.
    if (!pathname.includes('/data_column_sidecars/'))
      return (await answerWithoutData(delivery, signal, 3)) ?? new Response(null, { status: 404 })
    const root = pathname.split('/').at(-1)!
    const block = this.#blocks.find((one) => one.root === root)!
    const indices = searchParams.getAll('indices').map(Number)
    const lateMs = delivery === 'late' ? chance * 3_000 : 0
    const isInTime = lateMs < this.#timeoutMs
    const kept = indices.filter((index) => placeOf(index) < keeps).length
    // No list has more items than there are columns.
    const isTooLong = delivery === 'twice' && 2 * kept > 128
    const isWhole = ['plain', 'twice', 'late'].includes(delivery) && isInTime && !isTooLong
    const unsaid = delivery === 'without the route' ? 'no route' : 'none'
    const said = new Map<number, Said>()
    const given: Bytes[] = []
    for (const index of indices) {
      const place = placeOf(index)
      const isKept = place < keeps
      const isTrue = (place + 40) % 128 >= spoils
      said.set(index, !isWhole ? unsaid : !isKept ? 'lacking' : isTrue ? 'true' : 'false')
      const column = block.columns[index]!
      if (isKept) given.push(isTrue ? column : lies[lie](column, index, this.#blocks))
    }
    const isLasting = isTooLong || ['gone', 'without the route', 'noise'].includes(delivery)
    const isTransient = !isWhole && !isLasting
    this.requests.push({ ...{ node, root, indices, said, isTransient }, isPrompt: delivery !== 'late' })
    const withoutData = await answerWithoutData(delivery, signal, 3)
    if (withoutData !== null) return withoutData
    if (delivery === 'late') await lapse(lateMs, signal)
    const list = listSsz(delivery === 'twice' ? given.flatMap((one) => [one, one]) : given)
    const body =
      delivery === 'noise'
        ? concat(Uint8Array.of(3), list)
        : delivery === 'cut'
          ? list.subarray(0, chance * list.length)
          : list
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(delivery === 'cut' ? list.length + 1 : body.length),
    }
    return new Response(body, { headers })
  }
}
