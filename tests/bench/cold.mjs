// A process that measures a start: `node cold.mjs PEER FIRST_INPUTS`. From import to first verdict, on one blob (or, for
// those that verify no blobs, one cell), and the memory that it took.
import { argumentsOf, callOnce, readInputs } from './measuring.mjs'
import { peakKb } from './memory.mjs'
import { loadPeer } from './peers/index.mjs'

const [peer, path] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const inputs = readInputs(path)
const before = peakKb()

const cpu = process.cpuUsage()
const wall = performance.now()
const api = await loadPeer(peer)
const row = { op: api.verifyBlobKzgProof ? 'verifyBlobKzgProof' : 'verifyCellKzgProofBatch', n: 1 }
const args = await argumentsOf(peer, api, inputs, row)
await callOnce(peer, api, inputs, row, args)
const wallMs = performance.now() - wall
const { user, system } = process.cpuUsage(cpu)

const after = peakKb()
process.send({
  answer: { samples: [{ cpuMs: (user + system) / 1000, wallMs }], peakKb: after, addedKb: after - before },
})
