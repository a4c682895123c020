/** Points of G1 that are known to be good, in the ZCash format: the library's own writer tests them once more, for a millisecond each. */
import { bls12_381 as bls } from '@noble/curves/bls12-381'

const P = bls.fields.Fp.ORDER

/** 48 bytes, big-endian: bit 383 marks compression, 382 infinity, 381 the greater y. */
export function compressG1(point: typeof bls.G1.ProjectivePoint.BASE): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(48)
  if (point.equals(bls.G1.ProjectivePoint.ZERO)) {
    bytes[0] = 0xc0
    return bytes
  }
  const { x, y } = point.toAffine()
  const view = new DataView(bytes.buffer)
  for (let at = 40, rest = x; at >= 0; at -= 8, rest >>= 64n) view.setBigUint64(at, BigInt.asUintN(64, rest))
  bytes[0] = bytes[0]! | 0x80 | (2n * y > P ? 0x20 : 0)
  return bytes
}
