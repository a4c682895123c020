/**
 * The control of the experiment: a verifier that always said “valid” would show the same ticks. So a copy of a blob with one
 * bit flipped is verified too, and must be refused. It also loads what confirms refusals, so that tampering works offline.
 */
import { setText } from '../shared/page.ts'
import { alert } from './notice.ts'
import type { Sidecar } from './sidecar.ts'
import type { Supply } from './supply.ts'
import { flipBit } from './tampering.ts'

/** Says that the copy was refused; nothing where it has no verdict, but that its verifier was given up meanwhile for another one. */
export async function runControl(supply: Supply, sidecar: Sidecar): Promise<void> {
  const { sidecar: wrong } = flipBit(sidecar, 31, 0)
  const verifier = supply.verifier
  const [verdict] = await verifier.then((made) => made.verifyBlobSidecars([wrong])).catch(() => [])
  if (verdict === undefined && supply.verifier !== verifier) return await runControl(supply, sidecar)
  if (verdict === undefined) return
  if (verdict.status === 'invalid' && verdict.stage === 'kzg')
    setText(
      '#control',
      'Control: a copy of blob 0 with one bit flipped was verified as well, and refused, as it must be.',
    )
  else
    alert(
      'The control failed: a copy of blob 0 with one bit flipped was not refused. Do not rely on what this page says.',
    )
}
