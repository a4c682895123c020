/** Blobs of every kind: real, random, and extreme. */
import { makeBlob, range, realBlobs, seeded } from './make.ts'

const [real] = await realBlobs()

/** The largest field element, r − 1. */
const LARGEST = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000'

/** A blob with these field elements (hex), and zeros elsewhere. */
function blobOf(elements: Record<number, string>, rest = '0'.repeat(64)): Uint8Array<ArrayBuffer> {
  const text = range(4096).map((at) => elements[at] ?? rest)
  return Uint8Array.from({ length: 131_072 }, (_, at) =>
    Number.parseInt(text[at >> 5]!.slice((at % 32) * 2, (at % 32) * 2 + 2), 16),
  )
}

/** Field elements below 2²⁴⁸, at random. */
export function randomBlob(seed: number): Uint8Array<ArrayBuffer> {
  const random = seeded(seed)
  return Uint8Array.from({ length: 131_072 }, (_, at) => (at % 32 === 0 ? 0 : Math.floor(256 * random())))
}

/** What provers are tried on. */
export const blobs = {
  real: real!.blob,
  noise: randomBlob(1),
  zero: new Uint8Array(131_072),
  constant: makeBlob(7).blob,
  'one element': blobOf({ 4095: LARGEST }),
  'largest elements': blobOf({}, LARGEST),
}
