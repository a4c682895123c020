/**
 * Headers that are fetched one by one on the way back along a chain: by the root that a child names, which says which one is meant, or by a slot,
 * which proves nothing. Roots are computed here, whatever the answers say.
 */
import type { BeaconEndpoints } from './endpoints.ts'
import { BeaconFailure, BeaconUnavailableError } from './failure.ts'
import { headerBytesIn, headerIn } from './header-answer.ts'
import type { BeaconAnswer } from './request.ts'
import { routes } from './routes.ts'

/** A header as an endpoint gave it. Of which chain it is, its child says. */
export interface ChainHeader {
  /** 32 bytes as 0x hex, as its parent's. */
  readonly root: string
  readonly slot: number
  readonly parentRoot: string
  /** 112 bytes. */
  readonly ssz: Uint8Array
}

/** Where a way goes on from a header. */
export type ChainLink = Pick<ChainHeader, 'slot' | 'parentRoot'>

/** The header in an answer. Throws `BeaconFailure` where there is none. */
export function chainHeaderIn(answer: BeaconAnswer): ChainHeader {
  const { parent_root: parentRoot, root, slot } = headerIn(answer)
  return { root, slot, parentRoot, ssz: headerBytesIn(answer) }
}

/** The header that a child names as its parent. Rejects with `BeaconUnavailableError` where nobody gives it, and with the signal's reason. */
export async function askParent(
  endpoints: BeaconEndpoints,
  child: ChainLink,
  signal: AbortSignal,
): Promise<ChainHeader> {
  return await endpoints.first(
    routes.header(child.parentRoot),
    async (answer) => {
      const header = chainHeaderIn(answer)
      if (header.root !== child.parentRoot) throw another()
      // By its root it is the one that was asked for, and the chain is one that no node would follow.
      if (header.slot >= child.slot) throw new BeaconFailure('malformed', 'a parent that is no older')
      return header
    },
    signal,
  )
}

/**
 * What an endpoint says is the header of a slot; null where none says anything of use, as of an empty slot: what they did instead, `onUnavailable`
 * is told. Rejects with the signal's reason.
 */
export async function askSlot(
  endpoints: BeaconEndpoints,
  slot: number,
  signal: AbortSignal,
  onUnavailable: (error: BeaconUnavailableError) => void = () => {},
): Promise<ChainHeader | null> {
  try {
    return await endpoints.first(
      routes.header(String(slot)),
      async (answer) => {
        const header = chainHeaderIn(answer)
        if (header.slot !== slot) throw another()
        return header
      },
      signal,
    )
  } catch (error) {
    if (!(error instanceof BeaconUnavailableError)) throw error
    onUnavailable(error)
    return null
  }
}

const another = (): BeaconFailure => new BeaconFailure('invalid', 'another header than the one asked for')
