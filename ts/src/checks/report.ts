/** What the WASM checks answer with: a code, and after a 0 the bytes of the unit. */
import type { Core } from '../wasm/core.ts'
import { Refused } from './fields.ts'

/** The unit in a report; throws the refusal that a report is otherwise. */
export function unitOf(core: Core, report: Uint8Array): Uint8Array {
  const refusal = core.refusal(report[0] ?? 0)
  if (refusal !== null) throw new Refused(refusal)
  return report.subarray(1)
}
