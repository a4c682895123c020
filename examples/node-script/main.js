import { readFile } from 'node:fs/promises'
import { createVerifier } from 'blobcheck'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

// What a beacon node answers to /eth/v1/beacon/blob_sidecars/{block_id}; the package carries such an answer, of a real block of Holesky.
const [, , file] = process.argv
const answer = JSON.parse(file === undefined ? await readEmbeddedSidecars() : await readFile(file, 'utf8'))

const verifier = await createVerifier({ network: 'holesky' })
console.log('as the node answered:')
print(await verifier.verifyBlobSidecars(answer))

console.log('with one digit of the third blob changed:')
const [, , third] = answer.data
third.blob = third.blob.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
print(await verifier.verifyBlobSidecars(answer))
await verifier.dispose()

function print(verdicts) {
  for (const [at, { status, reason, links }] of verdicts.entries())
    console.log(`  blob ${at}: ${status}${reason ? ` (${reason})` : ''}, inclusion ${links.inclusion}`)
}
