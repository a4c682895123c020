/**
 * Faults of the data: what a server withholds, and sidecars with something false in them. Those are as well formed as before: a
 * point stays a point, a field element one.
 */
import { COLUMNS } from '../../beacon/constants.ts'
import { seededRandom } from '../random.ts'
import type { SignedBeaconBlockHeader } from '../ssz/block.ts'
import type { GloasDataColumnSidecar } from '../ssz/gloas.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import type { CorruptPart, Fault } from './faults.ts'

/** Whether it says that there are no blobs. */
export const isHiding = (faults: readonly Fault[]): boolean =>
  faults.some(({ kind }) => kind === 'hide-blobs')

/**
 * Tells which columns of a block a server with these faults withholds, by their indices. Of a fault that names a number of columns, which
 * ones they are depends on the block’s root, and on nothing else. `root` is 0x hex, as `ChainBlock.root`.
 *
 * @example
 * ```ts
 * import { withheldColumns } from 'blobcheck/serve'
 *
 * const withheld = withheldColumns([{ kind: 'withhold', columns: 65 }], `0x${'ab'.repeat(32)}`)
 * console.log(withheld.size) // 65
 * ```
 */
export function withheldColumns(faults: readonly Fault[], root: string): ReadonlySet<number> {
  const withheld = new Set<number>()
  for (const fault of faults) {
    if (fault.kind !== 'withhold') continue
    const { columns } = fault
    for (const column of typeof columns === 'number' ? someOf(columns, root) : columns) withheld.add(column)
  }
  return withheld
}

/** So many columns, by Fisher and Yates. */
function someOf(count: number, root: string): number[] {
  const random = seededRandom(Number.parseInt(root.slice(2, 10), 16))
  const columns = Array.from({ length: COLUMNS }, (_, at) => at)
  for (let at = COLUMNS - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[columns[at], columns[other]] = [columns[other]!, columns[at]!]
  }
  return columns.slice(0, count)
}

/** A column, falsified as the faults say. */
export function corruptColumn(column: DataColumnSidecar, faults: readonly Fault[]): DataColumnSidecar {
  return partsOf(faults, column.index).reduce((changed, part) => {
    switch (part) {
      case 'cell':
        return { ...changed, column: withFirst(changed.column, flipped) }
      case 'proof':
        return { ...changed, kzg_proofs: withFirst(changed.kzg_proofs, () => otherPoint(column)) }
      case 'commitment':
        return {
          ...changed,
          kzg_commitments: withFirst(changed.kzg_commitments, () => column.kzg_proofs[0]!),
        }
      case 'branch':
        return {
          ...changed,
          kzg_commitments_inclusion_proof: withFirst(changed.kzg_commitments_inclusion_proof, flipped),
        }
      case 'header':
        return { ...changed, signed_block_header: otherHeader(changed.signed_block_header) }
      case 'index':
        return { ...changed, index: (changed.index + 1) % COLUMNS }
    }
  }, column)
}

/** A column of Gloas, likewise: it has neither commitments nor a branch, so that those faults leave it as it is. */
export function corruptGloasColumn(
  column: GloasDataColumnSidecar,
  faults: readonly Fault[],
): GloasDataColumnSidecar {
  return partsOf(faults, column.index).reduce((changed, part) => {
    switch (part) {
      case 'cell':
        return { ...changed, column: withFirst(changed.column, flipped) }
      case 'proof':
        // Two proofs in each other's place; where there is but one, the point at infinity.
        return {
          ...changed,
          kzg_proofs: withFirst(changed.kzg_proofs, () => column.kzg_proofs[1] ?? infinity),
        }
      case 'header':
        return { ...changed, beacon_block_root: flipped(changed.beacon_block_root) }
      case 'index':
        return { ...changed, index: (changed.index + 1) % COLUMNS }
      case 'commitment':
      case 'branch':
        return changed
    }
  }, column)
}

/** The point at infinity of G1. */
const infinity: Uint8Array = Uint8Array.from({ length: 48 }, (_, at) => (at === 0 ? 0xc0 : 0))

/** A blob sidecar, likewise: its cells are its blob. */
export function corruptBlobSidecar(sidecar: BlobSidecar, faults: readonly Fault[]): BlobSidecar {
  return partsOf(faults, sidecar.index).reduce((changed, part) => {
    switch (part) {
      case 'cell':
        return { ...changed, blob: flipped(changed.blob) }
      case 'proof':
        return { ...changed, kzg_proof: sidecar.kzg_commitment }
      case 'commitment':
        return { ...changed, kzg_commitment: sidecar.kzg_proof }
      case 'branch':
        return {
          ...changed,
          kzg_commitment_inclusion_proof: withFirst(changed.kzg_commitment_inclusion_proof, flipped),
        }
      case 'header':
        return { ...changed, signed_block_header: otherHeader(changed.signed_block_header) }
      case 'index':
        return { ...changed, index: changed.index + 1 }
    }
  }, sidecar)
}

/** A blob by itself: there is nothing but `cell` to spoil in it. */
export function corruptBlob(blob: Uint8Array, index: number, faults: readonly Fault[]): Uint8Array {
  return partsOf(faults, index).includes('cell') ? flipped(blob) : blob
}

function partsOf(faults: readonly Fault[], index: number): CorruptPart[] {
  return faults.flatMap((fault) =>
    fault.kind === 'corrupt' && (fault.indices?.includes(index) ?? true) ? [fault.part] : [],
  )
}

function withFirst<T>(list: readonly T[], change: (first: T) => T): T[] {
  return list.map((value, at) => (at === 0 ? change(value) : value))
}

/** With the lowest bit of its first 32 bytes flipped: a field element stays below the modulus, which ends in one. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[31] = copy[31]! ^ 1
  return copy
}

/** A point of G1 that is not the first proof. */
function otherPoint(column: DataColumnSidecar): Uint8Array {
  return column.kzg_commitments[0]!
}

function otherHeader({ message, signature }: SignedBeaconBlockHeader): SignedBeaconBlockHeader {
  return { message: { ...message, state_root: flipped(message.state_root) }, signature }
}
