// `node scripts/audit-run.mjs [--slots 10000] [--blobs 1]`: an audit over a made chain by way of Redis, with one worker, with two, and with two
// of which one is killed half-way. Checks that every slot is counted exactly once and as the chain has it, and prints the rates. It takes
// minutes; tests/node/audit/redis.test.ts has the same with some hundred slots.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureRedis } from './redis.mjs'
import { root, setUpAllOrExit } from './setup.mjs'

const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '10000' },
    blobs: { type: 'string', default: '1' },
    serve: { type: 'string' },
  },
})
const slots = Number(values.slots)
const FIRST = 64
/** The server lacks these, so that there is something to find. */
const isMissing = (slot) => slot % 499 === 0
/** These have no block. */
const isEmpty = (slot) => slot > FIRST && slot % 101 === 0

const children = new Set()
const endChildren = () => {
  for (const child of children) child.kill('SIGKILL')
}
process.on('exit', endChildren)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const blobcheck = join(root, 'dist/cli/main.js')

if (values.serve === undefined) await measure()
else await serve(values.serve)

/** The server, which is a process of its own: it has as much to do as a worker. */
async function serve(networkFile) {
  const { createBeaconApp, makeChain } = await import('../dist/serve/index.js')
  const { listen } = await import('../dist/serve/listen.js')
  const { writeNetwork } = await import('../dist/cli/options/network.js')
  const began = performance.now()
  const chain = await makeChain({
    // Those after the range make its last slot final: before that nothing is said of it.
    slots: slots + 150,
    firstSlot: FIRST,
    blobsPerBlock: Number(values.blobs),
    isMissed: isEmpty,
    signHeaders: false,
  })
  const app = createBeaconApp({ chain })
  const data = /\/(?:blobs|blob_sidecars|data_column_sidecars)\/(0x[0-9a-f]{64})$/
  const server = await listen(
    (request) => {
      const block = data.exec(new URL(request.url).pathname)?.[1]
      const slot = block === undefined ? undefined : chain.byRoot(block)?.slot
      return slot !== undefined && isMissing(slot) ? new Response('no', { status: 404 }) : app.fetch(request)
    },
    0,
    '127.0.0.1',
  )
  await writeFile(networkFile, writeNetwork(chain.network))
  const madeMs = Math.round(performance.now() - began)
  process.stdout.write(`${JSON.stringify({ url: server.url, checkpoint: chain.checkpoint, madeMs })}\n`)
  // Its end is that of its input, and that is ours.
  process.stdin.resume().on('end', () => process.exit())
}

async function measure() {
  await setUpAllOrExit()
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-audit-run-'))
  try {
    const network = join(folder, 'network.json')
    const args = ['--slots', String(slots), '--blobs', values.blobs, '--serve', network]
    const chain = JSON.parse(await firstLineOf(start([fileURLToPath(import.meta.url), ...args])))
    const port = await freePort()
    const redis = `redis://127.0.0.1:${port}`
    startProgram(await ensureRedis(console.log), [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    ])
    console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.versions.node}`)
    console.log(`${slots} slots, ${values.blobs} blobs in each block; made in ${chain.madeMs} ms`)
    const run = { ...chain, folder, network, redis }
    const one = await audit({ ...run, name: 'one worker', workers: 1 })
    const two = await audit({ ...run, name: 'two workers', workers: 2 })
    await audit({ ...run, name: 'two workers, one killed half-way', workers: 2, kills: true })
    console.log(`two workers do ${(two / one).toFixed(2)} times as much as one`)
  } finally {
    endChildren()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One audit, to its end: slots in a second. Throws where a slot is not counted exactly once, or not as the chain has it. */
async function audit({ name, url, checkpoint, folder, network, redis, workers, kills = false }) {
  const running = []
  for (let at = 0; at < workers; at++) {
    const worker = start([
      blobcheck,
      'audit-worker',
      '--redis',
      redis,
      '--json',
      '--workers',
      '1',
      '--lock',
      '5',
    ])
    await firstLineOf(worker)
    running.push(worker)
  }
  const report = join(folder, `${name.replaceAll(/\W+/g, '-')}.jsonl`)
  const range = ['--from', String(FIRST), '--to', String(FIRST + slots - 1)]
  const trust = ['--network', network, '--checkpoint', checkpoint, '--no-store', '--beacon', url]
  const began = performance.now()
  const process_ = start([
    ...[blobcheck, 'audit', ...range, ...trust, '--redis', redis, '--report', report, '--all', '--json'],
  ])
  let done = 0
  let end
  for await (const line of createInterface({ input: process_.stdout })) {
    const event = JSON.parse(line)
    if (event.event === 'range') done += event.to - event.from + 1
    if (event.event === 'end') end = event
    if (kills && running.length === workers && done >= slots / 2) {
      running.pop().kill('SIGKILL')
      console.log(`${name}: killed at slot ${done} of ${slots}`)
    }
  }
  const ms = performance.now() - began
  // Something is missing, as it should be.
  if (end?.exitCode !== 1) throw new Error(`${name}: ended with ${JSON.stringify(end)}`)
  await check(name, report)
  const rate = (1000 * slots) / ms
  const figures = [`${(ms / 1000).toFixed(1)} s, ${rate.toFixed(1)} slots/s`]
  const cpu = running.map(({ pid }) => cpuMs(pid))
  if (!kills && cpu.every((one) => one !== null))
    figures.push(
      `${(cpu.reduce((sum, one) => sum + one, 0) / slots).toFixed(1)} ms of CPU time of workers a slot`,
    )
  console.log(`${name}: ${figures.join(', ')}; each slot counted exactly once`)
  for (const worker of running) {
    worker.kill('SIGINT')
    if (worker.exitCode === null) await once(worker, 'exit')
  }
  return rate
}

async function check(name, report) {
  const outcomes = new Map()
  let summary
  for await (const line of createInterface({ input: createReadStream(report) })) {
    const { event, slot, outcome, ...rest } = JSON.parse(line)
    if (event === 'summary') summary = rest
    if (event !== 'slot') continue
    if (outcomes.has(slot)) throw new Error(`${name}: slot ${slot} is there twice`)
    outcomes.set(slot, outcome)
  }
  const counts = { 'no-block': 0, missing: 0, complete: 0 }
  for (let slot = FIRST; slot < FIRST + slots; slot++) {
    const expected = isEmpty(slot) ? 'no-block' : isMissing(slot) ? 'missing' : 'complete'
    if (outcomes.get(slot) !== expected)
      throw new Error(`${name}: slot ${slot} is ${outcomes.get(slot)}, not ${expected}`)
    counts[expected]++
  }
  if (outcomes.size !== slots || summary?.slots !== slots)
    throw new Error(`${name}: ${outcomes.size} slots, ${summary?.slots} in the summary, of ${slots}`)
  for (const [outcome, count] of Object.entries(counts))
    if (summary.counts[outcome] !== count)
      throw new Error(`${name}: ${summary.counts[outcome]} ${outcome} in the summary, of ${count}`)
}

/** The CPU time that a process has taken, in milliseconds; null where the system does not say so in Linux's way. */
function cpuMs(pid) {
  try {
    // After the name, which is in brackets: user and system time are the 12th and 13th field, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return null
  }
}

function start(args) {
  return startProgram(process.execPath, args)
}

function startProgram(program, args) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

/** The first line of what a process writes; the rest goes by. */
async function firstLineOf(child) {
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  lines.on('line', () => {})
  return line
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
