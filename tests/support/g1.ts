/**
 * The multiples of G1's generator, by school arithmetic on big integers: what it takes to commit to a constant
 * polynomial. Written to be obvious; it shares nothing with the code that it helps to test.
 */

const p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

interface Point {
  readonly x: bigint
  readonly y: bigint
}

const generator: Point = {
  x: 0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  y: 0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
}

const mod = (a: bigint): bigint => ((a % p) + p) % p

/** Extended Euclid. */
function inverse(a: bigint): bigint {
  let [r, next] = [p, mod(a)]
  let [t, nextT] = [0n, 1n]
  while (next !== 0n) {
    const quotient = r / next
    ;[r, next] = [next, r - quotient * next]
    ;[t, nextT] = [nextT, t - quotient * nextT]
  }
  return mod(t)
}

function add(a: Point, b: Point): Point {
  const slope = a.x === b.x ? mod(3n * a.x * a.x * inverse(2n * a.y)) : mod((b.y - a.y) * inverse(b.x - a.x))
  const x = mod(slope * slope - a.x - b.x)
  return { x, y: mod(slope * (a.x - x) - a.y) }
}

/** The ZCash format: 48 bytes, big-endian; bit 383 marks compression, bit 381 the greater y. */
function compress({ x, y }: Point): Uint8Array<ArrayBuffer> {
  const flags = (1n << 383n) | (y > p - y ? 1n << 381n : 0n)
  const digits = (x | flags).toString(16).padStart(96, '0')
  return Uint8Array.from({ length: 48 }, (_, at) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16))
}

/** 1·G, 2·G, … as far as they have been asked for. */
const multiples: Point[] = [generator]

/** c·G, compressed, for a small c ≥ 1. */
export function multipleOfG1(c: number): Uint8Array<ArrayBuffer> {
  while (multiples.length < c) multiples.push(add(multiples[multiples.length - 1]!, generator))
  return compress(multiples[c - 1]!)
}
