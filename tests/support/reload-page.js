/**
 * A page as a visitor has it: it verifies two blobs with everything automatic, and tells its parent how. Run by
 * `reload.test.ts` in a frame, twice.
 */
import { createVerifier } from 'blobcheck'
import { makeBlob } from './make.ts'

const verifier = await createVerifier({ workers: 1 })
const verdicts = await verifier.verifyBlobs([makeBlob(1001), makeBlob(1002)])
await verifier.dispose()
parent.postMessage({ visit: performance.timeOrigin, verdicts, stats: verifier.stats() }, '*')
