/** The lines that find in Node.js what the page finds of its block, which is in the package. */
export const LINES = `import { createVerifier } from 'blobcheck'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

const verifier = await createVerifier({ network: 'holesky' })
const verdicts = await verifier.verifyBlobSidecars(await readEmbeddedSidecars())
for (const { status, reason, links } of verdicts) console.log(status, reason ?? '', links)
await verifier.dispose()
`
