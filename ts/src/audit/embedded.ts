/** Jobs that are done by this process. */
import type { Auditor } from './auditor.ts'
import type { JobRunner } from './run.ts'

/** Two jobs share the auditor's concurrency: while one has its last slots to do, the other has more. */
const JOBS_AT_ONCE = 2

export function embeddedRunner(auditor: Auditor): JobRunner {
  return {
    jobsAtOnce: JOBS_AT_ONCE,
    run: (job, { signal, onSlot }) => auditor.audit(job, { signal, onSlot }),
  }
}
