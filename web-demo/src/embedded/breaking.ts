/** What a visitor can break beside the bytes of a blob, and what the verifier is then given in place of what came. */
import type { Hex } from '../shared/bytes.ts'
import type { Sidecar } from './sidecar.ts'

type Header = Sidecar['signed_block_header']['message']

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
  switch (part) {
    case 'proof':
      return {
        sidecar: { ...sidecar, kzg_proof: other.kzg_proof },
        difference: { expected: sidecar.kzg_proof, got: other.kzg_proof },
      }
    case 'commitment':
      return {
        sidecar: { ...sidecar, kzg_commitment: other.kzg_commitment },
        difference: { expected: sidecar.kzg_commitment, got: other.kzg_commitment },
      }
    case 'branch': {
      const [first, ...rest] = sidecar.kzg_commitment_inclusion_proof
      const got = flipLast(first!)
      return {
        sidecar: { ...sidecar, kzg_commitment_inclusion_proof: [got, ...rest] },
        difference: { expected: first!, got },
      }
    }
  }
}

/** The field element of 32 bytes that a byte of a blob is in, as it came and as it is now. */
export function elementsAt(at: number, original: Sidecar, changed: Sidecar): Difference {
  const digit = 2 + 2 * (at - (at % 32))
  const element = ({ blob }: Sidecar): Hex => `0x${blob.slice(digit, digit + 64)}`
  return { expected: element(original), got: element(changed) }
}

/** The header of another block: its state root differs in one bit, and with it the root of the block. */
export function otherHeader(header: Header): Header {
  return Object.assign({}, header, { state_root: flipLast(header.state_root) })
}

function flipLast(hex: Hex): Hex {
  const digit = (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)
  return `0x${hex.slice(2, -1)}${digit}`
}
