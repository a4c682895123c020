/**
 * The conductor. Data takes one way: bytes → checks → dedup and cache → batch → pool → wasm → verdict. This file holds
 * the order of the stations.
 */
import { abortable } from '../util/signals.ts'
import type { Judge } from './batch/judge.ts'
import type { VerdictCache } from './cache/cache.ts'
import type { Checked, Delivery, Unit } from './checks/delivery.ts'
import type { Boarding, Flights, Passenger } from './dedup/flights.ts'
import type { NetworkConfig } from '../beacon/networks.ts'
import type { VerifierPool } from './worker/protocol.ts'
import type { Counters } from './stats.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import { crashed, landed, ofTransaction, refused, unchecked } from './assemble.ts'
import { type Call, progressOf } from './call.ts'
import { Consignment } from './deliveries.ts'
import { inspect, inspectAgain, type Inspection } from './inspect.ts'
import type { Slabs } from './slabs.ts'
import type { SignatureCheck } from './signatures.ts'

/** The parts that `createVerifier` puts together. */
export interface Stations {
  readonly network: NetworkConfig
  /** The network as the WASM module reads it. */
  readonly networkWords: BigUint64Array<ArrayBuffer>
  readonly pool: VerifierPool
  readonly slabs: Slabs
  readonly flights: Flights
  readonly judge: Judge
  readonly cache: VerdictCache | null
  readonly counters: Counters
  readonly signatures: SignatureCheck
}

/** Takes the items of one call all the way. Rejects with the signal's reason as soon as that is aborted. */
export async function carry(
  stations: Stations,
  kind: Delivery['kind'],
  items: readonly unknown[],
  call: Call,
): Promise<(Verdict | TransactionVerdict)[]> {
  const boardings: Boarding[] = []
  const leave = (): void => boardings.splice(0).forEach((boarding) => boarding.leave())
  return await abortable(call.signal, () => follow(stations, kind, items, call, boardings), leave)
}

/** `boardings` is filled on the way: what the call is to leave if it is aborted. */
async function follow(
  stations: Stations,
  kind: Delivery['kind'],
  items: readonly unknown[],
  call: Call,
  boardings: Boarding[],
): Promise<(Verdict | TransactionVerdict)[]> {
  const { counters, flights, networkWords, pool, signatures, slabs } = stations
  const report = progressOf(call, items.length)
  const consignment = new Consignment(kind, items, call.transfer)
  counters.items += items.length

  const { anchor, fork, proposerKey } = call
  const terms = { anchor, network: networkWords, fork, wantsHeaders: proposerKey !== null }
  const inspection = { pool, slabs, consignment, terms, counters }
  const found = await inspect(inspection, call.signal, (count) => report('check', count))
  const checked = proposerKey === null ? found : await signatures.of(found, proposerKey)
  // The promise that the caller sees is rejected by now; nothing may board a flight for a caller who has left.
  if (call.signal?.aborted) return []

  const units = call.cheap ? [] : passengersOf(checked, inspection)
  // One by one: a call has no room for as many arguments as there may be items.
  for (const boarding of flights.board(units)) boardings.push(boarding)
  const tickets = boardings[Symbol.iterator]()
  const verdicts = checked.map(async (entry, at) => {
    const verdict = await conclude(entry, consignment.source(at), call.cheap, tickets, counters)
    count(counters, verdict)
    report('kzg', 1)
    return verdict
  })
  const all = await Promise.all(verdicts)
  // Every flight that was begun with these units has landed: no one reads them any more.
  slabs.giveBackAll(checked.flatMap(unitsIn).map(({ bytes }) => bytes.buffer))
  return all
}

/** The verdict on one delivery. Tickets are taken, in order, before the first wait. */
async function conclude(
  entry: Checked | null,
  source: string | undefined,
  cheap: boolean,
  tickets: Iterator<Boarding>,
  counters: Counters,
): Promise<Verdict | TransactionVerdict> {
  if (entry === null) return crashed()
  if ('refusal' in entry) {
    counters.refusedByChecks++
    return refused(entry.refusal, entry.links, source === undefined ? [] : [source])
  }
  if ('blobs' in entry) {
    const blobs = entry.blobs.map((blob) => conclude(blob, source, cheap, tickets, counters))
    return ofTransaction(await Promise.all(blobs), entry.digest)
  }
  if (cheap) return unchecked(entry.links)
  const ticket = tickets.next()
  if (ticket.done === true) return crashed()
  const { flight, first } = ticket.value
  const landing = await flight.landing
  if (landing.via === 'cache') counters.cacheHits++
  else if (!first || landing.via === 'memory') counters.duplicates++
  return landed(landing, first, entry.unit.digest, entry.links)
}

/** What is to be verified of a call's deliveries, in order. */
function passengersOf(checked: readonly (Checked | null)[], inspection: Inspection): Passenger[] {
  return checked.flatMap((entry, at) => {
    const source = inspection.consignment.source(at)
    return unitsIn(entry).map((unit) => ({
      unit,
      source,
      again: () => unitAgain(inspection, at, unit.digest),
    }))
  })
}

function unitsIn(entry: Checked | null): Unit[] {
  if (entry === null || 'refusal' in entry) return []
  return 'blobs' in entry ? entry.blobs.flatMap(unitsIn) : [entry.unit]
}

/** The same bytes once more; null where they have changed, or where a worker dies of them. */
async function unitAgain(inspection: Inspection, at: number, digest: string): Promise<Unit['bytes'] | null> {
  const units = unitsIn(await inspectAgain(inspection, at))
  return units.find((unit) => unit.digest === digest)?.bytes ?? null
}

function count(counters: Counters, { status }: Verdict): void {
  if (status === 'error') counters.errors++
  else if (status !== 'unchecked') counters[status]++
}
