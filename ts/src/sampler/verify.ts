/** Fetching and verifying take turns, until each sidecar is verified or nobody is left to be asked for it. */
import { fromSource } from '../verifier/call-items.ts'
import { type Links, noLinks, type Verdict } from '../verdict/verdict.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { SampleContext } from './context.ts'
import { isVouchedFor } from './header.ts'
import type { SampledHeader } from './options.ts'
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

/** Requests for the sidecars of the block that is sampled. None of them is sent yet. */
export function sidecarRequests(kind: SidecarKind, context: SampleContext): SidecarRequests {
  const { header, parts, signal, until, endsAt, notify } = context
  return new SidecarRequests({
    kind,
    root: header.root,
    maxBlobs: parts.schedule.maxBlobs(header.slot),
    ...{ endpoints: parts.endpoints, pool: parts.pool },
    ...{ signal, until, endsAt },
    random: Math.random,
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
  { header, parts, signal, notify, timings }: SampleContext,
  keep: (verified: VerifiedSidecar) => void,
): Promise<void> {
  let wanted = indices
  while (wanted.length > 0) {
    const began = performance.now()
    const delivered = await requests.fetch(wanted)
    const fetched = performance.now()
    timings.fetchMs += fetched - began
    const items = delivered.map(({ sidecar, endpoint }) => ({ sidecar, source: endpoint.name }))
    const verdicts = await verifySidecars(parts.verifier, requests.kind, header, items, signal)
    timings.verifyMs += performance.now() - fetched
    const again: number[] = []
    for (const [at, one] of delivered.entries()) {
      const { index, endpoint, sidecar } = one
      const verdict = verdicts[at] ?? crashed
      if (verdict.status === 'valid') {
        requests.accept(one)
        // The verifier takes nothing else.
        if (sidecar instanceof Uint8Array)
          keep({ index, source: endpoint.name, ssz: sidecar, links: verdict.links })
      } else if (verdict.status === 'invalid' || verdict.status === 'malformed') {
        requests.refuse(one, verdict.reason)
        notify({ kind: 'refused', column: index, endpoint: endpoint.name, reason: verdict.reason })
        again.push(index)
      } else {
        requests.crash(one)
        again.push(index)
      }
    }
    wanted = again
  }
}

const crashed: Verdict = { status: 'error', reason: 'worker-crashed', links: noLinks }

/** One verdict for each sidecar, in one batch, against the header of the block that is sampled. `source`: who sent it. */
export async function verifySidecars(
  verifier: Verifier,
  kind: SidecarKind,
  header: SampledHeader,
  items: readonly { readonly sidecar: Entry['sidecar']; readonly source: string }[],
  signal: AbortSignal | undefined,
): Promise<Verdict[]> {
  if (items.length === 0) return []
  const sidecars = items.map(({ sidecar, source }) => fromSource((sidecar ?? {}) as object, source))
  // The object itself where a light client vouches for it; otherwise the root, which is all that is needed.
  const anchor = { header: isVouchedFor(header) ? header : header.root }
  const options = { anchor, ...(signal && { signal }) }
  return kind.delivery === 'blob-sidecar'
    ? await verifier.verifyBlobSidecars(sidecars as object[], options)
    : await verifier.verifyDataColumnSidecars(sidecars as object[], options)
}
