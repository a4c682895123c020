// What came of a simulated week: each slot's outcome, held against what it may be, who was accused, what was final; and what is wrong with it.
import { allowedAt, ASKED_WITHIN, phaseAt, PHASES, truthOf } from './week-plan.mjs'

/** Slots after which nothing more comes of one: reorganisations and payloads are told of within. */
const SETTLED = 64
/** Epochs that the finalized header may be behind: two are, and the third is under way. */
const MOST_EPOCHS_BEHIND = 4

/** The phases in which somebody lies: one for each kind of lie. */
const LIES = Object.keys(PHASES).filter((name) => PHASES[name].lies)

export class WeekRecord {
  faults = []
  /** The newest slot that was told of. */
  newest
  #plan
  #urls
  #startSlot
  #first = null
  #again = 0
  /** What slots came to, of those of which something may yet come; the first of them. */
  #outcomes = new Map()
  #oldest = 0
  #counts = {}
  #caught = new Set()
  #finalized = null
  #finalizedChanges = 0

  /** Of who follows a chain from a slot on, by endpoints with these URLs. */
  constructor(plan, { urls, startSlot }) {
    this.#plan = plan
    this.#urls = urls
    this.#startSlot = startSlot
    this.newest = startSlot
  }

  /** Takes down a report of `Sampler.follow`. */
  add({ slot: from, lastSlot, outcome, again, report }) {
    if (this.#first === null) this.#first = this.#oldest = from
    for (let slot = from; slot <= lastSlot; slot++) {
      if (again) this.#again++
      else if (slot > this.newest + 1 && slot > this.#first)
        this.faults.push(`slot ${this.newest + 1} was passed over`)
      this.#outcomes.set(slot, outcome)
      this.newest = Math.max(this.newest, slot)
    }
    for (const { endpoint, refused } of report?.endpoints ?? [])
      if (refused.length > 0) this.#accuse(from, endpoint)
    if (report?.verdict === 'available') {
      const { header, kzg, inclusion } = report.links
      if ([header, kzg, inclusion].some((link) => link !== 'verified'))
        this.faults.push(`slot ${from}: available, with links ${JSON.stringify(report.links)}`)
    }
    this.#settleUpTo(this.newest - SETTLED)
  }

  /** Takes down the newest final header, of which `rootAt` tells the root that the chain has in its slot. */
  async addFinalized(header, slot, rootAt) {
    const plan = this.#plan
    const [present, own] = [slot, header.slot].map((at) => Math.floor(at / plan.slotsPerEpoch))
    // Where nobody was there, a light client asks more and more seldom.
    const mayBeLate = [0, 64, 128].some((ago) => phaseAt(slot - ago, plan).mayFail)
    if (present - own > MOST_EPOCHS_BEHIND && !mayBeLate)
      this.faults.push(`slot ${slot}: finality is ${present - own} epochs behind`)
    const before = this.#finalized
    if (header === before) return
    this.#finalized = header
    this.#finalizedChanges++
    if (before !== null && header.slot < before.slot)
      this.faults.push(`finality went back from ${before.slot} to ${header.slot}`)
    if ((await rootAt(header.slot)) !== header.root)
      this.faults.push(`slot ${header.slot} is final with another root`)
    // No committee signed the checkpoint before anybody's eyes: the first header is that.
    if (before !== null && Object.values(header.links).some((link) => link !== 'verified'))
      this.faults.push(`the header of slot ${header.slot} has links ${JSON.stringify(header.links)}`)
  }

  /** The end: what was seen, as rows of a table. `cpuMs` is what it took of all threads, without the chain’s process. */
  rows(seconds, cpuMs) {
    const { newest } = this
    const plan = this.#plan
    this.#settleUpTo(newest - ASKED_WITHIN)
    const kinds = Object.keys(PHASES).length
    const phases = phaseAt(newest, plan).number + 1
    // Short phases may be over before a column of the culprit's was drawn.
    if (phases > kinds && this.#caught.size < (plan.isShort ? 1 : LIES.length))
      this.faults.push(`of all lies only these were found: ${[...this.#caught]}`)
    const slots = newest - this.#startSlot
    const outcomes = Object.entries(this.#counts).map(([outcome, many]) => `${count(many)} ${outcome}`)
    const gloasSlot = plan.gloasForkEpoch * plan.slotsPerEpoch
    const periodOf = (slot) => Math.floor(slot / (plan.slotsPerEpoch * plan.epochsPerSyncCommitteePeriod))
    return [
      [
        'slots followed',
        `${count(slots)} (${((slots * plan.secondsPerSlot) / 86_400).toFixed(1)} days) in ${count(Math.round(seconds))} s`,
      ],
      ['CPU time, all threads', `${(cpuMs / slots).toFixed(1)} ms a slot`],
      ['what they came to', `${outcomes.join(', ')}; ${count(this.#again)} were told of again`],
      ['outcomes that are not so, slots passed over, endpoints wrongly accused', count(this.faults.length)],
      ['fork', newest >= gloasSlot ? `into Gloas at slot ${count(gloasSlot)}` : 'not reached'],
      ['sync committee periods', `${count(periodOf(newest) - periodOf(this.#startSlot))} changes`],
      [
        'finality',
        `moved ${count(this.#finalizedChanges)} times, the roots are the chain’s; at slot ${count(newest)} it was ${count(this.#finalized?.slot ?? 0)}`,
      ],
      ['phases', `${count(phases)}, of ${kinds} kinds`],
      [
        'false columns',
        `refused in ${this.#caught.size} of ${LIES.length} kinds of lies, each of who told it`,
      ],
    ]
  }

  #accuse(slot, endpoint) {
    const who = this.#urls.indexOf(endpoint)
    const lie = Array.from({ length: ASKED_WITHIN }, (_, at) => phaseAt(slot + at, this.#plan)).find(
      ({ lies, culprit }) => lies && culprit === who,
    )
    if (lie === undefined) this.faults.push(`slot ${slot}: ${endpoint} was accused, and did not lie`)
    else this.#caught.add(lie.name)
  }

  #settleUpTo(end) {
    for (; this.#oldest <= end; this.#oldest++) {
      const slot = this.#oldest
      const outcome = this.#outcomes.get(slot) ?? 'not told of'
      this.#outcomes.delete(slot)
      this.#counts[outcome] = (this.#counts[outcome] ?? 0) + 1
      const { name } = phaseAt(slot, this.#plan)
      if (!allowedAt(slot, this.#plan).has(outcome))
        this.faults.push(`slot ${slot}, “${name}”: ${outcome}, where it is ${truthOf(slot, this.#plan)}`)
    }
  }
}

const count = (value) => value.toLocaleString('en')
