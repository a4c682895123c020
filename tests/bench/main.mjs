// The bench: makes inputs, starts a process for each implementation, gives each its turn at each row, and reports.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contender } from './contenders.mjs'
import { describeMachine, describeNode, describePackages } from './environment.mjs'
import { hasPeer } from './install.mjs'
import { findNode } from './node-binary.mjs'
import { functionOf, needs } from './operations.mjs'
import { peers } from './peers/index.mjs'
import { leaveNothingBehind, pickCore, start } from './processes.mjs'
import { Progress } from './progress.mjs'
import { Report } from './report.mjs'
import { measureScaling } from './scaling.mjs'
import { median } from './statistics.mjs'
import { toTerminal } from './tables.mjs'

/** A turn at a row lasts this long, or one call where a call takes longer. */
const TURN_MS = { quick: 60, full: 200 }
const CALLS = 50
/** Rows that take longer than this get no more than two turns; in a quick run, one. */
const LONG_MS = 3000

/** Measures and reports; resolves with whether everything could be measured that was to be. */
export async function bench(options) {
  leaveNothingBehind()
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const progress = new Progress()
  const node = await findNode(options.node)
  const engine = describeNode(node)
  const names = options.peers.filter(
    (name) => isMeasurable(name, engine, options.rows) && isInstalled(name, options),
  )
  const core = options.pin ? pickCore() : null
  const report = new Report(options, {
    ...describeMachine(),
    ...engine,
    core,
    packages: describePackages(names),
    command: ['npm run bench', ...(options.args.length > 0 ? ['--', ...options.args] : [])].join(' '),
  })
  console.log(
    `blobcheck bench: ${options.rows.length} rows, ${names.length} implementations, ` +
      `Node ${engine.node} (V8 ${engine.v8}), ${core === null ? 'not pinned' : `core ${core}`}`,
  )

  const folder = mkdtempSync(join(tmpdir(), 'blobcheck-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const files = { all: join(folder, 'inputs.bin'), first: join(folder, 'first.bin') }
  const all = names.map((name) => new Contender(name, files, { node, core }))

  // Loading is no measurement (a cold start is one, of processes of their own): it may share the machine with the inputs.
  await Promise.all([
    makeInputs(folder, inputsFor(options, names), progress),
    progress.during('loading', names, (name) => all.find((one) => one.name === name).load()),
  ])
  // A peer without a binary for this machine is no reason to measure none.
  const contenders = all.filter(({ broken }) => broken === null)
  for (const { name, broken } of all) if (broken !== null) progress.warn(`${name} is left out: ${broken}`)
  await Promise.all(contenders.map((contender) => contender.read()))
  report.contenders = contenders

  await takeTurns(options, contenders, progress, report, seconds)
  await Promise.all(contenders.map((contender) => contender.stop()))

  // What follows is measured of our own implementations alone. A failure costs its own rows, and no others.
  const rounds = options.quick ? 3 : 7
  const attempt = async (extra, table, impl, measure) => {
    if (!options.extras.includes(extra)) return
    try {
      report.add(table, await measure())
    } catch (error) {
      report.fail(impl, extra, error.message.split('\n')[0])
    }
  }
  for (const name of names.filter((one) => peers[one].own && one.split(':').length === 2)) {
    const kernel = name.split(':')[1]
    const named = (rows) => rows.map((row) => ({ impl: name, ...row }))
    await attempt('stages', 'stages', name, async () => {
      progress.show(`stages   ${name}`)
      return named(await measureStages([kernel, files.all, rounds], { node, core }))
    })
    await attempt('poolScaling', 'scaling', name, async () => {
      const show = (step) => progress.show(`what workers gain   ${name}   ${step}`)
      const turn = { forMs: options.quick ? TURN_MS.quick : TURN_MS.full, calls: CALLS }
      const { quick } = options
      return named(await measureScaling({ kernel, path: files.all, node, rounds, turn, quick, show }))
    })
  }
  await attempt('wire', 'wire', 'all', async () => {
    progress.show('weighing what a page downloads')
    // Vite, which this needs, is nothing that a quick run should load.
    const { weigh } = await import('./wire.mjs')
    return await weigh(names)
  })
  progress.clear()

  report.finish(seconds())
  const { found } = report
  console.log(toTerminal(found, options.rows))
  return found.failures.every(({ impl }) => !impl.startsWith('blobcheck') && impl !== 'all')
}

/** A quick run installs nothing, and c-kzg is compiled where it is installed, which not every machine can: what is not there is said. */
function isInstalled(name, { quick, setup }) {
  const isThere = (peers[name].packages ?? []).every(hasPeer)
  if (!isThere) {
    const why = quick || !setup ? 'npm run bench installs it' : 'it could not be installed here'
    console.log(`${name} is not installed, and not measured: ${why}`)
  }
  return isThere
}

/** What must be made: what the rows need, and the 64 blobs and the cells that stages and workers are measured with. */
function inputsFor({ rows, extras, quick }, names) {
  const isOwn = names.some((name) => peers[name].own)
  const beyond = isOwn && !quick && extras.some((extra) => extra !== 'wire')
  return needs([
    ...rows,
    ...(beyond
      ? [
          { op: 'verifyBlobKzgProofBatch', n: 64 },
          { op: 'verifyCellKzgProofBatch', n: 168 },
        ]
      : []),
  ])
}

/** Node 20 has no sound engine for relaxed SIMD; and who has none of the rows stays out of the way. */
function isMeasurable(name, { node }, rows) {
  if (name.startsWith('blobcheck:relaxed-simd') && Number(node.split('.')[0]) < 22) return false
  const { only } = peers[name]
  return only === undefined || rows.some(({ op }) => only.includes(op))
}

async function makeInputs(folder, { blobs, cellBlobs, committees, chains }, progress) {
  const maker = start('make-inputs.mjs', [folder, blobs, cellBlobs, committees, chains])
  maker.child.on('message', ({ done, total }) =>
    progress.show(`making blobs, commitments, cells and proofs: ${done} of ${total}`),
  )
  const cause = await maker.ended
  if (maker.child.exitCode !== 0) throw new Error(`the inputs could not be made: ${cause}`)
}

/**
 * Rounds of rows of implementations: whatever else the machine does hits all of them alike. Round 0 warms up. After each row
 * of the others, what is known is written.
 */
async function takeTurns({ rounds, rows, quick }, contenders, progress, report, seconds) {
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
      if (round > 0) report.save()
    }
    progress.milestone(`${name}: done after ${seconds()} s`)
  }

  function isDone({ samples }) {
    if (samples.length === 0) return false
    const slow = median(samples.map(({ wallMs }) => wallMs))
    return slow > LONG_MS && samples.length >= (quick ? 1 : 2)
  }
}

function takesPart({ name, has }, { op }) {
  const { only } = peers[name]
  if (only !== undefined && !only.includes(op)) return false
  return op === 'coldStart' ? has.some((one) => one.startsWith('verify')) : has.includes(functionOf(op))
}

async function measureStages(args, how) {
  const child = start('stages.mjs', args, how)
  const rows = await child.next()
  await child.stop()
  return rows
}
