/** Progress, as its listeners hear of it. */
import type { SampleOptions } from './options.ts'
import type { SampleProgress } from './report.ts'

/** Tells a listener, whose fault is not the data's. */
export function tell(
  onProgress: SampleOptions['onProgress'],
  signal: AbortSignal | undefined,
  event: SampleProgress,
): void {
  if (onProgress === undefined || signal?.aborted) return
  try {
    onProgress(event)
  } catch {
    // It has its own means to say so.
  }
}
