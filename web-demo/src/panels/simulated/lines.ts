/** The lines that make the same chain and the same faults in Node.js, and follow it slot by slot. */
import { chainOptions, type ChainSettings, type NodeFaults } from './settings.ts'

export function linesOf(chain: ChainSettings, faults: NodeFaults, withHonest: boolean): string {
  const plain = literal(chainOptions(chain))
  const options = faults.payloadsWithheld ? plain.replace(/ }$/, ', isPayloadWithheld: () => true }') : plain
  const beacon = withHonest ? '[server.url, honest.url]' : 'server.url'
  const forged = {
    signature: 'of the proposer',
    committee: 'of the sync committee',
  }
  return `import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createSampler } from 'blobcheck/sampler'
import { makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'

const chain = await makeChain(${options})
const faults = { rules: ${literal(faults.rules)} } // rules may be replaced at any time
${faults.forgery === null ? '' : `// On the page signatures ${forged[faults.forgery]} are false as well; that is no fault of blobcheck/serve.\n`}const server = await serveBeacon({ chain, faults })
${withHonest ? 'const honest = await serveBeacon({ chain })\n' : ''}const { network, checkpoint } = chain
const beacon = ${beacon}

const verifier = await createVerifier({ network })
const headers = await LightClient.fromCheckpoint({ network, checkpoint, beacon })
const sampler = createSampler({ verifier, headers, beacon })
for await (const { slot, outcome, report } of sampler.follow())
  console.log(slot, outcome, report?.reason ?? '', report?.confidence.bits ?? '')
`
}

/** Plain data as JavaScript. */
function literal(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll('"', "'")
    .replaceAll('{', '{ ')
    .replaceAll('}', ' }')
    .replaceAll(',', ', ')
}
