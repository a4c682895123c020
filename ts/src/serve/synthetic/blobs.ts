/**
 * Many different blobs with true proofs, out of one. Commitments and proofs are linear in the blob: those of 2·b, 3·b and so on follow
 * from those of b by one addition each, where proving anew would take a hundred times as long.
 */
import { platform } from '#platform'
import { bls12_381 as bls } from '../../vendor/bls12-381.ts'
import { CELLS_PER_EXT_BLOB } from '../../beacon/constants.ts'
import { BLOB_BYTES, CELL_BYTES } from '../../beacon/ssz/layout.ts'
import { notify } from '../../util/notify.ts'
import type { ChainProgress } from '../chain.ts'
import { seededRandom } from '../random.ts'
import { lazyProof, openProver, type ProvenBlob } from '../sidecars.ts'
import type { ProvedBlob } from './options.ts'
import { compressG1 } from './signing.ts'

const Point = bls.G1.ProjectivePoint
type Point = typeof Point.BASE

const MODULUS = 52435875175126190479447740508185965837690552500527637822603658699938581184513n

export interface MakeBlobsOptions {
  readonly count: number
  readonly seed: number
  /** What takes the place of a blob that is drawn from the seed. */
  readonly firstBlob: ProvedBlob | undefined
  readonly onProgress?: ((progress: ChainProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** So many blobs, the same for the same seed or first blob. Rejects with `TypeError` where that is not made of field elements and points. */
export async function makeBlobs(options: MakeBlobsOptions): Promise<ProvenBlob[]> {
  const { count, seed, firstBlob, onProgress, signal } = options
  if (count === 0) return []
  const total = count + 1
  const tell = (done: number): void => notify(onProgress, { stage: 'prove', done, total }, signal)
  const base = firstBlob === undefined ? await provedBase(seed, signal) : givenBase(firstBlob)
  tell(1)
  let next = base
  const blobs: ProvenBlob[] = []
  while (blobs.length < count) {
    signal?.throwIfAborted()
    blobs.push(blobOf(next))
    next = sum(next, base)
    tell(1 + blobs.length)
    // Others get a turn: a blob takes some ten milliseconds.
    await platform.turn()
  }
  return blobs
}

function givenBase(blob: ProvedBlob): Line {
  try {
    const base = lineOf(blob)
    if (base.elements.every((element) => element < MODULUS)) return base
  } catch (cause) {
    throw new TypeError('firstBlob has a commitment or a proof that is no point of G1', { cause })
  }
  throw new TypeError('firstBlob has a cell of which a part is no field element')
}

/** What was proved last, for the next chain of the same seed. */
let latest: { readonly seed: number; readonly base: Line } | undefined

async function provedBase(seed: number, signal: AbortSignal | undefined): Promise<Line> {
  if (latest?.seed !== seed) latest = { seed, base: await proveBase(seed, signal) }
  return latest.base
}

/** One blob, proved as anybody's is. */
async function proveBase(seed: number, signal: AbortSignal | undefined): Promise<Line> {
  const blob = randomBlob(seededRandom(seed))
  const prover = await openProver(signal)
  try {
    return lineOf({ ...(await prover.proveCells(blob)), commitment: await prover.commit(blob) })
  } finally {
    await prover.dispose()
  }
}

/** A blob as what is added up: field elements of its cells, and points. */
interface Line {
  readonly elements: readonly bigint[]
  /** 128 proofs, and the commitment. */
  readonly points: readonly Point[]
}

function lineOf({ cells, proofs, commitment }: ProvedBlob): Line {
  const elements = cells.flatMap((cell) =>
    Array.from({ length: CELL_BYTES / 32 }, (_, at) => read(cell, 32 * at)),
  )
  return { elements, points: [...proofs, commitment].map((bytes) => Point.fromHex(bytes)) }
}

function sum(a: Line, b: Line): Line {
  return {
    elements: a.elements.map((element, at) => {
      const total = element + b.elements[at]!
      return total < MODULUS ? total : total - MODULUS
    }),
    points: a.points.map((point, at) => point.add(b.points[at]!)),
  }
}

function blobOf({ elements, points }: Line): ProvenBlob {
  const extended = new Uint8Array(2 * BLOB_BYTES)
  const view = new DataView(extended.buffer)
  elements.forEach((element, at) => write(view, 32 * at, element))
  const compressed = Point.normalizeZ([...points]).map(compressG1)
  const commitment = compressed.pop()!
  // The first half of the cells is the blob itself.
  const blob = extended.subarray(0, BLOB_BYTES)
  return {
    blob,
    commitment,
    cells: Array.from({ length: CELLS_PER_EXT_BLOB }, (_, at) =>
      extended.subarray(at * CELL_BYTES, (at + 1) * CELL_BYTES),
    ),
    cellProofs: compressed,
    proof: lazyProof(blob, commitment),
  }
}

/** Field elements of 31 random bytes, which are canonical, whatever they are. */
function randomBlob(random: () => number): Uint8Array {
  const blob = new Uint8Array(BLOB_BYTES)
  for (let at = 0; at < BLOB_BYTES; at++) if (at % 32 !== 0) blob[at] = Math.floor(256 * random())
  return blob
}

function read(bytes: Uint8Array, at: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 32)
  return [0, 8, 16, 24].reduce((value, word) => (value << 64n) | view.getBigUint64(word), 0n)
}

function write(view: DataView, at: number, value: bigint): void {
  for (let word = 24, rest = value; word >= 0; word -= 8, rest >>= 64n)
    view.setBigUint64(at + word, BigInt.asUintN(64, rest))
}
