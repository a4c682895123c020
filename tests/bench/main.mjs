// The bench: makes inputs, starts a process for each implementation, gives each its turn at each row, and reports.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contender } from './contenders.mjs'
import { describeMachine, describeNode, describePackages } from './environment.mjs'
import { writeSection } from './markdown.mjs'
import { findNode } from './node-binary.mjs'
import { needs } from './operations.mjs'
import { peers } from './peers/index.mjs'
import { leaveNothingBehind, pickCore, start } from './processes.mjs'
import { Progress } from './progress.mjs'
import { measureScaling } from './scaling.mjs'
import { median } from './statistics.mjs'
import { toMarkdown, toTerminal } from './tables.mjs'
import { weigh } from './wire.mjs'

/** A turn at a row lasts this long, or one call where a call takes longer. */
const TURN_MS = { quick: 60, full: 200 }
const CALLS = 50
/** Rows that take longer than this get no more than two turns; in a quick run, one slow start each. */
const LONG_MS = 3000
/** No new turn begins after this in a quick run, so that it ends within three minutes. */
const QUICK_ENDS_MS = 125_000

export async function bench(options) {
  leaveNothingBehind()
  const began = performance.now()
  const progress = new Progress()
  const node = await findNode(options.node, (step) => console.log(`set-up: ${step}`))
  const engine = describeNode(node)
  const names = options.peers.filter((name) => isMeasurable(name, engine, options.rows))
  const core = options.pin ? pickCore() : null
  const env = {
    ...describeMachine(),
    ...engine,
    core,
    packages: describePackages(names),
    command: ['npm run bench', ...(options.args.length > 0 ? ['--', ...options.args] : [])].join(' '),
  }
  console.log(
    `blobcheck bench: ${options.rows.length} rows, ${names.length} implementations, ` +
      `Node ${engine.node} (V8 ${engine.v8}), ${core === null ? 'not pinned' : `core ${core}`}`,
  )

  const folder = mkdtempSync(join(tmpdir(), 'blobcheck-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const files = { all: join(folder, 'inputs.bin'), first: join(folder, 'first.bin') }
  const all = names.map((name) => new Contender(name, files, { node, core }))

  // Loading is no measurement (a cold start is one, of processes of their own): it may share the machine with the inputs.
  const own = names.some((name) => peers[name].own)
  const scales = options.extras.includes('poolScaling') && own
  const asks = { rows: options.rows, own: own && options.extras.some((name) => name !== 'wire') }
  await Promise.all([
    makeInputs(folder, asks, progress),
    progress.during('loading', names, (name) => all.find((one) => one.name === name).load()),
  ])
  // A peer without a binary for this machine is no reason to measure none.
  const contenders = all.filter(({ broken }) => broken === null)
  for (const { name, broken } of all) if (broken !== null) progress.warn(`${name} is left out: ${broken}`)
  await Promise.all(contenders.map((contender) => contender.read()))

  await takeTurns(options, contenders, progress, began)
  await Promise.all(contenders.map((contender) => contender.stop()))
  const ofOwn = (measure) => measureOwn(names, measure)
  const rounds = options.quick ? 3 : 7
  const stages = options.extras.includes('stages')
    ? await ofOwn((kernel, name) => {
        progress.show(`stages   ${name}`)
        return measureStages([kernel, files.all, rounds], { node, core })
      })
    : []
  const scaling = scales
    ? await ofOwn((kernel, name) => {
        const show = (step) => progress.show(`what workers gain   ${name}   ${step}`)
        const turn = { forMs: options.quick ? TURN_MS.quick : TURN_MS.full, calls: CALLS }
        return measureScaling({ kernel, path: files.all, node, rounds, turn, quick: options.quick, show })
      })
    : []
  progress.show('weighing what a page downloads')
  const wire = options.extras.includes('wire') ? await weigh(names) : []
  progress.clear()

  env.tookS = Math.round((performance.now() - began) / 1000)
  const report = {
    env,
    results: contenders.flatMap((contender) => contender.results()),
    failures: contenders.flatMap((contender) => contender.failures()),
    memory: contenders
      .filter(({ start }) => start !== undefined)
      .map(({ name, start, peakKb }) => ({
        impl: name,
        firstVerdictMib: start.addedKb / 1024,
        processMib: start.peakKb / 1024,
        wholeRunMib: peakKb / 1024,
      })),
    wire,
    stages,
    scaling,
  }
  console.log(toTerminal(report, options.rows))
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
  if (options.markdown)
    writeSection(options.markdown, `node-${engine.node.split('.')[0]}`, toMarkdown(report, options.rows))
}

/** Node 20 has no sound engine for relaxed SIMD; and who has none of the rows stays out of the way. */
function isMeasurable(name, { node }, rows) {
  if (name.startsWith('blobcheck:relaxed-simd') && Number(node.split('.')[0]) < 22) return false
  const { only } = peers[name]
  return only === undefined || rows.some(({ op }) => only.includes(op))
}

async function makeInputs(folder, { rows, own }, progress) {
  const { blobs, cellBlobs, chains } = needs([
    ...rows,
    ...(own
      ? [
          { op: 'verifyBlobKzgProofBatch', n: 64 },
          { op: 'verifyCellKzgProofBatch', n: 168 },
        ]
      : []),
  ])
  const maker = start('make-inputs.mjs', [folder, blobs, cellBlobs, chains])
  maker.child.on('message', ({ done, total }) =>
    progress.show(`making blobs, commitments, cells and proofs: ${done} of ${total}`),
  )
  const cause = await maker.ended
  if (maker.child.exitCode !== 0) throw new Error(`the inputs could not be made: ${cause}`)
}

/** Rounds of rows of implementations: whatever else the machine does hits all of them alike. Round 0 warms up. */
async function takeTurns({ rounds, rows, quick }, contenders, progress, began) {
  const limits = { forMs: quick ? TURN_MS.quick : TURN_MS.full, calls: CALLS }
  for (let round = 0; round <= rounds; round++) {
    const name = round === 0 ? 'warming up' : `round ${round} of ${rounds}`
    for (const row of rows) {
      for (const contender of contenders) {
        if (!takesPart(contender, row) || isDone(contender.row(row))) continue
        progress.show(`${name}   ${row.op}/${row.n}   ${contender.name}`)
        if (round === 0) await contender.warmUp(row, limits)
        else await contender.measure(row, limits)
      }
    }
    progress.milestone(`${name}: done after ${Math.round((performance.now() - began) / 1000)} s`)
  }

  function isDone({ op, samples }) {
    if (samples.length === 0) return false
    const slow = median(samples.map(({ wallMs }) => wallMs))
    if (slow > LONG_MS && samples.length >= (quick && op === 'coldStart' ? 1 : 2)) return true
    return quick && performance.now() - began > QUICK_ENDS_MS
  }
}

function takesPart({ name, has }, { op }) {
  const { only } = peers[name]
  if (only !== undefined && !only.includes(op)) return false
  return op === 'coldStart' ? has.some((one) => one.startsWith('verify')) : has.includes(op)
}

/** What only our own implementations have: `measure` is called with each kernel, and answers with rows. */
async function measureOwn(names, measure) {
  const tables = []
  for (const name of names.filter((one) => peers[one].own)) {
    const rows = await measure(name.split(':')[1], name)
    tables.push(...rows.map((row) => ({ impl: name, ...row })))
  }
  return tables
}

async function measureStages(args, how) {
  const child = start('stages.mjs', args, how)
  const rows = await child.next()
  await child.stop()
  return rows
}
