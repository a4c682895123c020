import { createVerifier } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { LightClient } from 'blobcheck/light-client'
import { connect } from './connect.js'

const { network, beacon, checkpoint, close } = await connect(process.argv.slice(2))

// A light client carries trust from the checkpoint to a header of now.
const client = await LightClient.fromCheckpoint({ network, checkpoint, beacon: [beacon] })
await client.sync()
const header = client.finalized

// The node need not be trusted: the block must be the header's, and the blobs must be the block's.
const block = await get(`/eth/v2/beacon/blocks/${header.root}`)
const bytes = await get(`/eth/v1/beacon/blobs/${header.root}`)
const blobs = []
for (let at = 0; at < bytes.length; at += 131_072) blobs.push({ blob: bytes.slice(at, at + 131_072) })
const { commitments } = (await loadBeacon()).readBlock(block, { network })
console.log(`slot ${header.slot}: ${blobs.length} of ${commitments.length} blobs`)

const verifier = await createVerifier({ network })
for (const { status, links } of await verifier.verifyBlobs(blobs, { anchor: { block, header } }))
  console.log(`${status}: inclusion ${links.inclusion}, sync committee ${links['sync-committee']}`)

// A rollup derives its chain from what is valid, and from nothing else.
blobs[0].blob[31] ^= 1
const [spoiled] = await verifier.verifyBlobs(blobs, { anchor: { block, header } })
console.log(`one bit changed: ${spoiled.status} (${spoiled.reason})`)

await verifier.dispose()
await client.dispose()
await close()

async function get(path) {
  const response = await fetch(beacon + path, { headers: { accept: 'application/octet-stream' } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`)
  return new Uint8Array(await response.arrayBuffer())
}
