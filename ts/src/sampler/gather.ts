/** Asking and verifying take turns, until there is nothing left to ask for. */
import type { Links } from '../verdict/verdict.ts'
import { Collection } from './ask/collection.ts'
import type { SidecarKind } from './ask/kinds.ts'
import type { Occasion } from './block.ts'
import { judge } from './judge.ts'

/** A sidecar that the verifier found valid. */
export interface VerifiedSidecar {
  readonly index: number
  /** The name of the endpoint that sent it. */
  readonly source: string
  readonly ssz: Uint8Array
  readonly links: Links
}

/** The sidecars of the block that is sampled: none of them is asked for yet. */
export function collectionOf(kind: SidecarKind, occasion: Occasion): Collection {
  const { header, parts, signal, until, endsAt, tell } = occasion
  return new Collection({
    kind,
    root: header.root,
    maxBlobs: parts.era.maxBlobs(header.slot),
    ...{ endpoints: parts.endpoints, pool: parts.pool },
    ...{ signal, until, endsAt },
    random: Math.random,
    onFetched: ({ index, endpoint, bytes }) =>
      tell({ kind: 'fetched', column: index, endpoint: endpoint.name, bytes }),
  })
}

/**
 * Asks for sidecars and verifies them until each is verified, or nobody is left to be asked for it: `keep` is given those that
 * are valid. A block costs one batch where nobody lies.
 */
export async function gather(
  collection: Collection,
  indices: readonly number[],
  { header, parts, signal, tell, timings }: Occasion,
  keep: (verified: VerifiedSidecar) => void,
): Promise<void> {
  let wanted = indices
  while (wanted.length > 0) {
    const began = performance.now()
    const delivered = await collection.obtain(wanted)
    const fetched = performance.now()
    timings.fetchMs += fetched - began
    const judged =
      delivered.length === 0 ? [] : await judge(parts.verifier, collection.kind, header, delivered, signal)
    timings.verifyMs += performance.now() - fetched
    const again: number[] = []
    for (const { delivered: one, verdict } of judged) {
      const { index, endpoint, sidecar } = one
      if (verdict.status === 'valid') {
        collection.accept(one)
        // The verifier takes nothing else.
        if (sidecar instanceof Uint8Array)
          keep({ index, source: endpoint.name, ssz: sidecar, links: verdict.links })
      } else if (verdict.status === 'invalid' || verdict.status === 'malformed') {
        collection.refuse(one, verdict.reason)
        tell({ kind: 'refused', column: index, endpoint: endpoint.name, reason: verdict.reason })
        again.push(index)
      } else {
        collection.crash(one)
        again.push(index)
      }
    }
    wanted = again
  }
}
