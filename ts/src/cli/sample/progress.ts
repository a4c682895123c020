/** What is known of a block while it is sampled: the state of each column, and what each endpoint delivered. */
import { COLUMNS } from '../../beacon/constants.ts'
import type { SampleProgress } from '../../sampler/index.ts'

/** `refused`: what was delivered is false, and nobody has sent a true one. */
export type CellState = 'unchosen' | 'chosen' | 'delivered' | 'verified' | 'missing' | 'refused'

/** What one endpoint delivered. */
export interface Delivered {
  readonly columns: number
  readonly refused: number
  readonly bytes: number
}

export interface Sampling {
  readonly block: { readonly slot: number; readonly root: string; readonly blobs: number | null } | null
  /** 128 of them. */
  readonly cells: readonly CellState[]
  /** By name, in the order in which they first delivered. */
  readonly endpoints: ReadonlyMap<string, Delivered>
}

export const unsampled: Sampling = {
  block: null,
  cells: Array.from({ length: COLUMNS }, (): CellState => 'unchosen'),
  endpoints: new Map(),
}

/** What is known after an event. */
export function afterEvent(sampling: Sampling, event: SampleProgress): Sampling {
  switch (event.kind) {
    case 'block':
      return { ...sampling, block: { slot: event.slot, root: event.root, blobs: event.blobs } }
    case 'chosen':
      return { ...sampling, cells: withCells(sampling.cells, event.columns, 'chosen') }
    case 'fetched':
      return {
        ...sampling,
        cells: withCells(sampling.cells, [event.column], 'delivered'),
        endpoints: withDelivery(sampling.endpoints, event.endpoint, { columns: 1, bytes: event.bytes }),
      }
    case 'refused':
      return {
        ...sampling,
        cells: withCells(sampling.cells, [event.column], 'refused'),
        endpoints: withDelivery(sampling.endpoints, event.endpoint, { refused: 1 }),
      }
    case 'column': {
      const { index, status, reason } = event.outcome
      const state = status === 'verified' ? status : reason === 'false' ? 'refused' : 'missing'
      return { ...sampling, cells: withCells(sampling.cells, [index], state) }
    }
    case 'done':
      return sampling
  }
}

/** How many cells are in a state. */
export function countOf({ cells }: Sampling, state: CellState): number {
  return cells.filter((cell) => cell === state).length
}

function withCells(
  cells: readonly CellState[],
  columns: readonly number[],
  state: CellState,
): readonly CellState[] {
  const next = [...cells]
  for (const column of columns) next[column] = state
  return next
}

function withDelivery(
  endpoints: Sampling['endpoints'],
  name: string,
  more: Partial<Delivered>,
): Sampling['endpoints'] {
  const { columns, refused, bytes } = endpoints.get(name) ?? { columns: 0, refused: 0, bytes: 0 }
  return new Map(endpoints).set(name, {
    columns: columns + (more.columns ?? 0),
    refused: refused + (more.refused ?? 0),
    bytes: bytes + (more.bytes ?? 0),
  })
}
