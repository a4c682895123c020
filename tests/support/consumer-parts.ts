/** What a consumer does that uses all parts of the package, with a chain that the test serves. */
import { makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'
import { onTestFinished } from 'vitest'

/** Serves a chain until the test has ended. The file of a project that names it, which `checkParts` imports. */
export async function servedChain(): Promise<Readonly<Record<'chain.js', string>>> {
  const chain = await makeChain({ slots: 96, blobsPerBlock: 1 })
  const server = await serveBeacon({ chain })
  onTestFinished(async () => await server.close())
  const values = { network: chain.network, checkpoint: chain.checkpoint, beacon: server.url }
  return {
    // JSON has no Infinity, which is the epoch of a fork that has no date.
    'chain.js': `export const chain = JSON.parse(${JSON.stringify(JSON.stringify(values))}, (_, value) => value ?? Infinity)`,
  }
}

/**
 * A module that exports `check`, which uses all parts of the package: what the prover and the light client made is what the verifier
 * verifies a blob against, and the same blob with one bit flipped. `files.js` has the options of each that say where its files are.
 */
export const checkParts = `import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { chain } from './chain.js'
import * as files from './files.js'

export async function check() {
  const warnings = []
  const onWarning = (warning) => warnings.push(warning)
  const client = await LightClient.fromCheckpoint({ ...chain, worker: true, onWarning, ...files.lightClient })
  await client.sync()
  const header = client.finalized
  const block = await get('/eth/v2/beacon/blocks/' + header.root)
  const blob = await get('/eth/v1/beacon/blobs/' + header.root)
  const spoiled = blob.slice()
  spoiled[31] ^= 1

  const prover = await createProver({ workers: 2, onWarning, ...files.prover })
  const commitment = await prover.blobToKzgCommitment(blob)
  const { cells, proofs } = await prover.computeCellsAndKzgProofs(blob)
  await prover.dispose()

  const verifier = await createVerifier({ network: chain.network, workers: 2, cache: false, onWarning, ...files.verifier })
  const cell = { commitment, cellIndex: 127, cell: cells[127], proof: proofs[127] }
  const [ofCell] = await verifier.verifyCells([cell], { anchor: { block, header } })
  const verdicts = await verifier.verifyBlobs([{ blob }, { blob: spoiled }], { anchor: { block, header } })
  const { workers, workersReason, kernel } = verifier
  await verifier.dispose()
  await client.dispose()
  if (ofCell.status !== 'valid') throw new Error('the cell is ' + ofCell.status)
  return { workers, workersReason, kernel, warnings, statuses: verdicts.map(({ status }) => status) }
}

async function get(path) {
  const response = await fetch(chain.beacon + path, { headers: { accept: 'application/octet-stream' } })
  if (!response.ok) throw new Error(path + ': ' + response.status)
  return new Uint8Array(await response.arrayBuffer())
}
`
