/**
 * Units of a batch, lent to workers: their memory is given away and comes home with the answer, so that nothing is copied
 * on the way. What a worker takes to its grave is made anew from the delivery that it came from.
 */
import { transfer } from 'comlink'
import { buffersOf } from '../../util/bytes.ts'
import type { HashedUnit } from '../checks/delivery.ts'
import type { Flight } from '../dedup/flight.ts'

export class Loan {
  readonly #flight: Flight
  /** Where in its memory the unit was when it was lent. */
  #offset = 0
  #length = 0

  constructor(flight: Flight) {
    this.#flight = flight
  }

  /** No bytes at all while they are away, and after a crash. */
  get bytes(): HashedUnit {
    return this.#flight.unit.bytes
  }

  /** The bytes, to be given away. */
  lend(): HashedUnit {
    const { bytes } = this
    // An empty unit would be taken for a malformed one: a fault of ours must not become an accusation.
    if (bytes.length === 0) throw new Error('a unit was lent twice')
    this.#offset = bytes.byteOffset
    this.#length = bytes.length
    return bytes
  }

  /** Its memory came home. */
  takeBack(memory: ArrayBuffer): void {
    this.#flight.unit.bytes = new Uint8Array(memory, this.#offset, this.#length)
  }

  /** The same bytes, in memory of its own. */
  move(bytes: HashedUnit): void {
    this.#flight.unit.bytes = bytes
  }

  /** Whether the bytes are here, or could be made again; then in memory of their own. */
  async recall(): Promise<boolean> {
    const bytes = this.bytes.length > 0 ? this.bytes.slice() : await this.#flight.again()
    if (bytes !== null) this.move(bytes)
    return bytes !== null
  }
}

/**
 * Sees to it that no two groups share memory: a message takes all of it. Where neighbours are in two groups, those in the
 * second are copied.
 */
export function separate(groups: readonly (readonly Loan[])[]): void {
  const taken = new Set<ArrayBuffer>()
  for (const loans of groups) {
    const shared = loans.filter(({ bytes }) => taken.has(bytes.buffer))
    for (const loan of shared) loan.move(loan.bytes.slice())
    for (const { bytes } of loans) taken.add(bytes.buffer)
  }
}

/** Units as a message that gives their memory away, and with it that of all their neighbours. */
export function lend(loans: readonly Loan[]): HashedUnit[] {
  const units = loans.map((loan) => loan.lend())
  return transfer(units, buffersOf(units))
}

/** The memory of an answer, to those who lent it: an array that was given away still knows which memory it was in. */
export function takeBack(loans: readonly Loan[], returned: readonly ArrayBuffer[]): void {
  const lent = buffersOf(loans.map(({ bytes }) => bytes))
  const home = new Map(lent.map((memory, at) => [memory, returned[at]]))
  for (const loan of loans) {
    const memory = home.get(loan.bytes.buffer)
    if (memory !== undefined) loan.takeBack(memory)
  }
}
