// A simulated week: a light client and a sampler follow a chain through every fault of its endpoints, a fork, and the sync committee periods, in
// virtual time, as fast as they can.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createVerifier } from '../../dist/index.js'
import { LightClient } from '../../dist/light-client/index.js'
import { createSampler } from '../../dist/sampler/index.js'
import { MemoryMarks, megabytes } from './memory.mjs'
import { virtualTime } from './virtual-time.mjs'
import { allowedAt, ASKED_WITHIN, phaseAt, PHASES, planOf, truthOf } from './week-plan.mjs'

/** Slots after which nothing more comes of one: reorganisations and payloads are told of within. */
const SETTLED = 64
/** Epochs that the finalized header may be behind: two are, and the third is under way. */
const MOST_EPOCHS_BEHIND = 4

/** Follows so many slots (a week of mainnet's, if nothing else is said), for `minutes` at most. What was seen, as rows of a table, and what was wrong. */
export async function week({ slots, minutes = Infinity, isShort = false, seed = 1, log }) {
  const plan = planOf({ ...(slots !== undefined && { slots }), seed, isShort })
  const chain = await startChain(plan)
  const { urls, network, checkpoint, startSlot } = chain
  const time = virtualTime(
    (network.genesisTime + (startSlot + 0.4) * plan.secondsPerSlot) * 1000,
    async (now) => chain.ask({ slot: Math.floor((now / 1000 - network.genesisTime) / plan.secondsPerSlot) }),
  )
  let [verifier, client] = [null, null]
  try {
    verifier = await createVerifier({ network })
    client = await LightClient.fromCheckpoint({ network, checkpoint, beacon: urls, now: time.now, verifier })
    return await follow({ plan, chain, time, verifier, client, minutes, log })
  } finally {
    await client?.dispose()
    await verifier?.dispose()
    time.restore()
    chain.end()
  }
}

async function follow({ plan, chain, time, verifier, client, minutes, log }) {
  const { urls, startSlot } = chain
  const sampler = createSampler({ verifier, headers: client, beacon: urls, now: time.now })
  const stop = new AbortController()
  const faults = []
  const memory = new MemoryMarks()
  const start = time.realNow()
  const lastSlot = startSlot + plan.slots
  /** What slots came to, of those that are not settled. */
  const outcomes = new Map()
  const counts = {}
  const caught = new Map()
  let [first, newest, settledTo, settled, again, finalized, finalizedChanges] = [
    null,
    startSlot,
    0,
    0,
    0,
    null,
    0,
  ]
  const markEvery = Math.max(Math.floor(plan.slots / 60), 16)
  let nextMark = startSlot + markEvery

  const settle = (slot) => {
    const outcome = outcomes.get(slot)
    outcomes.delete(slot)
    settled++
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (!allowedAt(slot, plan).has(outcome))
      faults.push(
        `slot ${slot}, ${truthOf(slot, plan)}, in phase “${phaseAt(slot, plan).name}”: ${outcome ?? 'not told of'}`,
      )
  }

  const checkFinality = async (slot) => {
    const header = client.finalized
    const isLate = [0, 64, 128].some((ago) => phaseAt(slot - ago, plan).mayFail)
    const behind = Math.floor(slot / plan.slotsPerEpoch) - Math.floor(header.slot / plan.slotsPerEpoch)
    if (behind > MOST_EPOCHS_BEHIND && !isLate)
      faults.push(`slot ${slot}: finality is ${behind} epochs behind`)
    if (header === finalized) return
    if (finalized !== null && header.slot < finalized.slot)
      faults.push(`finality went back to ${header.slot}`)
    finalized = header
    finalizedChanges++
    const root = await chain.ask({ rootAt: header.slot })
    if (root !== header.root) faults.push(`slot ${header.slot} is final with another root`)
    if (
      Object.entries(header.links).some(([, link]) => link !== 'verified') &&
      header.root !== chain.checkpoint
    )
      faults.push(`the header of slot ${header.slot} is not verified: ${JSON.stringify(header.links)}`)
  }

  const following = sampler.follow({
    signal: stop.signal,
    deadlineMs: 600_000,
    onError: (error) => faults.push(error.message),
  })
  for await (const one of following) {
    first ??= one.slot
    for (let slot = one.slot; slot <= one.lastSlot; slot++) {
      if (one.again) again++
      else if (slot > newest + 1 && slot > first) faults.push(`slot ${newest + 1} was passed over`)
      outcomes.set(slot, one.outcome)
      newest = Math.max(newest, slot)
    }
    for (const { endpoint, refused } of one.report?.endpoints ?? []) {
      if (refused.length === 0) continue
      const number = urls.indexOf(endpoint)
      const lying = Array.from({ length: 10 }, (_, at) => phaseAt(one.slot + at, plan)).filter(
        ({ lies, culprit }) => lies && culprit === number,
      )
      if (lying.length === 0) faults.push(`slot ${one.slot}: ${endpoint} was accused, and did not lie`)
      for (const { name } of lying.slice(0, 1)) caught.set(name, (caught.get(name) ?? 0) + refused.length)
    }
    if (one.report?.verdict === 'available') {
      const { header, kzg, inclusion } = one.report.links
      if (header !== 'verified' || kzg !== 'verified' || inclusion !== 'verified')
        faults.push(`slot ${one.slot}: available, with links ${JSON.stringify(one.report.links)}`)
    }
    settledTo ||= first
    while (settledTo < newest - SETTLED) settle(settledTo++)
    await checkFinality(one.slot)
    const seconds = (time.realNow() - start) / 1000
    if (newest >= nextMark) {
      nextMark += markEvery
      const { rss } = memory.mark()
      const { name } = phaseAt(newest, plan)
      log(
        `${seconds.toFixed(0)} s: slot ${newest} of ${lastSlot}, final ${client.finalized.slot}, ` +
          `${megabytes(rss)} MB, “${name}”, ${faults.length} faults`,
      )
    }
    if (newest >= lastSlot || seconds > 60 * minutes) break
  }
  // Of the last ones something may yet come.
  while (settledTo <= newest - ASKED_WITHIN) settle(settledTo++)
  const { disagreements, forcedUpdates, endpoints } = client.report()
  if (disagreements.length + forcedUpdates > 0)
    faults.push('the light client found disagreements, or was forced')
  const slotsSeen = newest - startSlot
  const seconds = (time.realNow() - start) / 1000
  const { faults: memoryFaults, text } = memory.judge()
  faults.push(...memoryFaults)
  const liesTold = Object.keys(PHASES).filter((name) => PHASES[name].lies)
  const isWholeCycle = phaseAt(newest, plan).number >= Object.keys(PHASES).length
  if (isWholeCycle && caught.size < (plan.isShort ? 1 : liesTold.length))
    faults.push(`of all lies only these were found: ${[...caught.keys()]}`)
  const gloasSlot = plan.gloasForkEpoch * plan.slotsPerEpoch
  const slotsPerPeriod = plan.slotsPerEpoch * plan.epochsPerSyncCommitteePeriod
  const periods = Math.floor(newest / slotsPerPeriod) - Math.floor(startSlot / slotsPerPeriod)
  const count = (value) => value.toLocaleString('en')
  const outcomesText = Object.entries(counts).map(([outcome, many]) => `${count(many)} ${outcome}`)
  const { requests } = endpoints.reduce((sum, one) => ({ requests: sum.requests + one.requests }), {
    requests: 0,
  })
  return {
    name: 'a simulated week',
    faults,
    seen: {
      settled,
      counts,
      caught: [...caught.keys()],
      finalizedChanges,
      periods,
      isGloas: newest >= gloasSlot,
    },
    rows: [
      ['verified on', `${verifier.kernel}, ${verifier.workers} workers`],
      [
        'slots followed',
        `${count(slotsSeen)} (${((slotsSeen * plan.secondsPerSlot) / 86_400).toFixed(1)} days) in ${seconds.toFixed(0)} s`,
      ],
      ['what they came to', `${outcomesText.join(', ')}; ${count(again)} were told of again`],
      [
        'outcomes that are not so, slots passed over, endpoints wrongly accused',
        count(faults.length - memoryFaults.length),
      ],
      [
        'fork, sync committee periods',
        `${newest >= gloasSlot ? `into Gloas at slot ${gloasSlot}` : 'none'}, ${periods}`,
      ],
      [
        'finality',
        `moved ${count(finalizedChanges)} times, the roots are the chain’s; at the end slot ${client.finalized.slot} of ${newest}`,
      ],
      ['phases', `${count(phaseAt(newest, plan).number + 1)}, of ${Object.keys(PHASES).length} kinds`],
      ['false columns', `refused in ${caught.size} of ${liesTold.length} kinds of lies, each of who told it`],
      ['requests of the light client', count(requests)],
      ['memory, second third → last third', text],
    ],
  }
}

/** Starts the chain’s process: what it says first, and how to ask it. */
async function startChain(plan) {
  const child = fork(fileURLToPath(new URL('week-chain.mjs', import.meta.url)), [JSON.stringify(plan)], {
    serialization: 'advanced',
  })
  const waiting = new Map()
  let ids = 0
  let told
  const ready = new Promise((resolve, reject) => {
    told = resolve
    child.once('exit', () => reject(new Error('the chain’s process has ended')))
  })
  child.on('message', ({ id, result, ...first }) => {
    if (id === undefined) return told(first)
    waiting.get(id)(result)
    waiting.delete(id)
  })
  const ask = (question) =>
    new Promise((resolve) => {
      waiting.set(++ids, resolve)
      child.send({ id: ids, ...question })
    })
  return { ...(await ready), ask, end: () => child.disconnect() }
}
