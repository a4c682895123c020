/** Lists as the module takes them: all bytes in one piece, how long each element is, and what is known of them. */
import { pack, split } from '../util/bytes.ts'
import { challengeHashes } from './challenge-hash.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Lengths = Uint32Array<ArrayBuffer>

/** A batch of blobs. Hashes are of the packed copies, which no other thread can write to. */
export function blobArguments(
  blobs: readonly Uint8Array[],
  commitments: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): [Bytes, Lengths, Bytes, Lengths, Bytes, Lengths, hashes: Uint8Array] {
  const [b, c, p] = [pack(blobs), pack(commitments), pack(proofs)]
  const hashes = challengeHashes(split(b), split(c))
  return [b.bytes, b.lengths, c.bytes, c.lengths, p.bytes, p.lengths, hashes]
}
