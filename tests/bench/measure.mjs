// A process that measures one implementation, asked by its parent over IPC: `node measure.mjs PEER`.
import { argumentsOf, callOnce, readInputs } from './measuring.mjs'
import { peakKb } from './memory.mjs'
import { loadPeer } from './peers/index.mjs'

const peer = process.argv[2]
let api
let inputs

const tasks = {
  /** Loads the implementation; which operations it has. */
  async load() {
    const began = performance.now()
    api = await loadPeer(peer)
    return {
      loadMs: performance.now() - began,
      has: Object.keys(api).filter((op) => typeof api[op] === 'function'),
    }
  },
  read({ path }) {
    inputs = readInputs(path)
  },
  peak: () => ({ peakKb: peakKb() }),
  /** Calls an operation until `forMs` have passed, or `calls` times. The samples, in order. */
  async run({ row, forMs, calls }) {
    const args = await argumentsOf(peer, api, inputs, row)
    globalThis.gc?.()
    const samples = []
    const began = performance.now()
    do samples.push(await callOnce(peer, api, inputs, row, args))
    while (samples.length < calls && performance.now() - began < forMs)
    return { samples }
  },
}

process.on('message', async ({ task, ...request }) => {
  try {
    process.send({ answer: (await tasks[task](request)) ?? null })
  } catch (error) {
    process.send({ failure: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
