/** Lines of code that do in Node.js what the panel does here. */
import type { LiveSettings } from './settings.ts'

export function liveLines({ network, beacon, checkpoint }: LiveSettings): string {
  return `import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createSampler } from 'blobcheck/sampler'

const network = ${literal(network)}
const beacon = ${literal(beacon)} // not trusted
const checkpoint = ${literal(checkpoint)} // trusted
const verifier = await createVerifier({ network })
const client = await LightClient.fromCheckpoint({ network, checkpoint, beacon })
await client.sync()
const sampler = createSampler({ verifier, headers: client, beacon })
for await (const { slot, outcome, report } of sampler.follow())
  console.log(slot, outcome, report?.reason, report?.confidence.bits, report?.confidence.assumption)
`
}

/** As JSON, but for infinity, which JSON has not: of a fork that is never. No string is only that word in brackets. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, (_key, inner: unknown) => (inner === Infinity ? '[Infinity]' : inner))
  return json.replaceAll('"[Infinity]"', 'Infinity').replaceAll("'", '\\u0027').replaceAll('"', "'")
}
