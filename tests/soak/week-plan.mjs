// What happens in a simulated week, slot by slot, as the chain’s process and those who follow it both know it.

/** Slots of a week of mainnet. */
const WEEK = 7 * 7_200

/** The parameters of a run: a week of mainnet’s, or another number of slots with everything in proportion. */
export function planOf({ slots = WEEK, seed = 1, isShort = false }) {
  // In a short run slots are long: who has lied is asked last for an hour, and that is to be over when it is the culprit again.
  const scale = isShort
    ? {
        phaseSlots: 3,
        secondsPerSlot: 512,
        slotsPerEpoch: 8,
        epochsPerSyncCommitteePeriod: 4,
        syncCommitteeSize: 32,
      }
    : {
        phaseSlots: 128,
        secondsPerSlot: 12,
        slotsPerEpoch: 32,
        epochsPerSyncCommitteePeriod: 256,
        syncCommitteeSize: 512,
      }
  const { slotsPerEpoch } = scale
  const firstSlot = 2 * slotsPerEpoch
  // Epochs that are final are two before; so many slots there are before anybody follows.
  const lead = 4 * slotsPerEpoch
  // Once through all phases, and a little further: a run that is ended early has seen the fork, too.
  const beforeGloas = Math.min(slots / 3, (Object.keys(PHASES).length + 3) * scale.phaseSlots)
  const gloasForkEpoch = Math.ceil((firstSlot + lead + beforeGloas) / slotsPerEpoch)
  return { ...{ slots, seed, isShort, firstSlot, lead, gloasForkEpoch }, ...scale }
}

/** From 0 to below a bound, drawn for each slot from what is asked. */
function draw(slot, question, below) {
  let mixed = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(question + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % below
}

/** One slot in 25 has no block. */
export const isMissed = (slot) => draw(slot, 1, 25) === 0
/** Of those that have one, the blobs: one in four has none. */
export const blobsAt = (slot) => draw(slot, 2, 4)
/** From Gloas on, one payload in twenty is never revealed. */
export const isPayloadWithheld = (slot) => draw(slot, 3, 20) === 0

/** How many endpoints there are: the first is honest, but where all of them have a fault, and the others take turns at being the culprit. */
export const ENDPOINTS = 4

const fault = (kind, more = {}, rule = {}) => ({ fault: { kind, ...more }, ...rule })
const lying = (part) => ({ rules: [fault('corrupt', { part })], lies: true })
const one = (...rules) => ({ rules })

/**
 * The phases, one after the other, again and again. Where one endpoint has `rules`, the others are honest, so that everything must be as if
 * there were no faults. `everyone`: all do the same. `hides`: then blocks are not available. `mayFail`: then nothing may be known.
 */
export const PHASES = {
  'no fault': {},
  'false cells': lying('cell'),
  'status 503': one(fault('status', { code: 503 })),
  'lists without end': one(fault('oversized', { bytes: 1e6 })),
  'false proofs': lying('proof'),
  'bodies cut off': one(fault('truncate', { at: 0.5 })),
  'other content types': one(fault('content-type', { value: 'text/html' })),
  'false commitments': lying('commitment'),
  redirects: one(fault('redirect', { to: 'http://127.0.0.1:9/' })),
  'columns withheld': one(fault('withhold', { columns: 100 })),
  'false branches': lying('branch'),
  'blobs hidden': one(fault('hide-blobs')),
  'slow bodies': one(fault('drip', { bytes: 4_096, everyMs: 2 })),
  'false headers': lying('header'),
  'status 429': one(fault('status', { code: 429, retryAfterSeconds: 1 })),
  'late answers': one(fault('delay', { ms: 40 })),
  'false indices': lying('index'),
  'no answer': one(fault('delay', { ms: 60_000 }, { probability: 0.01 })),
  'light client alone fails': one(
    fault('status', { code: 500 }, { routes: ['finality_update', 'optimistic_update', 'updates'] }),
  ),
  'a few columns lost': { everyone: [fault('withhold', { columns: 8 })] },
  'data not available': { everyone: [fault('withhold', { columns: 100 })], hides: true },
  recovered: {},
  'half of all answers fail': {
    everyone: [fault('status', { code: 503 }, { probability: 0.5 })],
    mayFail: true,
  },
  'nobody there': { everyone: [fault('status', { code: 500 })], mayFail: true },
  'there again': {},
}

const names = Object.keys(PHASES)

/** The phase of a slot: its number since the start, its name, and which endpoint is the culprit. */
export function phaseAt(slot, { firstSlot, lead, phaseSlots }) {
  const number = Math.max(0, Math.floor((slot - firstSlot - lead) / phaseSlots))
  const name = names[number % names.length]
  return { number, name, culprit: 1 + (number % (ENDPOINTS - 1)), ...PHASES[name] }
}

/** The rules of each endpoint in a phase. */
export function rulesOf({ culprit, rules = [], everyone }) {
  return Array.from({ length: ENDPOINTS }, (_, at) => everyone ?? (at === culprit ? rules : []))
}

const isGloas = (slot, { gloasForkEpoch, slotsPerEpoch }) => slot >= gloasForkEpoch * slotsPerEpoch

/** What a slot must come to where nobody misbehaves, or an honest endpoint is left. */
export function truthOf(slot, plan) {
  if (isMissed(slot)) return 'no-block'
  if (blobsAt(slot) === 0) return 'no-blobs'
  return isGloas(slot, plan) && isPayloadWithheld(slot) ? 'payload-not-revealed' : 'available'
}

/** Slots within which one is asked about, once more included: the faults of that time count for it, too. */
export const ASKED_WITHIN = 8

/** All that a slot may come to in the end. */
export function allowedAt(slot, plan) {
  const truth = truthOf(slot, plan)
  const phases = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => phaseAt(from + at, plan))
  const own = phases(slot, slot + ASKED_WITHIN)
  const hasColumns = truth === 'available' || truth === 'payload-not-revealed'
  // What was hidden all the time must not be taken for available.
  if (truth === 'available' && own.every(({ hides }) => hides)) return new Set(['unavailable'])
  const allowed = [truth]
  if (own.some(({ hides }) => hides) && hasColumns) allowed.push('unknown')
  if (own.some(({ hides }) => hides) && truth === 'available') allowed.push('unavailable')
  if (own.some(({ mayFail }) => mayFail)) allowed.push('unknown', 'missed')
  // Who could not follow for a while, and some slots longer (no more than an epoch), learns of blocks by their descendants: before Gloas such a header does not say
  // whether there are blobs.
  const before = phases(slot - plan.slotsPerEpoch, slot)
  if (truth === 'no-blobs' && !isGloas(slot, plan) && before.some(({ mayFail }) => mayFail))
    allowed.push('unknown')
  return new Set(allowed)
}
