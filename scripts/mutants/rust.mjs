// Mutants of the Rust that decides verdicts. cargo-mutants lists them; all are compiled at once (`at-once.mjs`), and each is held against the tests that
// come by it: of these crates, of the prover, and the properties (`crates/properties`). What cannot be compiled beside others, cargo-mutants tries one by
// one in a copy of the crates, each against the tests of its crate.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { ensureCargoCommand, fusedFlags, hostTarget } from '../rust.mjs'
import { root } from '../setup.mjs'
import { tryAtOnce } from './at-once.mjs'
import { copyTree } from './copy.mjs'
import { identify, openResults } from './results.mjs'

const folder = join(root, 'target/mutants/rust')
const tree = join(folder, 'tree')

/** What is mutated: from what is compiled and tested most quickly on. */
const CRATES = ['execution', 'beacon', 'block', 'bls', 'light-client', 'kzg']

/** Seconds after which tests do not come to their end any more; they take a tenth of it. */
const PATIENCE = 600

/** Mutants of the files whose paths have one of `files` in them, until the time `deadline`. `again`: those that survived, too. */
export async function mutateRust({ files, again, deadline }) {
  await ensureCargoCommand('mutants')
  copyCrates()
  const [host, flags] = await Promise.all([hostTarget(), fusedFlags()])
  const env = {
    CARGO_INCREMENTAL: '1',
    ...(host === undefined || flags === null ? {} : { CARGO_BUILD_TARGET: host, RUSTFLAGS: flags }),
  }
  const crates = await Promise.all(CRATES.map((crate) => open(crate, { files, again })))
  const mutants = crates.flatMap(({ wanted }) => wanted)
  if (mutants.length === 0) return
  console.log(`${mutants.length} mutants`)
  const packages = CRATES.map((crate) => `blobcheck-${crate}`)
  const left = await tryAtOnce({
    mutants,
    packages,
    testPackages: [...packages, 'blobcheck-properties', 'blobcheck-prover'],
    sources: tree,
    folder: join(folder, 'at-once'),
    env,
    deadline,
    done(mutant, status, by = '') {
      const { results, ids } = crates.find(({ crate }) => mutant.package === `blobcheck-${crate}`)
      results.add([[ids.get(mutant.name), status]])
      console.log(`${status.padEnd(9)} ${mutant.name}${status === 'killed' ? '' : `  ${by}`}`)
    },
  })
  for (const one of crates) {
    const names = left.filter((mutant) => mutant.package === `blobcheck-${one.crate}`).map(({ name }) => name)
    if (names.length > 0 && Date.now() < deadline) await tryOneByOne(one, names, env, deadline)
  }
}

/** A crate's results, what its mutants are known by, and those that are to be tried. */
async function open(crate, { files, again }) {
  const results = openResults(crate)
  const [ids, all] = await Promise.all([identities(crate), list(crate)])
  const isTried = ({ name }) => {
    const status = results.statusOf(ids.get(name))
    return status === undefined || (again && status === 'survived')
  }
  const isChosen = ({ name }) => files.some((file) => name.includes(file))
  return { crate, results, ids, wanted: all.filter((mutant) => isChosen(mutant) && isTried(mutant)) }
}

async function tryOneByOne({ crate, results, ids }, names, env, deadline) {
  console.log(`crates/${crate}: ${names.length} mutants, one by one`)
  const args = [
    ...['mutants', '--dir', tree, '--in-place', '--package', `blobcheck-${crate}`],
    ...['--test-package', `blobcheck-${crate}`, '--baseline', 'skip', '--timeout', String(PATIENCE)],
    ...['--output', join(folder, crate), '--no-shuffle', '--colors', 'never', '--caught'],
    ...['--re', `^(${names.map(escape).join('|')})$`],
    // What is compiled anew for each mutant is compiled quickly; what it calls is as fast as ever.
    ...['--cargo-arg', `--config=profile.dev.package.blobcheck-${crate}.opt-level=1`],
    ...['--', '--lib', '--tests'],
  ]
  mkdirSync(join(folder, crate), { recursive: true })
  // What is there in the end is then of this run, though it may have been cut short.
  const written = join(folder, crate, 'mutants.out')
  rmSync(written, { recursive: true, force: true })
  const code = await follow(args, { ...env, CARGO_TARGET_DIR: join(folder, 'target') }, deadline)
  if (existsSync(join(written, 'outcomes.json'))) keepResults(crate, results, ids)
  // With 2 some have survived, with 3 some did not come to their end: all have been tried.
  if (![0, 2, 3].includes(code) && Date.now() < deadline)
    throw new Error(`cargo mutants, crates/${crate}, ended with ${code ?? 'a signal'}`)
}

/** By crate: how many mutants there are, and what became of them. */
export async function rustFigures() {
  copyCrates()
  const figures = []
  for (const crate of CRATES) {
    const all = await identities(crate)
    const considered = new Set((await list(crate)).map(({ name }) => name))
    const results = openResults(crate)
    const count = { killed: 0, timeout: 0, survived: 0, equivalent: 0, unviable: 0, untried: 0 }
    for (const [name, id] of all)
      count[considered.has(name) ? (results.statusOf(id) ?? 'untried') : 'equivalent']++
    figures.push({ name: `crates/${crate}`, mutants: all.size, ...count })
  }
  return figures
}

/** The mutants of a crate, but for those that `.cargo/mutants.toml` leaves out. */
async function list(crate, ...options) {
  const args = ['mutants', '--dir', tree, '--list', '--json', '--package', `blobcheck-${crate}`]
  return JSON.parse(await run('cargo', [...args, '--colors', 'never', ...options], { isRead: true }))
}

/** By name of a mutant of the crate, which has the line and the column in it: what it is known by. */
async function identities(crate) {
  const sources = new Map()
  const linesOf = (path) => {
    if (!sources.has(path)) sources.set(path, readFileSync(join(tree, path), 'utf8').split('\n'))
    return sources.get(path)
  }
  const mutants = (await list(crate, '--no-config')).map(({ name, file, span }) => {
    const [, what] = /^.+?:\d+:\d+: (.*)$/.exec(name)
    return { name, path: file, source: linesOf(file)[span.start.line - 1].trim(), what }
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

/** A copy beside the crates, so that nobody else compiles a mutant. */
function copyCrates() {
  const names = ['Cargo.toml', 'Cargo.lock', '.cargo', 'crates', 'tests/vectors', 'docs', 'ts', 'scripts']
  const fuzz = ['Cargo.toml', 'fuzz_targets', 'seeds'].map((name) => `fuzz/${name}`)
  const setups = ['prover-setup.bin', 'prover-setup-extension.bin'].map((name) => `wasm/${name}`)
  const block = 'data/holesky_1409759_blob_sidecars.json'
  for (const name of [...names, ...fuzz, ...setups, block]) copyTree(join(root, name), join(tree, name))
}

/** cargo-mutants until its end, or until the time is over: its exit code. It puts back what it altered when it is interrupted. */
async function follow(args, env, deadline) {
  const child = spawn('cargo', args, {
    cwd: tree,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  const timer = Number.isFinite(deadline)
    ? setTimeout(() => child.kill('SIGINT'), deadline - Date.now())
    : null
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearTimeout(timer)
  return code
}
