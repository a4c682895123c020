/**
 * Units of a batch, lent to workers: their memory is given away and comes home with the answer, so that nothing is copied
 * on the way. What a worker takes to its grave is made anew from the delivery that it came from.
 */
import { transfer } from 'comlink'
import type { UnitBytes } from '../checks/delivery.ts'
import type { Flight } from '../dedup/flight.ts'

export class Loan implements UnitBytes {
  readonly #flight: Flight

  constructor(flight: Flight) {
    this.#flight = flight
  }

  /** No bytes at all while they are away, and after a crash. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#flight.unit.bytes
  }

  get bodyHash(): Uint8Array {
    return this.#flight.unit.bodyHash
  }

  /** Whether the bytes are here, or could be made again; then in memory of their own. */
  async recall(): Promise<boolean> {
    const bytes = this.bytes.length > 0 ? this.bytes.slice() : await this.#flight.again()
    if (bytes !== null) this.return(bytes)
    return bytes !== null
  }

  /** What came home, or lies elsewhere now. */
  return(bytes: Uint8Array<ArrayBuffer>): void {
    this.#flight.unit.bytes = bytes
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
    for (const loan of shared) loan.return(loan.bytes.slice())
    for (const { bytes } of loans) taken.add(bytes.buffer)
  }
}

/** Units as a message that gives their memory away, and with it that of all their neighbours. */
export function lend(loans: readonly Loan[]): UnitBytes[] {
  const units = loans.map(({ bytes, bodyHash }) => ({ bytes, bodyHash }))
  // An empty unit would be taken for a malformed one: a fault of ours must not become an accusation.
  if (units.some(({ bytes }) => bytes.length === 0)) throw new Error('a unit was lent twice')
  return transfer(units, [...new Set(units.map(({ bytes }) => bytes.buffer))])
}

/** The units of an answer, back where they came from. */
export function takeBack(loans: readonly Loan[], returned: readonly Uint8Array<ArrayBuffer>[]): void {
  loans.forEach((loan, at) => {
    const bytes = returned[at]
    if (bytes !== undefined) loan.return(bytes)
  })
}
