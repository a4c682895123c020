/**
 * Units of a batch, lent to workers: their memory is given away and comes home with the answer, so that nothing is copied
 * on the way. What a worker takes to its grave is made anew from the delivery that it came from.
 */
import { transfer } from 'comlink'
import type { UnitBytes } from '../checks/delivery.ts'
import type { Flight } from '../dedup/flight.ts'

export class Loan implements UnitBytes {
  readonly bodyHash: Uint8Array
  readonly #flight: Flight
  #bytes: Uint8Array<ArrayBuffer>

  constructor(flight: Flight) {
    this.#flight = flight
    this.bodyHash = flight.unit.bodyHash
    this.#bytes = flight.unit.bytes
  }

  /** No bytes at all while they are away, and after a crash. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes
  }

  /** Whether the bytes are here, or could be made again. */
  async recall(): Promise<boolean> {
    if (this.#bytes.length > 0) return true
    const bytes = await this.#flight.again()
    if (bytes !== null) this.#bytes = bytes
    return bytes !== null
  }

  /** What came home. */
  return(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
  }
}

/** Units as a message that gives their memory away. */
export function lend(loans: readonly Loan[]): UnitBytes[] {
  const units = loans.map(({ bytes, bodyHash }) => ({ bytes, bodyHash }))
  return transfer(
    units,
    units.map(({ bytes }) => bytes.buffer),
  )
}

/** The units of an answer, back where they came from. */
export function takeBack(loans: readonly Loan[], returned: readonly Uint8Array<ArrayBuffer>[]): void {
  loans.forEach((loan, at) => {
    const bytes = returned[at]
    if (bytes !== undefined) loan.return(bytes)
  })
}
