/** Which faults befall a request. */
import type { Context } from 'hono'
import { seeded } from '../chance/seeded.ts'
import type { Fault, Faults, RouteName } from './faults.ts'

/** All of them. */
export const routeNames: readonly RouteName[] = [
  'version',
  'health',
  'syncing',
  'spec',
  'genesis',
  'headers',
  'blocks',
  'blob_sidecars',
  'blobs',
  'data_column_sidecars',
  'bootstrap',
  'updates',
  'finality_update',
  'optimistic_update',
  'events',
]

/** The route of a path: the last word in it that is one. */
export function routeOf(path: string): RouteName | null {
  const words = path.split('/')
  return routeNames.findLast((route) => words.includes(route)) ?? null
}

/** Draws the faults of each request, in order, from one seed. */
export class Dice {
  readonly #faults: Faults
  readonly #random: () => number

  constructor(faults: Faults) {
    this.#faults = faults
    this.#random = seeded(faults.seed ?? 1)
  }

  draw(path: string): Fault[] {
    const route = routeOf(path)
    return this.#faults.rules
      .filter(({ routes, probability = 1 }) => {
        // Drawn whether it matters or not, so that a rule for one route leaves the others' chances alone.
        const isDrawn = probability >= 1 || this.#random() < probability
        return isDrawn && (routes === undefined || (route !== null && routes.includes(route)))
      })
      .map(({ fault }) => fault)
  }
}

const drawn = new WeakMap<Request, readonly Fault[]>()

/** Keeps what befalls a request, for the handlers. */
export function keepFaults(context: Context, faults: readonly Fault[]): void {
  drawn.set(context.req.raw, faults)
}

/** What befalls a request. */
export function faultsOf(context: Context): readonly Fault[] {
  return drawn.get(context.req.raw) ?? []
}
