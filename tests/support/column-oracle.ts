/** What a Beacon API server says of the columns of made blocks: all of them, or what a test leaves of them. */
import type { HeaderOnTrust, HeaderSource } from 'blobcheck/sampler'
import { dataColumnSidecar } from '../../dist/beacon/ssz/layout.js'
import type { Oracle } from './beacon-server.ts'
import { type MadeSidecars, makeSidecars, slots } from './blocks.ts'
import { toHex } from './bytes.ts'
import { range } from './make.ts'
import { dataColumnSidecarSsz, headerRoot, listSsz } from './ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A block of the invented network with its columns, as SSZ. */
export interface ColumnBlock extends HeaderOnTrust {
  readonly made: MadeSidecars
  readonly columns: readonly Bytes[]
}

/** A block whose blobs are the constants given. */
export async function columnBlock(
  constants: readonly number[],
  slot = slots.fulu,
  seed = 1,
): Promise<ColumnBlock> {
  const made = await makeSidecars(slot, constants, seed)
  return {
    made,
    slot: Number(slot),
    root: toHex(await headerRoot(made.block.header)),
    columns: range(128).map((index) => dataColumnSidecarSsz(made.column(index))),
  }
}

/** The same block in another slot: its header has another root, and each of its columns has that header. They are made when they are asked for. */
export async function inOtherSlot(block: ColumnBlock, slot: number): Promise<ColumnBlock> {
  const message = { ...block.made.block.header, slot: String(slot) }
  return {
    made: {
      ...block.made,
      column(index) {
        const column = block.made.column(index)
        return { ...column, signed_block_header: { ...column.signed_block_header, message } }
      },
    },
    slot,
    root: toHex(await headerRoot(message)),
    get columns() {
      return block.columns.map((column) => {
        const moved = new Uint8Array(column)
        new DataView(moved.buffer).setBigUint64(dataColumnSidecar.signed_block_header, BigInt(slot), true)
        return moved
      })
    },
  }
}

/** A source of headers that knows these blocks, and is trusted. */
export function headersOf(...blocks: readonly HeaderOnTrust[]): HeaderSource {
  return {
    resolve: (id) => {
      const newest = blocks.at(-1)
      const found =
        blocks.find(({ slot, root }) => slot === Number(id) || root === id) ??
        (id === 'head' ? newest : undefined)
      return Promise.resolve(
        found === undefined
          ? { status: 'no-block' }
          : { status: 'found', header: { root: found.root, slot: found.slot } },
      )
    },
  }
}

/** What a server does to the columns that it was asked for: indices, in order, become SSZ sidecars. */
export type Selection = (asked: readonly number[], columns: readonly Bytes[]) => readonly Bytes[]

/** Gives what it is asked for. */
export const all: Selection = (asked, columns) => asked.map((index) => columns[index]!)

/** Gives what it holds. */
export const only =
  (holds: (index: number) => boolean): Selection =>
  (asked, columns) =>
    all(asked.filter(holds), columns)

const PATH = '/eth/v1/debug/beacon/data_column_sidecars/'

/** A server of some blocks' columns, in SSZ alone unless `json` says what they are in JSON. */
export function columnOracle(blocks: readonly ColumnBlock[], select: Selection = all): Oracle {
  return ({ pathname, searchParams }) => {
    const block = blocks.find(({ root }) => pathname === `${PATH}${root}`)
    if (block === undefined) return null
    const asked = searchParams.getAll('indices').map(Number)
    const given = select(asked, block.columns)
    const data = given.map((ssz) =>
      block.made.column(Number(new DataView(ssz.buffer, ssz.byteOffset).getBigUint64(0, true))),
    )
    return { ssz: listSsz([...given]), json: { version: 'fulu', data }, version: 'fulu' }
  }
}
