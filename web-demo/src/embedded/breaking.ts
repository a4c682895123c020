/** What a visitor can break beside the bytes of a blob, and what the verifier is then given in place of what came. */
import { type Hex, toHex } from '../shared/bytes.ts'
import { field, type Sidecar, withField } from './sidecar.ts'

/** A link that can be broken: the bytes of a blob, its proof, one of its cells, its commitment, its Merkle branch, or the header that is trusted. */
export const breakNames = ['blob', 'proof', 'cell', 'commitment', 'branch', 'root'] as const
export type BreakName = (typeof breakNames)[number]

/** The link of that name, if it is one that can be broken. */
export function breakNamed(name: string | null): BreakName | undefined {
  return breakNames.find((known) => known === name)
}

/** What can be broken of a sidecar in one way alone; bytes can be changed many times, a cell comes beside its blob, and the header is that of all blobs. */
export type PartName = Exclude<BreakName, 'blob' | 'cell' | 'root'>

/** What was in a place, and what is there now. */
export interface Difference {
  readonly expected: Hex
  readonly got: Hex
}

/** A sidecar with a part that is not its own: those of another blob are true, but of another blob. */
export function breakPart(
  part: PartName,
  sidecar: Sidecar,
  other: Sidecar,
): { sidecar: Sidecar; difference: Difference } {
  const [name, from] = (
    {
      proof: ['kzg_proof', other],
      commitment: ['kzg_commitment', other],
      branch: ['kzg_commitment_inclusion_proof', null],
    } as const
  )[part]
  const expected = field(sidecar, name)
  const got = from === null ? withLastFlipped(expected.subarray(0, 32)) : field(from, name)
  return {
    // Of the branch, the first of its hashes.
    sidecar: withField(sidecar, name, got),
    difference: { expected: toHex(expected.subarray(0, got.length)), got: toHex(got) },
  }
}

/** The field element of 32 bytes that a byte of a blob is in, as it came and as it is now. */
export function elementsAt(at: number, original: Sidecar, changed: Sidecar): Difference {
  const from = at - (at % 32)
  const element = (sidecar: Sidecar): Hex => toHex(field(sidecar, 'blob').subarray(from, from + 32))
  return { expected: element(original), got: element(changed) }
}

/** The sidecar as one of another block: the state root in its header differs in one bit, and with it the root of the block. */
export function ofOtherBlock(sidecar: Sidecar): Sidecar {
  return withField(sidecar, 'state_root', withLastFlipped(field(sidecar, 'state_root')))
}

export function withLastFlipped(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice()
  changed[changed.length - 1]! ^= 1
  return changed
}
