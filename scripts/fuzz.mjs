// `npm run fuzz -- --minutes N [target …]`: libFuzzer on the properties of `crates/properties`, each target for its share of the time. It goes on
// from `fuzz/corpus`, which keeps what was found however the run ends. Exit code 1: something was found, or a fuzzer did not run as it should.
// `fuzz/README.md` says the rest.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { table, writeSection } from '../tests/bench/markdown.mjs'
import { run } from './run.mjs'
import { ensureCargoCommand, fusedFlags, hostTarget } from './rust.mjs'
import { prepareOrExit, root } from './setup.mjs'

const USAGE =
  'npm run fuzz -- --minutes N [--kernel arkworks|baseline|simd] [--markdown] [--seeds] [--replay FILE] [target …]'

const folder = join(root, 'fuzz')
const figuresFile = join(folder, 'figures.json')

/** What is read by bytes; the others have points and scalars in them. */
const BYTES = /^(rlp|transactions|ssz_|light_client|networks)/

/** What has no arithmetic of the curve in it, and so no other kernel. */
const WITHOUT_KERNEL = /^(rlp|transactions|ssz_|light_client|sha256|merkle|networks)/

const options = read()
if (options === null) process.exitCode = 2
else await main(options)

/** The options, or null for those that are none. */
function read() {
  const targets = readdirSync(join(folder, 'fuzz_targets')).map((file) => basename(file, '.rs'))
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        kernel: { type: 'string', default: 'arkworks' },
        markdown: { type: 'boolean', default: false },
        seeds: { type: 'boolean', default: false },
        replay: { type: 'string' },
      },
    })
    const { kernel, markdown, seeds, replay } = values
    const minutes = values.minutes === undefined ? 0 : Number(values.minutes)
    if (!(minutes >= 0)) throw new Error('--minutes must be a number')
    if (!['arkworks', 'baseline', 'simd'].includes(kernel)) throw new Error(`no kernel ${kernel}`)
    if (replay !== undefined && !existsSync(replay)) throw new Error(`no file ${replay}`)
    const unknown = positionals.find((name) => !targets.includes(name))
    if (unknown !== undefined) throw new Error(`no target ${unknown}; there are ${targets.join(', ')}`)
    const ofKernel = targets.filter((name) => kernel === 'arkworks' || !WITHOUT_KERNEL.test(name))
    const chosen = positionals.length > 0 ? positionals : ofKernel
    if (minutes === 0 && !markdown && !seeds && replay === undefined) throw new Error('--minutes is missing')
    if (replay !== undefined && positionals.length !== 1) throw new Error('--replay takes one target')
    return { minutes, kernel, markdown, seeds, replay, targets: chosen }
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return null
  }
}

async function main({ minutes, kernel, markdown, seeds, replay, targets }) {
  let isWell = true
  if (minutes > 0 || seeds || replay !== undefined) {
    const programs = await build(kernel, targets)
    if (replay !== undefined) {
      const { code, output } = await start(programs, targets[0], [replay])
      console.log(output.trim())
      process.exitCode = code === 0 ? 0 : 1
      return
    }
    const seconds = Math.max(1, Math.round((minutes * 60) / targets.length))
    for (const target of minutes > 0 ? targets : []) {
      const ended = await fuzz(programs, target, kernel, seconds)
      isWell &&= ended.isWell
      if (ended.isStopped) break
    }
    if (seeds) for (const target of targets) await writeSeeds(programs, target)
  }
  if (markdown) writeFigures()
  if (!isWell) process.exitCode = 1
}

/** Compiles the targets; the folder of their programs. */
async function build(kernel, targets) {
  await run('rustup', ['run', 'nightly', 'rustc', '--version']).catch(() => {
    throw new Error('fuzzing wants a nightly compiler: rustup toolchain install nightly')
  })
  await ensureCargoCommand('fuzz')
  await prepareOrExit()
  const target = join(folder, 'target', kernel)
  const command = [
    '+nightly',
    'fuzz',
    'build',
    '--fuzz-dir',
    '.',
    '--target-dir',
    target,
    '--sanitizer',
    'none',
  ]
  if (kernel !== 'arkworks') command.push('--features', kernel)
  if (targets.length === 1) command.push(targets[0])
  console.log(`compiling ${targets.length === 1 ? targets[0] : 'the targets'}, on ${kernel}`)
  const flags = kernel === 'simd' ? await fusedFlags() : null
  await run('cargo', command, { cwd: folder, env: flags === null ? {} : { RUSTFLAGS: flags }, yields: true })
  return join(target, (await hostTarget()) ?? '', 'release')
}

/** Runs a target's program; what it said, and how it ended. It ends in good order when this one is interrupted. */
function start(programs, target, args) {
  return new Promise((resolve, reject) => {
    let child
    let output = ''
    let isStopped = false
    const stop = () => {
      isStopped = true
      child?.kill('SIGINT')
    }
    // Before it starts: on a busy machine it may run for a while before this thread goes on.
    process.on('SIGINT', stop).on('SIGTERM', stop)
    child = spawn(join(programs, target), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    if (child.pid !== undefined) setPriority(child.pid, 15)
    // Of what is said all along, the last lines are enough.
    child.stderr.setEncoding('utf8').on('data', (chunk) => (output = (output + chunk).slice(-200_000)))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve({ code, signal, output, isStopped })
    })
  })
}

/** One target for so many seconds, from its corpus on: whether it ran and found nothing, and whether it was interrupted. */
async function fuzz(programs, target, kernel, seconds) {
  const [corpus, artifacts] = ['corpus', 'artifacts'].map((name) => join(folder, name, target))
  mkdirSync(corpus, { recursive: true })
  mkdirSync(artifacts, { recursive: true })
  for (const [at, seed] of seedsOf(target).entries()) {
    const file = join(corpus, `seed-${at}`)
    if (!existsSync(file)) writeFileSync(file, Buffer.from(seed, 'hex'))
  }
  const before = timesOf(artifacts)
  const { code, signal, output, isStopped } = await start(programs, target, [
    corpus,
    `-artifact_prefix=${artifacts}/`,
    `-dict=${join(folder, 'dictionaries', BYTES.test(target) ? 'bytes.dict' : 'points.dict')}`,
    `-max_total_time=${seconds}`,
    '-max_len=2000',
    '-timeout=60',
    '-rss_limit_mb=4096',
    '-print_final_stats=1',
  ])
  const number = (pattern) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0)
  const executions = number(/stat::number_of_executed_units:\s*(\d+)/g)
  const coverage = number(/ cov: (\d+)/g)
  // What an earlier run has kept and this one has found again is written again, under the same name.
  const kept = [...timesOf(artifacts)]
    .filter(([name, time]) => before.get(name) !== time)
    .map(([name]) => name)
  const findings = await countFindings(programs, target, artifacts, kept)
  const failure = findings > 0 || isStopped ? null : failureOf({ code, signal, executions, kept })
  const line = [
    `${target}:`,
    `${executions.toLocaleString('en')} executions in ${seconds} s,`,
    `${coverage} edges,`,
  ]
  const end = findings > 0 ? `${findings} FINDING in ${artifacts}` : (failure ?? 'no finding')
  console.log([...line, end].join(' '))
  const isWell = findings === 0 && failure === null
  if (!isWell) console.log(output.slice(-3000))
  const all = readFigures()
  const sum = (all[target] ??= { executions: {}, coverage: 0, findings: 0 })
  sum.executions[kernel] = (sum.executions[kernel] ?? 0) + executions
  sum.coverage = Math.max(sum.coverage, coverage)
  sum.findings += findings
  writeFileSync(figuresFile, `${JSON.stringify(all, null, 2)}\n`)
  return { isWell, isStopped }
}

/** The files of a folder, and when each was written. */
function timesOf(artifacts) {
  return new Map(readdirSync(artifacts).map((name) => [name, statSync(join(artifacts, name)).mtimeMs]))
}

/**
 * Why a run without a finding that nobody interrupted is not one that found nothing; null where it is. An input that was too slow ends the
 * fuzzer with a code of its own, though it was no finding; a slow unit does not end it.
 */
function failureOf({ code, signal, executions, kept }) {
  const isLate = signal === null && kept.some((name) => name.startsWith('timeout-'))
  if (code !== 0 && !isLate)
    return `FAILED: the fuzzer ended with ${signal ?? `code ${code}`}, and kept no input that says why`
  return executions === 0 ? 'FAILED: the fuzzer executed nothing' : null
}

/**
 * How many of the inputs that libFuzzer kept break a property. A slow unit has ended in good order, and a timeout may be one that a busy machine held up: it
 * counts if it is slow a second time.
 */
async function countFindings(programs, target, artifacts, kept) {
  let findings = 0
  for (const name of kept) {
    if (name.startsWith('slow-unit-')) continue
    const isLate = name.startsWith('timeout-')
    const again = isLate && (await start(programs, target, [join(artifacts, name), '-timeout=60']))
    if (!again || again.code !== 0) findings++
  }
  return findings
}

/** Committed inputs of a target, in hex. */
function seedsOf(target) {
  const file = join(folder, 'seeds', `${target}.hex`)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Of the fewest inputs that reach what all of the corpus does, some short ones, in hex. */
async function writeSeeds(programs, target) {
  const few = join(folder, 'target', 'few', target)
  rmSync(few, { recursive: true, force: true })
  mkdirSync(few, { recursive: true })
  const { code, output } = await start(programs, target, ['-merge=1', few, join(folder, 'corpus', target)])
  if (code !== 0) throw new Error(`the corpus of ${target} could not be merged\n${output.slice(-3000)}`)
  const files = readdirSync(few).map((name) => join(few, name))
  const short = files
    .filter((file) => statSync(file).size <= 120)
    .sort((a, b) => statSync(a).size - statSync(b).size)
  const step = Math.max(1, short.length / 6)
  const chosen = short.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  const lines = chosen.map((file) => readFileSync(file).toString('hex')).filter(Boolean)
  mkdirSync(join(folder, 'seeds'), { recursive: true })
  writeFileSync(join(folder, 'seeds', `${target}.hex`), `${lines.join('\n')}\n`)
}

/** By target: executions on each kernel, all runs together; the most edges that one run reached; findings. */
function readFigures() {
  return existsSync(figuresFile) ? JSON.parse(readFileSync(figuresFile, 'utf8')) : {}
}

/** The figures in `docs/security.md`. */
function writeFigures() {
  const figures = readFigures()
  const total = (executions) => Object.values(executions).reduce((sum, one) => sum + one, 0)
  const rows = Object.entries(figures).map(([target, { executions, coverage, findings }]) => {
    const kernels = ['arkworks', 'baseline', 'simd'].map((kernel) =>
      (executions[kernel] ?? 0).toLocaleString('en'),
    )
    return [`\`${target}\``, ...kernels, coverage.toLocaleString('en'), String(findings)]
  })
  const file = join(root, 'docs/security.md')
  const head = ['target', 'executions, arkworks', 'baseline', 'model of relaxed SIMD', 'edges', 'findings']
  writeSection(file, 'fuzz', table(head, rows), '`npm run fuzz`')
  const all = Object.values(figures)
  const executions = all.reduce((sum, { executions }) => sum + total(executions), 0).toLocaleString('en')
  const findings = all.reduce((sum, { findings }) => sum + findings, 0)
  const row = `| 1 | Fuzzing | ${executions} executions over ${all.length} targets, ${findings} findings: [figures](#fuzzing) | \`npm run fuzz -- --minutes 60 --markdown\` |`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\| 1 \| Fuzzing \|.*$/m, row))
}
