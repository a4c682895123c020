/** One verification of all blobs: each on its own, as gossip would deliver them, so that each has a verdict of its own time. */
import type { AnchorOption, Verdict, Verifier } from 'blobcheck'
import type { Sidecar } from './sidecar.ts'

/** A blob's verdict, and how long after the start of the run it came. */
export interface Timed {
  readonly verdict: Verdict
  readonly ms: number
}

export interface Run {
  /** In the sidecars' order; null where the run was cancelled before. */
  readonly results: readonly (Timed | null)[]
  readonly cancelled: boolean
  readonly firstMs: number | null
  readonly totalMs: number
}

export interface RunOptions {
  readonly anchor: AnchorOption
  readonly signal: AbortSignal
  /** A blob has passed the cheap checks; its proof comes next. */
  readonly onChecking: (at: number) => void
  readonly onVerdict: (at: number, timed: Timed) => void
}

export async function runAll(
  verifier: Verifier,
  sidecars: readonly Sidecar[],
  options: RunOptions,
): Promise<Run> {
  const { anchor, signal, onChecking, onVerdict } = options
  const started = performance.now()
  const settled = await Promise.allSettled(
    sidecars.map(async (sidecar, at): Promise<Timed> => {
      const [verdict] = await verifier.verifyBlobSidecars([sidecar], {
        anchor,
        signal,
        onProgress: ({ stage }) => stage === 'check' && onChecking(at),
      })
      if (verdict === undefined) throw new Error('the verifier gave no verdict')
      const timed = { verdict, ms: performance.now() - started }
      onVerdict(at, timed)
      return timed
    }),
  )
  const totalMs = performance.now() - started
  // A verdict never throws: what does is a cancellation, or our own fault.
  const faults = settled.flatMap((entry) => (entry.status === 'rejected' ? [entry.reason as unknown] : []))
  const fault = faults.find((reason) => !(reason instanceof Error && reason.name === 'AbortError'))
  if (fault !== undefined) throw fault
  const results = settled.map((entry) => (entry.status === 'fulfilled' ? entry.value : null))
  const times = results.flatMap((timed) => (timed === null ? [] : [timed.ms]))
  return {
    results,
    cancelled: faults.length > 0,
    firstMs: times.length > 0 ? Math.min(...times) : null,
    totalMs,
  }
}
