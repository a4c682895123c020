/** One flipped bit, and what it was. */
import { BLOB_BYTES } from '../shared/sizes.ts'
import { field, type Sidecar } from './sidecar.ts'

export interface Flip {
  readonly at: number
  readonly before: number
  readonly after: number
}

/**
 * Flips a random bit of a random byte that has not been flipped yet. Never in the first byte of a field element, so that
 * the blob stays well formed and only its proof is wrong: that is the harder thing to notice.
 */
export function tamper(sidecar: Sidecar, flips: readonly Flip[]): { sidecar: Sidecar; flip: Flip } {
  let at: number
  do at = Math.floor(Math.random() * BLOB_BYTES)
  while (at % 32 === 0 || flips.some((flip) => flip.at === at))
  return flipBit(sidecar, at, Math.floor(Math.random() * 8))
}

export function flipBit(sidecar: Sidecar, at: number, bit: number): { sidecar: Sidecar; flip: Flip } {
  const copy = sidecar.slice()
  const blob = field(copy, 'blob')
  const before = blob[at]!
  const after = (blob[at] = before ^ (1 << bit))
  return { sidecar: copy, flip: { at, before, after } }
}
