/**
 * Batches as the module takes them: the elements of each list in one piece, with the length of each and with what is known of them.
 * Batches that are larger than the memory that they should take are collected part by part into accumulators, which one pairing
 * closes: the module's memory holds one part at a time, however many there are.
 */
import { pack, split } from '../util/packed.ts'
import { BLOB_BYTES, POINT_BYTES } from '../beacon/ssz/layout.ts'
import type { Exports } from './module.ts'
import { freshSeed } from '../runtime/platform/seed.ts'
import { hasCsprng } from '../runtime/platform/web-apis.ts'
import { challengeHashes } from './challenge-hash.ts'

/** How many blobs are in one part: eight megabytes. */
const BLOBS_AT_ONCE = 64
/** How many cells are in one part: eight megabytes. */
const CELLS_AT_ONCE = 4096

/**
 * Whether a batch is to be taken in parts. Without a CSPRNG it cannot be: coefficients come from the inputs then, and must
 * come from all of them.
 */
function needsParts(count: number, atOnce: number): boolean {
  return count > atOnce && hasCsprng()
}

/** What is behind each unit: the hash of its body, which nobody reads here. */
const HASH_BYTES = 32

type Packed = Uint8Array<ArrayBuffer>
type Lengths = Uint32Array<ArrayBuffer>

/** The arguments of a batch of blobs. Hashes are of the packed copies, which no other thread can write to. */
function blobArguments(
  blobs: readonly Uint8Array[],
  commitments: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): [Packed, Lengths, Packed, Lengths, Packed, Lengths, hashes: Uint8Array] {
  const [b, c, p] = [pack(blobs), pack(commitments), pack(proofs)]
  const hashes = challengeHashes(split(b), split(c))
  return [b.bytes, b.lengths, c.bytes, c.lengths, p.bytes, p.lengths, hashes]
}

/** The arguments of a batch of cells, of which each has an index. */
function cellArguments(
  commitments: readonly Uint8Array[],
  indices: Uint32Array<ArrayBuffer>,
  cells: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): [Packed, Lengths, Lengths, Packed, Lengths, Packed, Lengths] {
  const [c, l, p] = [pack(commitments), pack(cells), pack(proofs)]
  return [c.bytes, c.lengths, indices, l.bytes, l.lengths, p.bytes, p.lengths]
}

/**
 * `verifyBlobKzgProofBatch` of these lists, for whichever kernel is asked. Lists of unequal lengths are refused before they are copied: a module keeps
 * the memory that it has grown to. What is not taken in parts is packed once, though two kernels may be asked.
 */
export function blobBatch(
  blobs: readonly Uint8Array[],
  commitments: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): (exports: Exports) => boolean {
  const part = (from?: number, to?: number): ReturnType<typeof blobArguments> =>
    blobArguments(blobs.slice(from, to), commitments.slice(from, to), proofs.slice(from, to))
  let whole: ReturnType<typeof blobArguments> | undefined
  return (exports) => {
    exports.checkBlobBatch(lengthsOf(blobs), lengthsOf(commitments), lengthsOf(proofs))
    if (needsParts(blobs.length, BLOBS_AT_ONCE))
      return closeParts(exports, blobs.length, BLOBS_AT_ONCE, (from, to) =>
        exports.collectBlobs(...part(from, to), freshSeed()),
      )
    whole ??= part()
    return exports.verifyBlobKzgProofBatch(...whole, freshSeed())
  }
}

/** `verifyCellKzgProofBatch`, likewise. */
export function cellBatch(
  commitments: readonly Uint8Array[],
  indices: Uint32Array<ArrayBuffer>,
  cells: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): (exports: Exports) => boolean {
  const part = (from?: number, to?: number): ReturnType<typeof cellArguments> =>
    cellArguments(
      commitments.slice(from, to),
      indices.subarray(from, to),
      cells.slice(from, to),
      proofs.slice(from, to),
    )
  let whole: ReturnType<typeof cellArguments> | undefined
  return (exports) => {
    exports.checkCellBatch(lengthsOf(commitments), indices, lengthsOf(cells), lengthsOf(proofs))
    if (needsParts(cells.length, CELLS_AT_ONCE))
      return closeParts(exports, cells.length, CELLS_AT_ONCE, (from, to) =>
        exports.collectCells(...part(from, to), freshSeed()),
      )
    whole ??= part()
    return exports.verifyCellKzgProofBatch(...whole, freshSeed())
  }
}

/**
 * Whether blobs are what their commitments commit to, without proofs. The sums of all parts are committed to at once. Malformed input throws
 * code + 256 · index, lengths before encodings.
 */
export function verifyBareBlobs(
  exports: Exports,
  blobs: readonly Uint8Array[],
  commitments: readonly Uint8Array[],
): boolean {
  // As many proofs as commitments, and of the same length: a batch of blobs has the same shape.
  exports.checkBlobBatch(lengthsOf(blobs), lengthsOf(commitments), lengthsOf(commitments))
  if (blobs.length === 0) return true
  const sums: Uint8Array[] = []
  // Without a CSPRNG coefficients come from the inputs, and must come from all of them.
  const atOnce = hasCsprng() ? BLOBS_AT_ONCE : blobs.length
  const room = new Uint8Array(1 + POINT_BYTES + BLOB_BYTES + HASH_BYTES)
  for (let from = 0; from < blobs.length; from += atOnce) {
    const count = Math.min(atOnce, blobs.length - from)
    const units = new exports.Units(count, false)
    for (let at = from; at < from + count; at++) {
      const answer = exports.bareBlobUnit(commitments[at]!, false, blobs[at]!, room)
      if (answer < 256) {
        units.free()
        throw answer + 256 * at
      }
      units.push(room)
    }
    const seed = freshSeed()
    const answer = hasCsprng() ? exports.collectBare(units, seed) : exports.verifyBare(units, seed)
    units.free()
    const codes = answer.subarray(0, count)
    refuseMalformed(exports, codes, from)
    if (!hasCsprng()) return codes.every((code) => code === 0)
    sums.push(answer.subarray(count))
  }
  const { bytes, lengths } = pack(sums)
  return exports.closeBare(bytes, lengths, exports.commitPart(bytes, lengths, 0, 1))
}

/** Throws code + 256 · index for the first unit that is malformed, and not merely false; the first of them is number `from`. */
function refuseMalformed(exports: Exports, codes: Uint8Array, from: number): void {
  const malformed = codes.findIndex((code) => code !== 0 && exports.reasonStage(code) !== 'kzg')
  if (malformed >= 0) throw codes[malformed]! + 256 * (from + malformed)
}

function closeParts(
  exports: Exports,
  count: number,
  atOnce: number,
  collect: (from: number, to: number) => Uint8Array,
): boolean {
  const sums: Uint8Array[] = []
  for (let from = 0; from < count; from += atOnce) {
    try {
      sums.push(collect(from, Math.min(from + atOnce, count)))
    } catch (error) {
      // code + 256 · index, as crates/wasm throws them; the index is that within the part.
      throw typeof error === 'number' ? error + 256 * from : error
    }
  }
  const { bytes, lengths } = pack(sums)
  return exports.close(bytes, lengths, 0, 1)
}

const lengthsOf = (list: readonly Uint8Array[]): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(list, (bytes) => bytes.length)
