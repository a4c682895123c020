// Columns from fifty peers, three of whom lie: each honest one must be found valid, each false one refused, and the three named, and nobody else.
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVerifier, fromSource } from '../../dist/index.js'
import { seededRandom } from '../../dist/serve/random.js'
import { blockAt, COLUMNS, LIES, proveBlobs } from './gossip-data.mjs'
import { MemoryMarks, megabytes } from './memory.mjs'

const SLOT_MS = 12_000
/** Within which a slot’s columns come, as attestations are due then. */
const SPREAD_MS = 4_000
/** Of all messages: duplicates, and what is false. */
const [DUPLICATES, FALSE] = [0.2, 0.05]
/** Messages without a verdict beyond which nothing more is sent, in real time: 300 MB. */
const MOST_WAITING = 2_000

/**
 * Sends columns of `blobs` blobs each until `minutes` or `slots` have gone by, as fast as verdicts come, with `inFlight` messages under way; in
 * `realTime` a slot takes 12 s, and a message’s time to its verdict counts from when it was due. What was seen, as rows of a table, and what was wrong.
 */
export async function gossip(options) {
  const { minutes = Infinity, slots = Infinity, realTime = false, seed = 1 } = options
  const { blobs = 72, peers = 50, liars = 3, inFlight = 32, open = createVerifier, log } = options
  const random = seededRandom(seed)
  log(`proving ${blobs} blobs`)
  const made = await proveBlobs(blobs)
  const verifier = await open({ network: made.network })
  const names = Array.from({ length: peers }, (_, at) => `peer ${at}`)
  const lying = names.slice(0, liars)
  const seen = { sidecars: 0, cells: 0, bytes: 0, duplicates: 0, lies: new Map(), slots: 0, late: 0 }
  const named = new Set()
  const faults = []
  const times = createHistogram()
  const memory = new MemoryMarks()
  const start = performance.now()
  let latestMark = 0

  const deliver = async ({ block, index, peer, lie, row, isAgain }, dueAt) => {
    const bytes = block.column(index)
    if (lie !== null) LIES[lie].tell(bytes, blobs, row, block.column((index + 1) % COLUMNS))
    const began = dueAt ?? performance.now()
    const verdicts = await verifier.verifyDataColumnSidecars([fromSource(bytes, peer)], {
      anchor: { header: block.header },
    })
    times.record(Math.max(1, Math.round(1000 * (performance.now() - began))))
    const [{ status, reason, sources = [] }] = verdicts
    seen.sidecars++
    seen.cells += blobs
    seen.bytes += bytes.length
    seen.duplicates += Number(isAgain)
    if (lie !== null) seen.lies.set(lie, (seen.lies.get(lie) ?? 0) + 1)
    if (status !== 'valid') for (const source of sources) named.add(source)
    const wanted = lie === null ? 'valid' : LIES[lie].status
    const isNamed = lie === null || sources.includes(peer)
    if (verdicts.length !== 1 || status !== wanted || !isNamed)
      faults.push(`${lie ?? 'an honest column'} of ${peer}: ${status} (${reason ?? '-'}), named ${sources}`)
  }

  const mark = () => {
    const { rss } = memory.mark()
    const seconds = (performance.now() - start) / 1000
    const rate = (seen.sidecars / seconds).toFixed(0)
    log(
      `${seconds.toFixed(0)} s: ${seen.slots} slots, ${seen.sidecars} columns (${rate} a second), ` +
        `p50 ${ms(times, 50)}, p99 ${ms(times, 99)}, ${megabytes(rss)} MB, ${faults.length} faults`,
    )
  }

  const source = messages({ made, random, names, lying })
  /** The next message, or null at the end. A mark is made between slots, 5 s apart at least, in runs of few slots after each. */
  const next = () => {
    const seconds = (performance.now() - start) / 1000
    const { value } = source.next()
    if (value.number > seen.slots) {
      seen.slots = value.number
      if (slots < 50 || seconds - latestMark > 5) {
        latestMark = seconds
        mark()
      }
      if (value.number >= slots || seconds > 60 * minutes) return null
    }
    return value
  }

  if (realTime) {
    const under = new Set()
    for (let message = next(); message !== null; message = next()) {
      const dueAt = start + message.number * SLOT_MS + message.at
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (under.size >= MOST_WAITING) {
        seen.late++
        await Promise.race(under)
      }
      const delivered = deliver(message, dueAt).finally(() => under.delete(delivered))
      under.add(delivered)
    }
    await Promise.all(under)
  } else {
    let isOver = false
    const send = async () => {
      for (let message = next(); message !== null && !isOver; message = next()) await deliver(message)
      isOver = true
    }
    await Promise.all(Array.from({ length: inFlight }, send))
  }

  const seconds = (performance.now() - start) / 1000
  const stats = verifier.stats()
  const { kernel, workers } = verifier
  await verifier.dispose()
  const { faults: memoryFaults, text } = memory.judge()
  faults.push(...memoryFaults)
  for (const peer of named) if (!lying.includes(peer)) faults.push(`${peer} was named, and did not lie`)
  for (const peer of lying) if (!named.has(peer)) faults.push(`${peer} lied, and was not named`)
  if (stats.crashes + stats.errors > 0) faults.push(`${stats.crashes} workers crashed`)
  const lies = [...seen.lies.values()].reduce((sum, count) => sum + count, 0)
  const count = (value) => value.toLocaleString('en')
  return {
    name: `gossip, ${realTime ? 'in real time' : `as fast as it goes, ${inFlight} columns at a time`}`,
    faults,
    rows: [
      ['verified on', `${kernel}, ${workers} workers`],
      ['time', `${seconds.toFixed(0)} s, ${seen.slots} slots`],
      [
        'columns',
        `${count(seen.sidecars)} of ${blobs} cells (${count(seen.cells)} cells, ${count(megabytes(seen.bytes))} MB), of ${peers} peers`,
      ],
      [
        'of these duplicates',
        `${count(seen.duplicates)}: ${count(stats.cacheHits)} known from memory, ${count(stats.duplicates)} shared a verification or a refusal`,
      ],
      ['of these false', `${count(lies)}, in ${seen.lies.size} ways, of ${liars} peers`],
      [
        'honest columns refused, false ones passed, peers wrongly named or missed',
        count(faults.length - memoryFaults.length),
      ],
      [
        'throughput',
        `${(seen.sidecars / seconds).toFixed(0)} columns a second, ${count(Math.round(seen.cells / seconds))} cells a second`,
      ],
      [
        'time to a verdict, p50 / p99 / p99.9 / most',
        [50, 99, 99.9, 100].map((part) => ms(times, part)).join(' / '),
      ],
      ['memory, second third → last third', text],
      ...(realTime ? [['messages that had to wait for others', count(seen.late)]] : []),
    ],
  }
}

const ms = (times, percentile) =>
  `${(times.percentile(percentile) / 1000).toFixed(percentile < 99 ? 1 : 0)} ms`

/**
 * All messages, in the order in which they come: each of the 128 columns of a slot once, of anyone; a fifth of all again, later, of somebody
 * else, some of them in the next slot; and a twentieth that is false, of those who lie, who repeat each other, too.
 */
function* messages({ made, random, names, lying }) {
  const of = (list) => list[Math.floor(random() * list.length)]
  const honest = 1 - DUPLICATES - FALSE
  const kinds = Object.keys(LIES)
  let carried = []
  for (let number = 0, owed = 0, told = 0; ; number++) {
    const block = blockAt(made.firstSlot + number, made, random)
    const at = () => random() * SPREAD_MS
    const common = { block, row: 0, isAgain: false }
    const own = Array.from({ length: COLUMNS }, (_, index) => ({
      ...{ ...common, index, peer: of(names), at: at(), lie: null },
    }))
    for (owed += (COLUMNS * FALSE) / honest; owed >= 1; owed--)
      own.push({
        ...{
          ...common,
          index: Math.floor(random() * COLUMNS),
          row: Math.floor(random() * made.commitments.length),
        },
        ...{ peer: lying[told % lying.length], at: at(), lie: kinds[told++ % kinds.length] },
      })
    const again = Array.from({ length: Math.round((COLUMNS * DUPLICATES) / honest) }, () => {
      const first = of(own)
      const from = first.lie === null ? names : lying
      const peer = of(from.filter((name) => name !== first.peer))
      return { ...first, peer, isAgain: true, at: first.at + 500 + random() * (SLOT_MS - 500) }
    })
    const all = [...carried, ...own, ...again].sort((a, b) => a.at - b.at)
    carried = all
      .filter((message) => message.at >= SLOT_MS)
      .map((late) => ({ ...late, at: late.at - SLOT_MS }))
    for (const message of all) if (message.at < SLOT_MS) yield { ...message, number }
  }
}
