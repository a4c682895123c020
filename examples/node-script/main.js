import { readFile } from 'node:fs/promises'
import { createVerifier } from 'blobcheck'

// What a beacon node answers to /eth/v1/beacon/blob_sidecars/{block_id}; the package carries such an answer, of a real block of Holesky.
const file = process.argv[2] ?? import.meta.resolve('blobcheck/data/holesky_1409759_blob_sidecars.json')
const answer = JSON.parse(await readFile(file.startsWith('file:') ? new URL(file) : file, 'utf8'))

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
