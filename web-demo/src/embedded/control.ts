/**
 * The control of the experiment: a verifier that always said “valid” would show the same ticks. So a copy of a blob with one
 * bit flipped is verified too, and must be refused. It also loads what confirms refusals, so that tampering works offline.
 */
import type { Verifier } from 'blobcheck'
import type { Sidecar } from './sidecar.ts'
import { flipBit } from './tampering.ts'

export async function control(verifier: Verifier, sidecar: Sidecar): Promise<boolean> {
  const { sidecar: wrong } = flipBit(sidecar, 31, 0)
  const [verdict] = await verifier.verifyBlobSidecars([wrong])
  return verdict?.status === 'invalid' && verdict.stage === 'kzg'
}
