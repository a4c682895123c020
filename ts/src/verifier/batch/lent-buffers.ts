/**
 * Units of a batch, lent to workers: their buffers are transferred and come back with the answer, so that nothing is copied on the
 * way. What is lost with a worker is made anew from the item that it came from.
 */
import { transfer } from '../../vendor/comlink.ts'
import { buffersOf } from '../../util/bytes.ts'
import type { HashedUnit, Unit } from '../checks/protocol.ts'

/** What the batcher verifies. */
export interface BatchUnit {
  readonly unit: Unit
  /** Whether no one waits for it any more: then it need not be started. */
  readonly isAbandoned: boolean
  /** Makes its bytes once more; null where that cannot be done. */
  remake(): Promise<HashedUnit | null>
}

/** A unit whose buffer may be with a worker. */
export class LentUnit {
  readonly owner: BatchUnit
  /** Where in its buffer the unit was when it was lent. */
  #offset = 0
  #length = 0

  constructor(owner: BatchUnit) {
    this.owner = owner
  }

  /** No bytes at all while they are lent, and after a crash. */
  get bytes(): HashedUnit {
    return this.owner.unit.bytes
  }

  /** The bytes, to be transferred. Throws where they are lent already. */
  lend(): HashedUnit {
    const { bytes } = this
    // An empty unit would be taken for a malformed one: a fault of ours must not become an accusation.
    if (bytes.length === 0) throw new Error('a unit was lent twice')
    this.#offset = bytes.byteOffset
    this.#length = bytes.length
    return bytes
  }

  /** Its buffer came back. */
  restore(buffer: ArrayBuffer): void {
    this.owner.unit.bytes = new Uint8Array(buffer, this.#offset, this.#length)
  }

  /** Puts the same bytes in another buffer in their place. */
  replace(bytes: HashedUnit): void {
    this.owner.unit.bytes = bytes
  }

  /** Whether the bytes are here, or could be made again; then in a buffer of their own. */
  async recall(): Promise<boolean> {
    const bytes = this.bytes.length > 0 ? this.bytes.slice() : await this.owner.remake()
    if (bytes !== null) this.replace(bytes)
    return bytes !== null
  }
}

/**
 * Sees to it that no two groups share a buffer: a message takes all of it. Where neighbours are in two groups, those in the
 * second are copied.
 */
export function separateBuffers(groups: readonly (readonly LentUnit[])[]): void {
  const taken = new Set<ArrayBuffer>()
  for (const units of groups) {
    const shared = units.filter(({ bytes }) => taken.has(bytes.buffer))
    for (const unit of shared) unit.replace(unit.bytes.slice())
    for (const { bytes } of units) taken.add(bytes.buffer)
  }
}

/** Units as a message that transfers their buffers, and with them all that lies in these. */
export function lendBuffers(units: readonly LentUnit[]): HashedUnit[] {
  const lent = units.map((unit) => unit.lend())
  return transfer(lent, buffersOf(lent))
}

/** The buffers of an answer, to the units that were in them: an array that was transferred still knows which buffer it was in. */
export function restoreBuffers(units: readonly LentUnit[], returned: readonly ArrayBuffer[]): void {
  const lent = buffersOf(units.map(({ bytes }) => bytes))
  const back = new Map(lent.map((buffer, at) => [buffer, returned[at]]))
  for (const unit of units) {
    const buffer = back.get(unit.bytes.buffer)
    if (buffer !== undefined) unit.restore(buffer)
  }
}
