// Columns as peers send them, many and cheap. Blobs are proved once. A slot has the same ones in another order: other lists, another block, other
// bytes in each column, which no cache has seen (of a handful of blobs there are few orders), and proofs that stay true, since each belongs to its own cell.
import { makeChain } from '../../dist/serve/index.js'
import { hash, levelsOf, merkleize, parentOf, siblings } from '../../dist/serve/ssz/merkle.js'
import { concatAll } from '../../dist/util/bytes.js'

export const COLUMNS = 128
const CELL = 2048
const POINT = 48
const [HEADER, SIGNED_HEADER, BRANCH] = [112, 208, 4]
/** `index`, three offsets, the header and the branch: what comes before the lists. */
const FIXED = 8 + 3 * 4 + SIGNED_HEADER + 32 * BRANCH
/** Of the fields of a body, the list of commitments. */
const COMMITMENTS_FIELD = 11
/** floorlog2 of MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const LIST_DEPTH = 12

/** So many blobs with their cells and proofs, and the network in which a block may have them. */
export async function proveBlobs(count) {
  const chain = await makeChain({ clock: 'by-hand', slots: 1, blobsPerBlock: count, signHeaders: false })
  const block = chain.head
  const columns = Array.from({ length: COLUMNS }, (_, index) => block.column(index))
  return {
    network: chain.network,
    firstSlot: block.slot,
    commitments: block.blobs.map(({ commitment }) => commitment),
    cells: columns.map(({ column }) => column),
    proofs: columns.map(({ kzg_proofs }) => kzg_proofs),
  }
}

/** The block of a slot: its header, as SSZ, and its columns, each made when it is asked for, and the same bytes each time. */
export function blockAt(slot, made, random) {
  const order = shuffled(made.commitments.length, random)
  const commitments = order.map((blob) => made.commitments[blob])
  const fields = Array.from({ length: 16 }, (_, at) =>
    at < 13 ? someHash(`${slot} ${at}`) : new Uint8Array(32),
  )
  const leaves = commitments.map((bytes) => hash(concatAll([bytes, new Uint8Array(16)])))
  fields[COMMITMENTS_FIELD] = parentOf(merkleize(leaves, LIST_DEPTH), uint(leaves.length, 32))
  const body = levelsOf(fields, BRANCH)
  const branch = siblings(body, COMMITMENTS_FIELD)
  const header = concatAll([
    uint(slot, 8),
    uint(7, 8),
    someHash(`p${slot}`),
    someHash(`s${slot}`),
    body.at(-1)[0],
  ])
  const count = order.length
  const offsets = [FIXED, FIXED + count * CELL, FIXED + count * (CELL + POINT)].map((at) => uint(at, 4))
  const frame = concatAll([...offsets, header, new Uint8Array(SIGNED_HEADER - HEADER), ...branch])
  return {
    header,
    column: (index) =>
      concatAll([
        ...[uint(index, 8), frame],
        ...order.map((blob) => made.cells[index][blob]),
        ...commitments,
        ...order.map((blob) => made.proofs[index][blob]),
      ]),
  }
}

/** Where the parts of a column of so many blobs begin. */
const placesOf = (count) => ({
  cells: FIXED,
  commitments: FIXED + count * CELL,
  proofs: FIXED + count * (CELL + POINT),
})

/** How a peer lies: what it makes of a column (a copy, which it may write to), and what that must be found to be. */
export const LIES = {
  'another field element in a cell': {
    status: 'invalid',
    tell: flip(({ cells }, row) => cells + row * CELL + 31),
  },
  'two proofs in each other’s place': { status: 'invalid', tell: swap('proofs') },
  'infinity for a proof': {
    status: 'invalid',
    tell: put('proofs', new Uint8Array(POINT).fill(0xc0, 0, 1)),
  },
  'the cell and the proof of another column': {
    status: 'invalid',
    tell(bytes, count, row, other) {
      const { cells, proofs } = placesOf(count)
      for (const [from, size] of [
        [cells + row * CELL, CELL],
        [proofs + row * POINT, POINT],
      ])
        bytes.set(other.subarray(from, from + size), from)
    },
  },
  'the index of another column': {
    status: 'invalid',
    tell: (bytes) => void (bytes[0] = (bytes[0] + 1) % COLUMNS),
  },
  'two commitments in each other’s place': { status: 'invalid', tell: swap('commitments') },
  'another branch': { status: 'invalid', tell: flip(() => 8 + 12 + SIGNED_HEADER + 5) },
  'another state root in the header': { status: 'invalid', tell: flip(() => 8 + 12 + 16 + 32 + 3) },
  'what is no field element': { status: 'malformed', tell: put('cells', new Uint8Array(32).fill(0xff)) },
  'what is no point': { status: 'malformed', tell: put('proofs', new Uint8Array(POINT).fill(0xff)) },
  'offsets that lead elsewhere': { status: 'malformed', tell: flip(() => 12) },
}

function flip(place) {
  return (bytes, count, row) => void (bytes[place(placesOf(count), row)] ^= 1)
}

/** Two neighbours of a list of points change places. */
function swap(list) {
  return (bytes, count, row) => {
    const from = placesOf(count)[list] + POINT * Math.min(row, count - 2)
    bytes.set(concatAll([bytes.slice(from + POINT, from + 2 * POINT), bytes.slice(from, from + POINT)]), from)
  }
}

function put(list, what) {
  return (bytes, count, row) =>
    bytes.set(what, placesOf(count)[list] + row * (list === 'cells' ? CELL : POINT))
}

/** Numbers from 0, in an order of chance (Fisher and Yates). */
function shuffled(count, random) {
  const out = Array.from({ length: count }, (_, at) => at)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[out[at], out[other]] = [out[other], out[at]]
  }
  return out
}

const someHash = (text) => hash(new TextEncoder().encode(text))

/** A number below 2³² as an offset (4 bytes), a uint64 of containers (8 bytes), or a leaf (32 bytes). */
function uint(value, length) {
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
