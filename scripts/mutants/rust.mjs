// Mutants of the Rust that decides verdicts: cargo-mutants, in a copy of the crates that keeps what it compiles. A mutant is held against the tests of
// its crate; what survives them, with `--again`, against the properties as well (`crates/properties`), which take longer to compile.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { ensureCargoCommand, fusedFlags, hostTarget } from '../rust.mjs'
import { root } from '../setup.mjs'
import { identify, openResults } from './results.mjs'

const folder = join(root, 'target/mutants/rust')
const tree = join(folder, 'tree')

/** What is mutated: from what is compiled and tested most quickly on. */
const CRATES = ['execution', 'beacon', 'block', 'bls', 'light-client', 'kzg']

/** Seconds after which tests do not come to their end any more; they take a tenth of it. */
const PATIENCE = 600

/** Mutants of the files whose paths have one of `files` in them, until the time `deadline`. `again`: those that survived, with the properties. */
export async function mutateRust({ files, again, deadline }) {
  await ensureCargoCommand('mutants')
  copyCrates()
  const [host, flags] = await Promise.all([hostTarget(), fusedFlags()])
  const env = {
    CARGO_TARGET_DIR: join(folder, 'target'),
    CARGO_INCREMENTAL: '1',
    ...(host === undefined || flags === null ? {} : { CARGO_BUILD_TARGET: host, RUSTFLAGS: flags }),
  }
  for (const crate of CRATES) {
    const results = openResults(crate)
    const ids = await identities(crate)
    const wanted = (await list(crate)).filter((name) => {
      const status = results.statusOf(ids.get(name))
      return (
        files.some((file) => name.includes(file)) &&
        (status === undefined || (again && status === 'survived'))
      )
    })
    if (wanted.length === 0 || Date.now() > deadline) continue
    console.log(`crates/${crate}: ${wanted.length} mutants`)
    const packages = [crate, ...(again ? ['properties'] : [])].map((name) => `blobcheck-${name}`)
    const args = [
      ...['mutants', '--dir', tree, '--in-place', '--package', `blobcheck-${crate}`],
      ...['--test-package', packages.join(), '--baseline', 'skip', '--timeout', String(PATIENCE)],
      ...['--output', join(folder, crate), '--no-shuffle', '--colors', 'never', '--caught'],
      ...['--re', `^(${wanted.map(escape).join('|')})$`],
      // What is compiled anew for each mutant is compiled quickly; what it calls is as fast as ever.
      ...['--cargo-arg', `--config=profile.dev.package.blobcheck-${crate}.opt-level=1`],
      ...['--', '--lib', '--tests'],
    ]
    mkdirSync(join(folder, crate), { recursive: true })
    await follow(args, env, deadline)
    keepResults(crate, results, ids)
  }
}

/** By crate: how many mutants there are, and what became of them. */
export async function rustFigures() {
  copyCrates()
  const figures = []
  for (const crate of CRATES) {
    const all = await identities(crate)
    const considered = new Set(await list(crate))
    const results = openResults(crate)
    const count = { killed: 0, timeout: 0, survived: 0, equivalent: 0, unviable: 0, untried: 0 }
    for (const [name, id] of all)
      count[considered.has(name) ? (results.statusOf(id) ?? 'untried') : 'equivalent']++
    figures.push({ name: `crates/${crate}`, mutants: all.size, ...count })
  }
  return figures
}

/** The mutants of a crate by name, but for those that `.cargo/mutants.toml` leaves out. */
async function list(crate, ...options) {
  const package_ = ['--package', `blobcheck-${crate}`]
  const names = await run('cargo', [
    'mutants',
    '--dir',
    tree,
    '--list',
    ...package_,
    '--colors',
    'never',
    ...options,
  ])
  return names.split('\n').filter(Boolean)
}

/** By name of a mutant of the crate, which has the line and the column in it: what it is known by. */
async function identities(crate) {
  const sources = new Map()
  const linesOf = (path) => {
    if (!sources.has(path)) sources.set(path, readFileSync(join(tree, path), 'utf8').split('\n'))
    return sources.get(path)
  }
  const names = await list(crate, '--no-config')
  const mutants = names.map((name) => {
    const [, path, line, what] = /^(.+?):(\d+):\d+: (.*)$/.exec(name)
    return { name, path, source: linesOf(path)[line - 1].trim(), what }
  })
  return new Map(identify(mutants).map(({ name, id }) => [name, id]))
}

const STATUS = { CaughtMutant: 'killed', MissedMutant: 'survived', Timeout: 'timeout', Unviable: 'unviable' }

/** Takes over what cargo-mutants has written of its last run. */
function keepResults(crate, results, ids) {
  const written = join(folder, crate, 'mutants.out/outcomes.json')
  const { outcomes } = JSON.parse(readFileSync(written, 'utf8'))
  const known = outcomes.filter(({ scenario, summary }) => scenario.Mutant && summary in STATUS)
  results.add(known.map(({ scenario, summary }) => [ids.get(scenario.Mutant.name), STATUS[summary]]))
}

const escape = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A copy beside the crates, so that nobody else compiles a mutant. What has not changed keeps its time, by which cargo knows it. */
function copyCrates() {
  mkdirSync(tree, { recursive: true })
  for (const name of [
    'Cargo.toml',
    'Cargo.lock',
    '.cargo',
    'crates',
    'tests/vectors',
    'docs',
    'ts',
    'scripts',
  ])
    cpSync(join(root, name), join(tree, name), { recursive: true, preserveTimestamps: true, filter: isOther })
}

function isOther(from, to) {
  if (from.endsWith('/target') || from.endsWith('/node_modules')) return false
  const before = existsSync(to) ? statSync(to) : null
  const now = statSync(from)
  return before === null || now.isDirectory() || before.mtimeMs !== now.mtimeMs || before.size !== now.size
}

/** cargo-mutants until its end, or until the time is over; it puts back what it altered when it is interrupted. */
async function follow(args, env, deadline) {
  const child = spawn('cargo', args, {
    cwd: tree,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  const timer = Number.isFinite(deadline)
    ? setTimeout(() => child.kill('SIGINT'), deadline - Date.now())
    : null
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearTimeout(timer)
}
