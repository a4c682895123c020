import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createSampler } from 'blobcheck/sampler'
import { connect } from './connect.js'

const { network, checkpoint, beacon, close } = await connect(process.argv.slice(2))

const client = await LightClient.fromCheckpoint({ network, checkpoint, beacon })
await client.sync()
const verifier = await createVerifier({ network })
const sampler = createSampler({ verifier, headers: client, beacon, target: { maxError: 2 ** -30 } })

// The sample is drawn before anyone is asked, and each column of it is verified against the header.
const { block, verdict, reason, confidence } = await sampler.sampleBlock('finalized')
console.log(`slot ${block?.slot}: ${verdict} (${reason})`)
if (verdict === 'available') {
  const odds = confidence.certain ? 'never' : `with a probability of 2^-${Math.floor(confidence.bits)}`
  console.log(
    `${confidence.samples - confidence.missing} columns verified; an unavailable block would pass ${odds}`,
  )
}
process.exitCode = verdict === 'available' ? 0 : 1

await verifier.dispose()
await client.dispose()
await close()
