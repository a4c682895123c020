// The chain of the simulated week and its endpoints, in a process of their own: their time and memory are not those of who follows it.
import { makeChain } from '../../dist/serve/index.js'
import { serveBeacon } from '../../dist/serve/node.js'
import { blobsAt, ENDPOINTS, isMissed, isPayloadWithheld, phaseAt, rulesOf } from './week-plan.mjs'

const plan = JSON.parse(process.argv[2])
const { firstSlot, lead, gloasForkEpoch, secondsPerSlot, slotsPerEpoch, seed } = plan
const { epochsPerSyncCommitteePeriod, syncCommitteeSize } = plan
const chain = await makeChain({
  ...{ slots: lead, firstSlot, gloasForkEpoch, secondsPerSlot, slotsPerEpoch, seed },
  ...{ epochsPerSyncCommitteePeriod, syncCommitteeSize, isMissed, isPayloadWithheld },
  blobsPerBlock: blobsAt,
  clock: 'by-hand',
  signHeaders: false,
})
const faults = Array.from({ length: ENDPOINTS }, (_, at) => ({ seed: at + 1, rules: [] }))
const servers = await Promise.all(faults.map((own) => serveBeacon({ chain, faults: own })))

// The slot that it is, and the faults of its phase; the root of a block.
process.on('message', ({ id, slot, rootAt }) => {
  let result = null
  if (slot !== undefined) {
    const rules = rulesOf(phaseAt(slot, plan))
    let now = Math.floor((chain.now() / 1000 - chain.network.genesisTime) / secondsPerSlot)
    for (; now < slot; now++) chain.advance()
    faults.forEach((own, at) => (own.rules = rules[at]))
  } else result = chain.at(rootAt)?.root ?? null
  process.send({ id, result })
})
process.once('disconnect', () => process.exit())
// The first message, which nobody has to ask for.
const result = {
  urls: servers.map(({ url }) => url),
  network: chain.network,
  checkpoint: chain.checkpoint,
  startSlot: firstSlot + lead - 1,
}
process.send({ id: 0, result })
