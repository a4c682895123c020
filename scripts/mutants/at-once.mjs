// All mutants of the crates compiled at once. Each is put where it belongs behind a question, `is_mutant(17)`, which a process of tests answers by its
// environment (`scripts/mutants/instrument` writes that). One run of each test without a mutant tells which it comes by; a mutant is then held against
// those tests alone, one after the other, until one fails.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { root } from '../setup.mjs'
import { copyTree, writeText } from './copy.mjs'
import { inParallel, Likeliest, patience } from './likeliest.mjs'

const MANIFEST = join(root, 'scripts/mutants/instrument/Cargo.toml')

/** Says whether this process runs a mutant. Where it runs none, it notes which it comes by, in the file that it is told of. */
const IS_MUTANT = (count) => `
/// Whether the tests run with this mutant.
pub fn is_mutant(id: u32) -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    static SEEN: [AtomicBool; ${count}] = [const { AtomicBool::new(false) }; ${count}];
    let chosen = *CHOSEN.get_or_init(|| std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()));
    if chosen.is_none() && !SEEN[id as usize].swap(true, Ordering::Relaxed) {
        if let Ok(path) = std::env::var("MUTANTS_REACHED") {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let written = file.and_then(|mut file| std::io::Write::write_all(&mut file, format!("{id}\\n").as_bytes()));
            assert!(written.is_ok(), "the list of mutants cannot be written");
        }
    }
    chosen == Some(id)
}
`

/**
 * Tries mutants, which are as cargo-mutants lists them, and tells `done(mutant, status, by)` of each, until the time `deadline`. Returns those that
 * cannot be compiled beside others, such as those of constants.
 *
 * `sources` are the crates as they are, `folder` is where they are copied to, and `env` is the environment to compile in.
 */
export async function tryAtOnce({ mutants, packages, testPackages, sources, folder, env, deadline, done }) {
  const all = mutants.map((mutant, id) => ({ ...mutant, id }))
  const tree = join(folder, 'tree')
  const environment = {
    ...process.env,
    ...env,
    // What the compiler sees to be an overflow is for the tests to find.
    RUSTFLAGS: `${env.RUSTFLAGS ?? ''} --cap-lints=warn`,
    CARGO_TARGET_DIR: join(folder, 'target'),
  }
  const left = await compile({ all, packages, sources, tree, env: environment, done })
  const tests = await findTests({ testPackages, tree, env: environment })
  console.log(`${tests.length} tests: which mutants they come by`)
  const lanes = Array.from({ length: availableParallelism() })
  await inParallel(tests, lanes, (test) => reach(test, join(folder, 'reached')))
  const sound = tests.filter(({ isSound }) => isSound)
  const waiting = all.filter(({ id }) => !left.has(id))
  const likeliest = new Likeliest()
  await inParallel(waiting, lanes, async (mutant) => {
    if (Date.now() > deadline) return
    const candidates = sound.filter(({ reached }) => reached.has(mutant.id))
    const { status, by } = await tryOne(mutant, likeliest.order(mutant.file, candidates))
    if (by !== undefined) likeliest.found(mutant.file, by.name)
    done(mutant, status, by?.name)
  })
  return all.filter(({ id }) => left.get(id) === 'left')
}

/** Lays out the crates with all mutants in them, but for those that do not compile. By number, why one is left out. */
async function compile({ all, packages, sources, tree, env, done }) {
  const excluded = new Map()
  const texts = new Map()
  for (const { file } of all) texts.set(file, readFileSync(join(sources, file), 'utf8'))
  const libraries = packages.map((name) => `crates/${name.replace('blobcheck-', '')}/src/lib.rs`)
  const name = (path) => relative(sources, path).replaceAll('\\', '/')
  copyTree(sources, tree, (path) => texts.has(name(path)) || libraries.includes(name(path)))
  for (;;) {
    const files = await instrument(texts, all, excluded)
    const written = new Map(files.map(({ path, text }) => [path, text]))
    for (const path of libraries) {
      const text = written.get(path) ?? readFileSync(join(sources, path), 'utf8')
      written.set(path, text + IS_MUTANT(all.length))
    }
    for (const [path, text] of written) writeText(join(tree, path), text)
    for (const id of files.flatMap((file) => file.left)) excluded.set(id, 'left')
    const args = [
      'check',
      '--keep-going',
      '--message-format=json',
      ...packages.flatMap((name) => ['-p', name]),
    ]
    const { code, out } = await output('cargo', args, { cwd: tree, env })
    if (code === 0) break
    const faults = faultsIn(out)
    const before = excluded.size
    for (const fault of faults)
      for (const [id, status] of blame(fault, files, all)) if (!excluded.has(id)) excluded.set(id, status)
    if (excluded.size === before)
      throw new Error(`the crates with their mutants do not compile: ${faults[0]?.rendered ?? out}`)
    console.log(`${excluded.size} of ${all.length} mutants do not compile, or not beside the others`)
  }
  for (const mutant of all) if (excluded.get(mutant.id) === 'unviable') done(mutant, 'unviable')
  return excluded
}

/** What a message of the compiler is about: mutants, each with what becomes of it. */
function* blame(fault, files, all) {
  for (const span of fault.spans) {
    const chunks = files.find(({ path }) => path === span.file_name)?.chunks ?? []
    if (!span.is_primary) continue
    const hit = chunks.filter(({ from, to }) => from <= span.byte_start && span.byte_end <= to)
    for (const { id } of hit) yield [id, isUnviable(fault, all[id]) ? 'unviable' : 'left']
    if (hit.length > 0) continue
    // It is about what is around: the innermost of what was put in, or the arms of a `match`.
    const isCause = ({ id }) => fault.code?.code !== 'E0004' || all[id].genre === 'MatchArm'
    const around = chunks.filter(
      (chunk) => isCause(chunk) && chunk.outer_from <= span.byte_start && span.byte_end <= chunk.outer_to,
    )
    const size = ({ outer_from, outer_to }) => outer_to - outer_from
    const least = Math.min(...around.map(size))
    for (const chunk of around) if (size(chunk) === least) yield [chunk.id, 'left']
  }
}

/** Types that do not fit, where they would not fit either if the mutant stood alone. */
const isUnviable = ({ code }, { genre, function: of }) =>
  ['E0277', 'E0308', 'E0369', 'E0599', 'E0600', 'E0614'].includes(code?.code) &&
  !(genre === 'FnValue' && /\bimpl\b/.test(of?.return_type ?? ''))

/** The files with all mutants that are not excluded. */
async function instrument(texts, all, excluded) {
  const files = [...texts].map(([path, text]) => ({
    path,
    text,
    mutants: all.filter(({ id, file }) => file === path && !excluded.has(id)),
  }))
  const args = ['run', '--quiet', '--locked', '--manifest-path', MANIFEST]
  const { code, out } = await output('cargo', args, {
    cwd: root,
    env: { ...process.env, CARGO_TARGET_DIR: join(root, 'target/mutants/instrument') },
    input: JSON.stringify(files),
  })
  if (code !== 0) throw new Error('the mutants could not be put into the crates')
  return JSON.parse(out)
}

/** The tests of packages, each with the program that it is in. */
async function findTests({ testPackages, tree, env }) {
  const args = ['test', '--no-run', '--message-format=json', '--lib', '--tests']
  args.push(...testPackages.flatMap((name) => ['-p', name]))
  const { code, out } = await output('cargo', args, { cwd: tree, env })
  if (code !== 0)
    throw new Error(`the tests with the mutants do not compile: ${faultsIn(out)[0]?.rendered ?? out}`)
  const programs = messages(out).filter(({ executable, profile }) => executable && profile?.test)
  const tests = await Promise.all(
    programs.map(async ({ executable, manifest_path }) => {
      const cwd = dirname(manifest_path)
      const { out } = await output(executable, ['--list', '--format', 'terse'], { cwd, env })
      const names = out.split('\n').flatMap((line) => /^(.*): test$/.exec(line)?.[1] ?? [])
      return names.map((name) => ({ name, executable, cwd, env: { ...env, CARGO_MANIFEST_DIR: cwd } }))
    }),
  )
  return tests.flat()
}

/** Runs a test without a mutant. */
async function reach(test, folder) {
  mkdirSync(folder, { recursive: true })
  const file = join(
    folder,
    `${test.executable.split(/[\\/]/).at(-1)}-${test.name.replaceAll(/\W+/g, '-')}.txt`,
  )
  rmSync(file, { force: true })
  const from = performance.now()
  const outcome = await runTest(test, { MUTANTS_REACHED: file }, 600_000)
  test.time = performance.now() - from
  test.isSound = outcome === 'passed'
  if (!test.isSound) console.log(`left out  ${test.name}: it fails as it is (${outcome})`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  test.reached = new Set(lines.map(Number))
}

async function tryOne({ id }, tests) {
  for (const test of tests) {
    const outcome = await runTest(test, { MUTANT: String(id) }, patience(test.time))
    if (outcome !== 'passed') return { status: outcome === 'late' ? 'timeout' : 'killed', by: test }
  }
  return { status: 'survived' }
}

async function runTest({ executable, name, cwd, env }, more, milliseconds) {
  const args = ['--exact', name, '--test-threads', '1']
  const child = spawn(executable, args, { cwd, env: { ...env, ...more }, stdio: 'ignore' })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, milliseconds)
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearTimeout(timer)
  return isLate ? 'late' : code === 0 ? 'passed' : 'failed'
}

/** What the compiler refuses. */
const faultsIn = (out) =>
  messages(out).flatMap(({ message }) => (message?.level === 'error' ? [message] : []))

/** What cargo says, one message a line. */
const messages = (out) => out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))

/** The exit status of a program and what it writes. What it complains of is shown. */
function output(command, args, { cwd, env, input }) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  })
  const out = []
  child.stdout.on('data', (bytes) => out.push(bytes))
  child.stdin?.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out: Buffer.concat(out).toString('utf8') }))
  })
}
