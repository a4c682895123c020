/**
 * Answers that are of a fork to come, by the network's config: `unsupported-fork`, for which no one is accused, since the config may be older than
 * the fork's date. It is no more than the endpoint's word, so that others are asked; and where one of them shows of which fork the block is,
 * whoever said otherwise is named for it.
 */
import { isForkToCome } from '../../beacon/consensus-version.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import type { VettedNetwork } from '../../beacon/networks.ts'
import type { Entries, SidecarKind } from './sidecars.ts'

/** When a block is, by its network's config: all that is known of its fork before anything of it is here. */
export interface BlockTime {
  readonly network: VettedNetwork
  readonly slot: number
}

/** Throws `BeaconFailure` where an answer says that it is of a fork to come. */
export function refuseVersionToCome(version: string | null, { network, slot }: BlockTime): void {
  if (version !== null && isForkToCome(version, network, slot))
    throw toCome(`it says ${version.slice(0, 32)}`)
}

/** Throws `BeaconFailure` where sidecars are in the container of Gloas, and Gloas is to come: browsers hide what an answer says of its fork. */
export function refuseGloasToCome(
  kind: SidecarKind,
  { entries }: Entries,
  { network, slot }: BlockTime,
): void {
  if (!isForkToCome('gloas', network, slot)) return
  if (entries.some(({ sidecar }) => sidecar instanceof Uint8Array && kind.isOfGloas(sidecar)))
    throw toCome('a sidecar in the container of gloas')
}

function toCome(what: string): BeaconFailure {
  return new BeaconFailure(
    'unsupported-fork',
    `${what}, a fork that by the network's config has not begun in that slot`,
  )
}

/** What was wrong with an answer of a fork to come, once the block is known to be of none. */
export const contradicted: BeaconFailure = new BeaconFailure(
  'malformed',
  'it answered as of a fork to come, and what another endpoint gave shows that the block is of none',
)
