/** The parts of a light client, which `fromCheckpoint` puts together. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { AgeLimit, Clock } from './clock.ts'
import type { Engine } from './engine.ts'
import type { ForceUpdate } from './force-update.ts'
import type { SyncProgress } from './options.ts'
import type { ChainState } from './state.ts'
import type { RecordStore } from './store/record-store.ts'
import type { VouchedHeaders } from './trusted-header.ts'

/**
 * Where a light client stands that believes nothing of what it believed unseen, by what it has by now; `draft` is what to keep of that. Rejects
 * as a start does.
 */
export type VerifiedRestart = (draft: RecordStore, signal: AbortSignal | undefined) => Promise<ChainState>

export interface LightClientContext {
  readonly state: ChainState
  /** Null where nothing was believed unseen (`trustCache`). */
  readonly restart: VerifiedRestart | null
  readonly vouched: VouchedHeaders
  readonly engine: Engine
  readonly endpoints: BeaconEndpoints
  readonly records: RecordStore
  readonly clock: Clock
  /** Null where forced updates were not asked for. */
  readonly forceUpdate: ForceUpdate | null
  /** How old what we stand on may be. */
  readonly ageLimit: AgeLimit
  /** Milliseconds of Unix time. */
  readonly now: () => number
}

/** Writes down where it stands; after a forced update no more, since a store does not say what in it is final. */
export function saveVerified({ records, state }: Pick<LightClientContext, 'records' | 'state'>): void {
  if (state.forcedUpdates === 0) records.save(state.store)
}

/** Tells whoever follows a synchronisation how far it is. */
export type Report = (stage: SyncProgress['stage'], done: number, total: number) => void
