/** What the verifier says of sidecars that were delivered. */
import { noLinks, type Verdict } from '../verdict/verdict.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { Delivered } from './ask/collection.ts'
import type { SidecarKind } from './ask/kinds.ts'
import type { Entry } from './ask/split.ts'
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
  const sidecars = delivered.map(({ sidecar, endpoint }) => ({ sidecar, source: endpoint.name }))
  const verdicts = await verdictsOn(verifier, kind, header, sidecars, signal)
  return delivered.map((one, at) => ({ delivered: one, verdict: verdicts[at] ?? crashed }))
}

/** The same of sidecars that no endpoint sent. One verdict for each. */
export async function verdictsOn(
  verifier: Verifier,
  kind: SidecarKind,
  header: SampledHeader,
  items: readonly { readonly sidecar: Entry['sidecar']; readonly source: string }[],
  signal: AbortSignal | undefined,
): Promise<Verdict[]> {
  const sidecars = items.map(({ sidecar, source }) => ({ sidecar: sidecar ?? {}, source }))
  // The object itself where a light client vouches for it; otherwise the root, which is all that is needed.
  const anchor = { header: isVouchedFor(header) ? header : header.root }
  const options = { anchor, ...(signal && { signal }) }
  return kind.delivery === 'blob-sidecar'
    ? await verifier.verifyBlobSidecars(sidecars as object[], options)
    : await verifier.verifyDataColumnSidecars(sidecars as object[], options)
}

const crashed: Verdict = { status: 'error', reason: 'worker-crashed', links: noLinks }
