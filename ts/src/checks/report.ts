/** What the WASM checks answer with: the bytes of the unit and a 0, or a code alone. */
import type { Core } from '../wasm/core.ts'
import { Refused } from './fields.ts'

/** The unit in a report; throws the refusal that a report is otherwise. */
export function unitOf(core: Core, report: Uint8Array): Uint8Array<ArrayBuffer> {
  const refusal = core.refusal(report.at(-1) ?? 0)
  if (refusal !== null) throw new Refused(refusal)
  // Memory of its own but for the code: reports are copied out of the instance.
  return (report as Uint8Array<ArrayBuffer>).subarray(0, -1)
}
