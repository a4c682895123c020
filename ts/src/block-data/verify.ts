/** Fetching and verifying take turns, until each sidecar is verified or nobody is left to be asked for it. */
import { crashed } from '../verifier/assemble.ts'
import { fromSource } from '../verifier/sourced-sidecar.ts'
import type { Links, Verdict } from '../verdict/verdict.ts'
import type { BlockContext } from './context.ts'
import { provenBlobs } from './header.ts'
import { anchorOf } from './proven-block.ts'
import { SidecarRequests } from './requests/requests.ts'
import type { Entry, SidecarKind } from './requests/sidecars.ts'

/** A sidecar that the verifier found valid. */
export interface VerifiedSidecar {
  readonly index: number
  /** The name of the endpoint that sent it. */
  readonly source: string
  readonly ssz: Uint8Array
  readonly links: Links
}

/** Requests for the sidecars of the context's block. None of them is sent yet. */
export function sidecarRequests(kind: SidecarKind, context: BlockContext): SidecarRequests {
  const { block, header, parts, signal, until, endsAt, notify, send } = context
  // The block itself shows its fork; and an execution header that a light client proved is in no block of Gloas.
  const isKnown = block !== null || provenBlobs(header) !== null
  return new SidecarRequests({
    kind,
    root: header.root,
    maxBlobs: block?.commitments.length ?? parts.schedule.maxBlobs(header.slot),
    time: isKnown ? null : { network: parts.network, slot: header.slot },
    ...{ endpoints: parts.endpoints, pool: parts.pool },
    ...{ signal, until, endsAt, send },
    onFetched: ({ index, endpoint, bytes }) =>
      notify({ kind: 'fetched', column: index, endpoint: endpoint.name, bytes }),
  })
}

/**
 * Fetches sidecars and verifies them, and asks others for those that were refused, until each is verified or nobody is left to
 * be asked for it. `keep` is given each valid one. Where nobody lies, all of a block's sidecars are verified in one batch. Rejects
 * with the signal's reason, and with what the verifier throws.
 */
export async function fetchVerified(
  requests: SidecarRequests,
  indices: readonly number[],
  context: BlockContext,
  keep: (verified: VerifiedSidecar) => void,
): Promise<void> {
  const { notify, timings } = context
  let wanted = indices
  try {
    while (wanted.length > 0) {
      const began = performance.now()
      const delivered = await requests.fetch(wanted)
      const fetched = performance.now()
      timings.fetchMs += fetched - began
      const items = delivered.map(({ sidecar, endpoint }) => ({ sidecar, source: endpoint.name }))
      const verdicts = await verifySidecars(requests.kind, items, context)
      timings.verifyMs += performance.now() - fetched
      // Before any of it is told: who was silent until here is part of what became of a sidecar.
      if (verdicts.every(({ status }) => status === 'valid')) await requests.end()
      const again: number[] = []
      for (const [at, one] of delivered.entries()) {
        const { index, endpoint, sidecar } = one
        const verdict = verdicts[at] ?? crashed()
        if (verdict.status === 'valid') {
          requests.accept(one)
          // The verifier takes nothing else.
          if (sidecar instanceof Uint8Array)
            keep({ index, source: endpoint.name, ssz: sidecar, links: verdict.links })
        } else if (verdict.status === 'invalid' || verdict.status === 'malformed') {
          const reason = requests.refuse(one, verdict.reason)
          if (reason !== null) notify({ kind: 'refused', column: index, endpoint: endpoint.name, reason })
          again.push(index)
        } else {
          requests.crash(one)
          again.push(index)
        }
      }
      wanted = again
    }
  } finally {
    await requests.end()
  }
}

/** One verdict for each sidecar, in one batch, against the context's block. `source`: who sent it. */
export async function verifySidecars(
  kind: SidecarKind,
  items: readonly { readonly sidecar: Entry['sidecar']; readonly source: string }[],
  { block, header, parts, signal }: Pick<BlockContext, 'block' | 'header' | 'parts' | 'signal'>,
): Promise<Verdict[]> {
  if (items.length === 0) return []
  const sidecars = items.map(({ sidecar, source }) => fromSource((sidecar ?? {}) as object, source))
  const options = { anchor: anchorOf(header, block), ...(signal && { signal }) }
  return kind.delivery === 'blob-sidecar'
    ? await parts.verifier.verifyBlobSidecars(sidecars as object[], options)
    : await parts.verifier.verifyDataColumnSidecars(sidecars as object[], options)
}
