/** What came, and what its visitor broke of it: the sidecars, the cells and the header that the verifier is given, and what is different in them. */
import { type Hex, toHex } from '../shared/bytes.ts'
import { CELL_BYTES } from '../shared/sizes.ts'
import {
  breakNames,
  type BreakName,
  breakPart,
  type Difference,
  elementsAt,
  ofOtherBlock,
  type PartName,
  withLastFlipped,
} from './breaking.ts'
import { field, headerOf, type Sidecar } from './sidecar.ts'
import { type Flip, tamper } from './tampering.ts'

/** What is broken now: of which blob, the first where there are several, and what was there before. */
export type Changes = ReadonlyMap<BreakName, { readonly blob: number; readonly difference: Difference }>

/** What was done to one blob. */
interface Broken {
  /** The sidecar with the flips alone. */
  flipped: Sidecar
  flips: readonly Flip[]
  readonly parts: Set<PartName>
  /** A cell whose last byte differs from that of the blob's own cell. */
  cell: { readonly column: number; readonly original: Uint8Array } | null
}

export class Delivery {
  /** The sidecars as they came. */
  readonly originals: readonly Sidecar[]
  readonly #broken: readonly Broken[]
  #isRootBroken = false

  constructor(originals: readonly Sidecar[]) {
    this.originals = originals
    this.#broken = originals.map((flipped) => ({ flipped, flips: [], parts: new Set(), cell: null }))
  }

  /** The sidecars as they are now. */
  get sidecars(): readonly Sidecar[] {
    return this.#broken.map(({ flipped, parts }, at) =>
      [...parts].reduce((sidecar, part) => breakPart(part, sidecar, this.#neighbour(at)).sidecar, flipped),
    )
  }

  /** The header that the blobs are held against, 112 bytes: their own where it is trusted, another one where it is broken, else null. */
  anchor(isTrusted: boolean): Uint8Array | null {
    const first = this.originals[0]!
    if (this.#isRootBroken) return headerOf(ofOtherBlock(first))
    return isTrusted ? headerOf(first) : null
  }

  flipsOf(at: number): readonly Flip[] {
    return this.#broken[at]!.flips
  }

  /** The cells of a blob as they are now; `originals` are those of the blob as it came, and are not changed. */
  cellsOf(at: number, originals: readonly Uint8Array[]): Uint8Array[] {
    const { flips, cell } = this.#broken[at]!
    const cells = [...originals]
    // A byte of the blob is one of its data cells: what follows from it in the others is left as it was, as a forger would have it.
    for (const flip of flips) {
      const column = Math.floor(flip.at / CELL_BYTES)
      const changed = cells[column]!.slice()
      changed[flip.at % CELL_BYTES] = flip.after
      cells[column] = changed
    }
    // Its last byte is the lowest of a field element: the cell stays well formed, and its proof alone is false.
    if (cell !== null) cells[cell.column] = withLastFlipped(cells[cell.column]!)
    return cells
  }

  /** Breaks a link for one blob or, where it is the header's, for all. Bytes can be changed again and again. */
  break(name: Exclude<BreakName, 'cell'>, at: number): void {
    const broken = this.#broken[at]!
    if (name === 'root') this.#isRootBroken = true
    else if (name !== 'blob') broken.parts.add(name)
    else {
      const { sidecar, flip } = tamper(broken.flipped, broken.flips)
      broken.flipped = sidecar
      broken.flips = [...broken.flips, flip]
    }
  }

  /** Changes one cell, and not the blob that it is of: what a node does that serves a column wrongly. `original`: the cell as it came. */
  breakCell(at: number, column: number, original: Uint8Array): void {
    this.#broken[at]!.cell = { column, original }
  }

  /** Undoes what was done to a link, for all blobs. */
  restore(name: BreakName): void {
    if (name === 'root') this.#isRootBroken = false
    for (const [at, broken] of this.#broken.entries()) {
      if (name === 'blob') Object.assign(broken, { flipped: this.originals[at], flips: [] })
      else if (name === 'cell') broken.cell = null
      else if (name !== 'root') broken.parts.delete(name)
    }
  }

  get changes(): Changes {
    const changes = new Map<BreakName, { blob: number; difference: Difference }>()
    for (const name of breakNames) {
      const blob = this.#broken.findIndex((_, at) => this.#isBroken(name, at))
      if (blob !== -1) changes.set(name, { blob, difference: this.#difference(name, blob) })
    }
    return changes
  }

  #isBroken(name: BreakName, at: number): boolean {
    if (name === 'root') return this.#isRootBroken
    const { flips, parts, cell } = this.#broken[at]!
    if (name === 'cell') return cell !== null
    return name === 'blob' ? flips.length > 0 : parts.has(name)
  }

  #difference(name: BreakName, at: number): Difference {
    const original = this.originals[at]!
    switch (name) {
      case 'blob': {
        const { flips, flipped } = this.#broken[at]!
        return elementsAt(flips[0]!.at, original, flipped)
      }
      case 'cell': {
        const { original } = this.#broken[at]!.cell!
        const elementOf = (cell: Uint8Array): Hex => toHex(cell.subarray(-32))
        return { expected: elementOf(original), got: elementOf(withLastFlipped(original)) }
      }
      case 'root': {
        const stateRoot = (sidecar: Sidecar): Hex => toHex(field(sidecar, 'state_root'))
        return { expected: stateRoot(ofOtherBlock(original)), got: stateRoot(original) }
      }
      default:
        return breakPart(name, original, this.#neighbour(at)).difference
    }
  }

  #neighbour(at: number): Sidecar {
    return this.originals[(at + 1) % this.originals.length]!
  }
}
