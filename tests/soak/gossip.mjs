// Columns from fifty peers, three of whom lie: each honest one must be found valid, each false one refused, and the three named, and nobody else.
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVerifier, fromSource } from '../../dist/index.js'
import { seededRandom } from '../../dist/serve/random.js'
import { COLUMNS, LIES, proveBlobs } from './gossip-data.mjs'
import { messages, SLOT_MS } from './gossip-messages.mjs'
import { MemoryMarks, megabytes } from './memory.mjs'

/** Messages without a verdict beyond which nothing more is sent in real time: 300 MB. */
const MOST_WAITING = 2_000
/** Seconds between two marks, in runs of many slots. */
const MARK_EVERY = 5

/**
 * Sends columns of `blobs` blobs each until `minutes` or `slots` have gone by, or `signal` is aborted: as fast as verdicts come, with `inFlight`
 * messages under way; or in `realTime`, where a slot takes 12 s, and a message’s time to its verdict counts from when it was due. What was seen, as
 * rows of a table, and what was wrong. `open` makes the verifier.
 */
export async function gossip(options) {
  const { minutes = Infinity, slots = Infinity, realTime = false, seed = 1, signal, log } = options
  const { blobs = 72, peers = 50, liars = 3, inFlight = 32, open = createVerifier } = options
  log(`proving ${blobs} blobs`)
  const made = await proveBlobs(blobs)
  const names = Array.from({ length: peers }, (_, at) => `peer ${at}`)
  const lying = names.slice(0, liars)
  const verifier = await open({ network: made.network })
  const record = new GossipRecord(lying)
  const memory = new MemoryMarks()
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const cpuBefore = process.cpuUsage()

  const deliver = async (message, began) => {
    const { block, index, peer, lie, row } = message
    const bytes = block.column(index)
    if (lie !== null) LIES[lie].tell(bytes, blobs, row, block.column((index + 1) % COLUMNS))
    began ??= performance.now()
    const verdicts = await verifier.verifyDataColumnSidecars([fromSource(bytes, peer)], {
      anchor: { header: block.header },
    })
    record.add(message, verdicts, bytes.length, performance.now() - began)
  }

  const source = messages({ made, random: seededRandom(seed), names, lying })
  let [latest, markedAt, isOver] = [0, 0, false]
  /** The next message, or null at the end. Memory is looked at between two slots. */
  const next = () => {
    if (isOver) return null
    const { value } = source.next()
    if (value.number > latest) {
      latest = value.number
      if (slots < 50 || seconds() - markedAt > MARK_EVERY) {
        markedAt = seconds()
        const { rss } = memory.mark()
        log(`${markedAt.toFixed(0)} s: ${latest} slots, ${record.words(markedAt)}, ${megabytes(rss)} MB`)
      }
      isOver = latest >= slots || seconds() > 60 * minutes
    }
    isOver ||= signal?.aborted === true
    return isOver ? null : value
  }

  const send = realTime ? sendInTime : sendAtOnce
  const waits = await send({ next, deliver, inFlight, start })
  const took = seconds()
  const { user, system } = process.cpuUsage(cpuBefore)
  const { faults: ofMemory, text } = memory.judge()
  const stats = verifier.stats()
  const { kernel, workers } = verifier
  await verifier.dispose()
  return {
    name: `gossip, ${realTime ? 'in real time' : `as fast as it goes, ${inFlight} columns at a time`}`,
    faults: [...record.end(stats), ...ofMemory],
    rows: [
      ['verified on', `${kernel}, ${workers} workers`],
      ['time', `${took.toFixed(0)} s, ${latest} slots`],
      ...record.rows(stats, { took, blobs, peers, liars, cpuMs: (user + system) / 1000 }),
      ...(realTime ? [['messages that waited, since 2,000 were under way', count(waits)]] : []),
      ['memory, third quarter → last quarter', text],
    ],
  }
}

/** So many at a time, each when another has its verdict. */
async function sendAtOnce({ next, deliver, inFlight }) {
  const send = async () => {
    for (let message = next(); message !== null; message = next()) await deliver(message)
  }
  await Promise.all(Array.from({ length: inFlight }, send))
  return 0
}

/** Each when it is due; how many were not sent then, since there were too many without a verdict. */
async function sendInTime({ next, deliver, start }) {
  const underWay = new Set()
  let waits = 0
  for (let message = next(); message !== null; message = next()) {
    const dueAt = start + message.number * SLOT_MS + message.at
    await sleep(Math.max(0, dueAt - performance.now()))
    if (underWay.size >= MOST_WAITING) {
      waits++
      await Promise.race(underWay)
    }
    const delivered = deliver(message, dueAt).finally(() => underWay.delete(delivered))
    underWay.add(delivered)
  }
  await Promise.all(underWay)
  return waits
}

/** What became of messages, and what is wrong with it. Its size does not grow with them. */
class GossipRecord {
  #faults = []
  #lying
  #named = new Set()
  /** Microseconds. */
  #times = createHistogram()
  #lies = new Map()
  #seen = { columns: 0, bytes: 0, again: 0, false: 0 }

  constructor(lying) {
    this.#lying = lying
  }

  add({ peer, lie, isAgain }, verdicts, bytes, ms) {
    this.#times.record(Math.max(1, Math.round(1000 * ms)))
    const [{ status, reason, sources = [] }] = verdicts
    this.#seen.columns++
    this.#seen.bytes += bytes
    if (isAgain) this.#seen.again++
    if (lie !== null) {
      this.#seen.false++
      this.#lies.set(lie, (this.#lies.get(lie) ?? 0) + 1)
    }
    if (status !== 'valid') for (const source of sources) this.#named.add(source)
    const isRight = lie === null ? status === 'valid' : status === LIES[lie].status && sources.includes(peer)
    if (verdicts.length !== 1 || !isRight)
      this.#faults.push(
        `${lie ?? 'an honest column'} of ${peer}: ${status} (${reason ?? '-'}), named ${sources}`,
      )
  }

  words(seconds) {
    const rate = (this.#seen.columns / seconds).toFixed(0)
    const [p50, p99] = [50, 99].map((part) => this.#ms(part))
    return `${count(this.#seen.columns)} columns (${rate} a second), p50 ${p50}, p99 ${p99}, ${this.#faults.length} faults`
  }

  /** All that is wrong, now that nothing more comes. */
  end({ crashes, errors }) {
    const [named, lying] = [this.#named, this.#lying]
    for (const peer of named)
      if (!lying.includes(peer)) this.#faults.push(`${peer} was named, and did not lie`)
    for (const peer of lying) if (!named.has(peer)) this.#faults.push(`${peer} lied, and was not named`)
    if (crashes + errors > 0) this.#faults.push(`${crashes} workers crashed, ${errors} verdicts are errors`)
    return this.#faults
  }

  rows({ cacheHits, duplicates }, { took, blobs, peers, liars, cpuMs }) {
    const { columns, bytes, again, false: lies } = this.#seen
    const perSecond = (value) => count(Math.round(value / took))
    return [
      [
        'columns',
        `${count(columns)} of ${blobs} cells (${count(columns * blobs)} cells, ${count(megabytes(bytes))} MB), of ${peers} peers`,
      ],
      [
        'of these, sent before',
        `${count(again)}; ${count(cacheHits)} were known from memory, ${count(duplicates)} shared a verification or a refusal`,
      ],
      ['of these, false', `${count(lies)}, in ${this.#lies.size} ways, of ${liars} peers`],
      ['honest columns refused, false ones passed, wrong names', count(this.#faults.length)],
      ['throughput', `${perSecond(columns)} columns, ${perSecond(columns * blobs)} cells a second`],
      ['CPU time, all threads', `${(cpuMs / columns).toFixed(1)} ms a column`],
      [
        'time to a verdict: p50, p99, p99.9, most',
        [50, 99, 99.9, 100].map((part) => this.#ms(part)).join(', '),
      ],
    ]
  }

  #ms(part) {
    return `${(this.#times.percentile(part) / 1000).toFixed(part < 99 ? 1 : 0)} ms`
  }
}

const count = (value) => value.toLocaleString('en')
