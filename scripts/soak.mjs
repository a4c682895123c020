// `npm run soak -- --minutes N [gossip] [week]`: columns of ten times mainnet’s blobs from fifty peers, of whom three lie, for N minutes; and a simulated
// week of following a chain. Prints what it sees, and a table at the end, which Ctrl+C brings nearer. Exit code 1: something did not hold, and is named.
// It sets up what is missing first.
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../tests/bench/markdown.mjs'
import { countOf, numberOf } from './numbers.mjs'
import { root, setUpAllOrExit } from './setup.mjs'

const USAGE = `npm run soak -- --minutes N [gossip] [week]
  --minutes N      how long gossip runs
  --real-time      a slot of gossip takes 12 s; else columns come as fast as verdicts do
  --slots N        how many slots of gossip there are at most
  --blobs N        how many blobs a slot of gossip has; default 72
  --week-slots N   how many slots are followed; default 50400, a week of mainnet’s
  --week-minutes N how long they are followed at most
  --short          follows a small chain on which everything comes sooner
  --seed N         default 1
  --no-setup       runs what is built already`

const options = read()
if (options === null) process.exitCode = 2
else process.exit((await main(options)) === 0 ? 0 : 1)

/** The options, or null for those that are none. */
function read() {
  const number = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...{ minutes: number, slots: number, blobs: number, seed: number, 'week-slots': number },
        ...{ 'week-minutes': number, 'real-time': flag, short: flag, 'no-setup': flag },
      },
    })
    const parts = positionals.length > 0 ? positionals : ['gossip', 'week']
    const unknown = parts.find((part) => part !== 'gossip' && part !== 'week')
    if (unknown !== undefined) throw new Error(`there is no part ${unknown}`)
    const [minutes, weekMinutes] = ['minutes', 'week-minutes'].map((name) => numberOf(values, name))
    const [slots, seed, weekSlots] = ['slots', 'seed', 'week-slots'].map((name) => countOf(values, name))
    // Two proofs are to change places.
    const blobs = countOf(values, 'blobs', 2)
    if (parts.includes('gossip') && minutes === undefined && slots === undefined)
      throw new Error('--minutes is missing')
    return {
      parts,
      setup: !values['no-setup'],
      gossip: { minutes, slots, blobs, seed, realTime: values['real-time'] },
      week: { slots: weekSlots, minutes: weekMinutes, seed, isShort: values.short },
    }
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return null
  }
}

/** How many faults were found. */
async function main({ parts, setup, gossip, week }) {
  if (setup) await setUpAllOrExit()
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
  const { signal } = stop
  const reports = []
  for (const part of parts) {
    if (signal.aborted) break
    const log = (line) => console.log(`${part}: ${line}`)
    // Each is loaded when its time comes: the memory of one is not in the figures of the other.
    if (part === 'gossip')
      reports.push(await (await import('../tests/soak/gossip.mjs')).gossip({ ...gossip, signal, log }))
    else reports.push(await (await import('../tests/soak/week.mjs')).week({ ...week, signal, log }))
    const { faults } = reports.at(-1)
    for (const fault of faults.slice(0, 50)) console.error(`${part}: FAULT: ${fault}`)
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const load = loadavg()[1].toFixed(1)
  console.log(
    `\n${new Date().toISOString().slice(0, 16)}Z, blobcheck ${version}, Node ${process.versions.node}, ` +
      `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load over 5 minutes ${load}`,
  )
  for (const { name, rows } of reports) console.log(`\n${table([name, ''], rows)}`)
  const found = reports.reduce((sum, { faults }) => sum + faults.length, 0)
  console.log(found === 0 ? '\nno faults' : `\n${found} FAULTS`)
  return found
}
