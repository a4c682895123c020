/** The stations behind a verifier, for the parts of this package that build on one: its workers, and its network. */
import type { Stations } from './pipeline.ts'

const known = new WeakMap<object, Stations>()

/** For `createVerifier` alone. */
export function rememberStations(verifier: object, stations: Stations): void {
  known.set(verifier, stations)
}

/** Throws `TypeError` for what is no verifier of this package. */
export function stationsOf(verifier: unknown): Stations {
  const stations = typeof verifier === 'object' && verifier !== null ? known.get(verifier) : undefined
  if (stations === undefined) throw new TypeError('verifier must be one that createVerifier made')
  return stations
}
