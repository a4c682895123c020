/** What the verifier says of sidecars that were delivered. */
import { noLinks, type Verdict } from '../verdict/verdict.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { Delivered } from './ask/collection.ts'
import type { SidecarKind } from './ask/kinds.ts'
import { isVouchedFor } from './header.ts'
import type { SampledHeader } from './options.ts'

/** What a verdict was passed on. */
export interface Judged {
  readonly delivered: Delivered
  readonly verdict: Verdict
}

/** Verifies what was delivered, all of it in one batch, against the block's header. */
export async function judge(
  verifier: Verifier,
  kind: SidecarKind,
  header: SampledHeader,
  delivered: readonly Delivered[],
  signal: AbortSignal | undefined,
): Promise<Judged[]> {
  const sidecars = delivered.map(({ sidecar, endpoint }) => ({
    sidecar: sidecar ?? {},
    source: endpoint.name,
  }))
  // The object itself where a light client vouches for it; otherwise the root, which is all that is needed.
  const anchor = { header: isVouchedFor(header) ? header : header.root }
  const options = { anchor, ...(signal && { signal }) }
  const verdicts =
    kind.delivery === 'blob-sidecar'
      ? await verifier.verifyBlobSidecars(sidecars as object[], options)
      : await verifier.verifyDataColumnSidecars(sidecars as object[], options)
  return delivered.map((one, at) => ({ delivered: one, verdict: verdicts[at] ?? crashed }))
}

const crashed: Verdict = { status: 'error', reason: 'worker-crashed', links: noLinks }
