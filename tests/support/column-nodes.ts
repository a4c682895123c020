/**
 * Nodes that serve made blocks and their columns, in the place of `fetch`, each in a manner of its own that may change with each request; and
 * what each of them was seen to say of each block and column, which is what a model of a sampler goes by.
 */
import type { SamplerOptions } from 'blobcheck/sampler'
import type { MadeChain } from 'blobcheck/serve'
import { DataColumnSidecar } from '../../dist/serve/ssz/sidecars.js'
import { concat, flip } from './bytes.ts'
import { answerWithoutData, lapse, OpenRequests } from './deliveries.ts'
import { range } from './make.ts'
import { listSsz } from './ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A block as nodes have it. */
export interface ServedBlock {
  readonly slot: number
  /** The root of its header, as 0x hex. */
  readonly root: string
  /** The signed block, as SSZ. */
  readonly ssz: Bytes
  /** Its 128 columns, as SSZ; none where it has no blobs. */
  readonly columns: readonly Bytes[]
}

/** The block of a slot of a made chain before Gloas. */
export function servedBlock(chain: MadeChain, slot: number): ServedBlock {
  const block = chain.at(slot)!
  const columns = block.blobs.length === 0 ? [] : range(128).map((index) => block.column(index))
  return {
    ...{ slot, root: block.root, ssz: new Uint8Array(block.block.ssz()) },
    columns: columns.map((column) => new Uint8Array(DataColumnSidecar.serialize(column))),
  }
}

/** What is served in the place of a column: well formed, and false. */
const lies = {
  cell: (column: Bytes) => flip(column, 356 + 2047),
  branch: (column: Bytes) => flip(column, 8 + 12 + 208 + 5),
  header: (column: Bytes) => flip(column, 8 + 12 + 8),
  'another block': (column: Bytes, index: number, others: readonly ServedBlock[]) =>
    others.find(({ columns }) => columns.length > 0 && !columns.includes(column))!.columns[index]!,
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
  /** Which block it gives for the one that it is asked for; null: it has none. */
  readonly block: 'true' | 'another' | null
  readonly delivery: (typeof columnDeliveries)[number]
  /** In [0, 1): how late it is, where it is cut. */
  readonly chance: number
}

export const honestly: ColumnManner = {
  ...{ keeps: 128, spoils: 0, lie: 'cell', block: 'true', delivery: 'plain', chance: 0 },
}

/**
 * What a node said of a column: gave it, gave a false one, or gave a whole answer without it. `none`: there was no whole answer; `no route`:
 * it says that it serves no columns at all.
 */
export type Said = 'true' | 'false' | 'lacking' | 'none' | 'no route'

/** One request for a block. */
export interface BlockRequest {
  readonly node: number
  /** The root of the block. */
  readonly root: string
  readonly said: Said
}

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
  /** All requests for columns so far, in order. */
  readonly requests: Request[] = []
  /** All requests for blocks so far, in order. */
  readonly blockRequests: BlockRequest[] = []
  readonly #blocks: readonly ServedBlock[]
  readonly #timeoutMs: number
  readonly #open = new OpenRequests()

  /** `timeoutMs`: how long whoever asks waits for an answer. */
  constructor(blocks: readonly ServedBlock[], manners: readonly ColumnManner[], timeoutMs: number) {
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
    const manner = this.manners[node]!
    const root = pathname.split('/').at(-1)!
    const block = this.#blocks.find((one) => one.root === root)!
    if (pathname.includes('/blocks/')) return await this.#giveBlock(node, block, manner, signal)
    // What is asked for besides it does not have.
    if (!pathname.includes('/data_column_sidecars/'))
      return (await answerWithoutData(manner.delivery, signal, 3)) ?? new Response(null, { status: 404 })
    const { keeps, spoils, lie, delivery } = manner
    const indices = searchParams.getAll('indices').map(Number)
    const isTrue = (index: number): boolean => (placeOf(index) + 40) % 128 >= spoils
    // Of a block without blobs there is nothing but what is made up.
    const isGiven = (index: number): boolean =>
      placeOf(index) < keeps && (block.columns.length > 0 || (!isTrue(index) && lie === 'another block'))
    const lateMs = latenessOf(manner)
    const isInTime = lateMs < this.#timeoutMs
    const kept = indices.filter(isGiven).length
    // No list has more items than there are columns.
    const isTooLong = delivery === 'twice' && 2 * kept > 128
    const isWhole = ['plain', 'twice', 'late'].includes(delivery) && isInTime && !isTooLong
    const unsaid = delivery === 'without the route' ? 'no route' : 'none'
    const said = new Map<number, Said>()
    const given: Bytes[] = []
    for (const index of indices) {
      said.set(index, !isWhole ? unsaid : !isGiven(index) ? 'lacking' : isTrue(index) ? 'true' : 'false')
      const column = block.columns[index]!
      if (isGiven(index)) given.push(isTrue(index) ? column : lies[lie](column, index, this.#blocks))
    }
    const isLasting = isTooLong || ['gone', 'without the route', 'noise'].includes(delivery)
    const isTransient = !isWhole && !isLasting
    this.requests.push({ ...{ node, root, indices, said, isTransient }, isPrompt: delivery !== 'late' })
    const withoutData = await answerWithoutData(delivery, signal, 3)
    if (withoutData !== null) return withoutData
    if (delivery === 'late') await lapse(lateMs, signal)
    return deliver(listSsz(delivery === 'twice' ? given.flatMap((one) => [one, one]) : given), manner)
  }

  async #giveBlock(
    node: number,
    { root, ssz }: ServedBlock,
    manner: ColumnManner,
    signal: AbortSignal,
  ): Promise<Response> {
    const { delivery } = manner
    const lateMs = latenessOf(manner)
    const isWhole = ['plain', 'twice', 'late'].includes(delivery) && lateMs < this.#timeoutMs
    const toldWhole = manner.block === null ? 'lacking' : manner.block === 'true' ? 'true' : 'false'
    const said = isWhole ? toldWhole : delivery === 'without the route' ? 'no route' : 'none'
    this.blockRequests.push({ node, root, said })
    const withoutData = await answerWithoutData(delivery, signal, 3)
    if (withoutData !== null) return withoutData
    if (delivery === 'late') await lapse(lateMs, signal)
    if (manner.block === null) return new Response(null, { status: 404 })
    const given = manner.block === 'true' ? ssz : this.#blocks.find((other) => other.root !== root)!.ssz
    return deliver(given, manner)
  }
}

/** How many milliseconds a whole answer takes. */
const latenessOf = ({ chance, delivery }: ColumnManner): number => (delivery === 'late' ? chance * 3_000 : 0)

/** An answer of SSZ, or what is left of it. */
function deliver(whole: Bytes, { chance, delivery }: ColumnManner): Response {
  const body =
    delivery === 'noise'
      ? concat(Uint8Array.of(3), whole)
      : delivery === 'cut'
        ? whole.subarray(0, chance * whole.length)
        : whole
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(delivery === 'cut' ? whole.length + 1 : body.length),
    'eth-consensus-version': 'fulu',
  }
  return new Response(body, { headers })
}
