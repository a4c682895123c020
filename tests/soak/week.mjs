// A simulated week: a light client and a sampler follow a chain through every fault of its endpoints, a fork, and the sync committee periods, in
// virtual time, as fast as they can.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createVerifier } from '../../dist/index.js'
import { BeaconUnavailableError, LightClient } from '../../dist/light-client/index.js'
import { createSampler } from '../../dist/sampler/index.js'
import { MemoryMarks, megabytes } from './memory.mjs'
import { virtualTime } from './virtual-time.mjs'
import { phaseAt, planOf } from './week-plan.mjs'
import { WeekRecord } from './week-record.mjs'

/** How often memory is looked at in a whole run. */
const MARKS = 100

/**
 * Follows so many slots (a week of mainnet’s, if nothing else is said), for `minutes` at most, or until `signal` is aborted: what was seen, as rows of
 * a table, and what was wrong.
 */
export async function week({ slots, minutes = Infinity, isShort = false, seed = 1, signal, log }) {
  const plan = planOf({ slots, seed, isShort })
  const chain = await startChain(plan)
  const { urls, network, checkpoint, startSlot } = chain
  const slotAt = (ms) => Math.floor((ms / 1000 - network.genesisTime) / plan.secondsPerSlot)
  // Within a slot, and after its block has come.
  const startMs = (network.genesisTime + (startSlot + 0.4) * plan.secondsPerSlot) * 1000
  const time = virtualTime(startMs, (now) => chain.ask({ slot: slotAt(now) }))
  const { now, realNow } = time
  let [verifier, client] = [null, null]
  try {
    verifier = await createVerifier({ network })
    client = await LightClient.fromCheckpoint({ network, checkpoint, beacon: urls, now, verifier })
    const sampler = createSampler({ verifier, headers: client, beacon: urls, now })
    const record = new WeekRecord(plan, chain)
    const memory = new MemoryMarks()
    const [start, lastSlot] = [realNow(), startSlot + plan.slots]
    const seconds = () => (realNow() - start) / 1000
    const cpuBefore = process.cpuUsage()
    let [nextMark, told] = [startSlot, 0]
    // That a poll failed is what faults of endpoints do: what becomes of each slot is judged by itself.
    const onError = (error) => {
      if (!(error instanceof BeaconUnavailableError)) record.faults.push(error.message)
    }
    // In slots that take no time, nothing is over before it has been tried: the limits are those of requests.
    for await (const report of sampler.follow({ signal, onError, deadlineMs: 600_000 })) {
      record.add(report)
      await record.addFinalized(client.finalized, report.slot, (slot) => chain.ask({ rootAt: slot }))
      const { newest, faults } = record
      for (; told < faults.length; told++) log(`FAULT: ${faults[told]}`)
      if (newest >= nextMark) {
        nextMark = newest + Math.max(plan.slots / MARKS, 8)
        const { rss } = memory.mark()
        log(
          `${seconds().toFixed(0)} s: slot ${newest} of ${lastSlot}, final ${client.finalized.slot}, ` +
            `${megabytes(rss)} MB, “${phaseAt(newest, plan).name}”, ${faults.length} faults`,
        )
      }
      if (newest >= lastSlot || seconds() > 60 * minutes) break
    }
    const { disagreements, forcedUpdates } = client.report()
    if (disagreements.length + forcedUpdates > 0)
      record.faults.push('the light client found disagreements, or was forced')
    const { user, system } = process.cpuUsage(cpuBefore)
    const rows = record.rows(seconds(), (user + system) / 1000)
    const { faults: ofMemory, text } = memory.judge()
    return {
      name: 'a simulated week',
      faults: [...record.faults, ...ofMemory],
      rows: [
        ['verified on', `${verifier.kernel}, ${verifier.workers} workers`],
        ...rows,
        ['memory, third quarter → last quarter', text],
      ],
    }
  } finally {
    await client?.dispose()
    await verifier?.dispose()
    time.restore()
    chain.end()
  }
}

/** Starts the chain’s process: what it says first, and how to ask it. */
async function startChain(plan) {
  const child = fork(fileURLToPath(new URL('week-chain.mjs', import.meta.url)), [JSON.stringify(plan)], {
    serialization: 'advanced',
  })
  const waiting = new Map()
  let asked = 0
  const answerTo = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  child.on('message', ({ id, result }) => {
    waiting.get(id).resolve(result)
    waiting.delete(id)
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the chain’s process has ended'))
  })
  const first = await answerTo(0)
  return {
    ...first,
    ask(question) {
      const answer = answerTo(++asked)
      child.send({ id: asked, ...question })
      return answer
    },
    end: () => child.disconnect(),
  }
}
