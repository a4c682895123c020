// `npm test`: sets up what is missing, runs what each change waits for, and ends with one line that counts it all.
// `npm run test:all` is this with `--all`: everything, for a night, a release, and a change of what test-selection.mjs leaves to it.
// `npm run test:quick` is this with `--quick`, for the inner loop: formats, lints, types, the tests of Rust in arkworks' arithmetic, and
// those of the package that take no patience and do not prove, in this Node with the baseline kernel. It never stands for the others.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readCargo } from './cargo-report.mjs'
import { ensureChromium } from './chromium.mjs'
import { consumers } from './consumers.mjs'
import { prepareCurrentNode } from './current-node.mjs'
import { prepareDocs } from './docs.mjs'
import { ensureEngines } from './engines.mjs'
import { writeExamples } from './examples.mjs'
import { fingerprint, lastGreen, rememberGreen } from './green.mjs'
import { installPackages } from './install.mjs'
import { ensureRedis } from './redis.mjs'
import { run } from './run.mjs'
import { fusedFlags, hostTarget } from './rust.mjs'
import { buildModulesOrExit, prepareOrExit, root } from './setup.mjs'
import { fail, inWords, pass, printEnd, ranIn, skip, stage, took, total } from './tally.mjs'
import { ofAChange } from './test-selection.mjs'

const isQuick = process.argv.includes('--quick')
const isWhole = process.argv.includes('--all')
let vitestRuns = 0

/**
 * What computes on the curve: in the whole run, its tests run on the arithmetic of the baseline's modules, and on the engine's own kernel for relaxed
 * SIMD, with arkworks' fields below it (those of the modules are the baseline's, which `properties` holds against arkworks). For a change they run on
 * arkworks' alone, as all others do: the engine's tests go over each kernel in any case, and the modules have the vectors and hostile points.
 */
const ARITHMETIC = ['curve', 'kzg', 'bls', 'properties'].map((crate) => `blobcheck-${crate}`)

// Nothing is compiled a second time there: no gigabyte of what would make that quicker, and crates in two units of code in place of 16, which are
// compiled in a tenth less of a processor's time, and run in a seventh less.
const isCi = process.env.CI === 'true'
if (isCi) {
  process.env.CARGO_INCREMENTAL ??= '0'
  process.env.CARGO_PROFILE_DEV_CODEGEN_UNITS ??= '2'
}

// What the tests need of others is fetched while what they test is built. In CI nothing is asked first, so that nothing waits for it.
const tools = stage('set-up', prepareOrExit)
const others = stage('set-up of what the tests need of others', prepareOthers)
const xtask = await tools
const inputs = isQuick || isCi ? null : await fingerprint(programsOf(await others))
const green = process.argv.includes('--force') ? null : lastGreen(inputs, isWhole)
if (green !== null) {
  console.log(`\nnothing has changed since all of this ran, at ${green.at}: these are its results`)
  console.log(`npm ${isWhole ? 'run test:all' : 'test'} -- --force runs it again`)
  console.log(`\n${inWords(green.total)}`)
  process.exit()
}

// Clippy is what compiles our own crates for their tests: `cargo clippy` by itself would read those of others once more. What it says is a failure.
const linted = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver', CARGO_TERM_COLOR: 'never' }
const rust = await rustEnvironment()

// Many tests wait, for a process, a timer or an answer, and the end of each build is one thread's. Cargo takes what they leave of the cores:
// it has work for all of them to its end.
const processes = ['--maxWorkers', String(availableParallelism() + 1)]
const proverSetup = makeProverSetup()
await Promise.all([testCrates(), testPackage()])

async function testCrates() {
  await proverSetup
  await check('cargo fmt', 'cargo', ['fmt', '--all', '--check'])
  await stage('Rust: tests and lints', testRust)
}

async function testPackage() {
  await stage('the package', buildModulesOrExit)
  // The smallest module; `npm run reproduce` has all of them, which take minutes.
  if (isCi && isWhole)
    await stage('the same module elsewhere', () =>
      check('cargo xtask reproduce', xtask, ['reproduce', 'beacon']),
    )
  const { currentNode, chromium, redis, engines } = await others
  await stage('TypeScript: formats, lints and types', checkTypeScript)
  await proverSetup
  if (isQuick) {
    await stage(`Node ${process.versions.node}`, () => vitest(process.execPath, 'quick', processes))
    return
  }
  await stage(`Node ${process.versions.node} and three browsers`, async () => {
    await Promise.all([testNode(chromium, redis), testBrowsers(chromium, engines)])
  })
  await stage('the packed package', () =>
    vitest(process.execPath, 'packed', processes, { BLOBCHECK_CHROMIUM: chromium }),
  )
  if (currentNode === null) {
    skip('what computes, under a current Node (there is no package of one for this platform)')
  } else if (currentNode !== process.execPath) {
    await stage('a current Node, for the relaxed-SIMD kernel', () =>
      vitest(currentNode, 'current-node', processes, { BLOBCHECK_EXPECT_RELAXED: '1' }),
    )
  }
}

async function testNode(chromium, redis) {
  const env = { BLOBCHECK_CHROMIUM: chromium, BLOBCHECK_REDIS: redis }
  const together = isWhole ? null : await vitest(process.execPath, 'together', processes, env)
  const apart = await vitest(process.execPath, 'node', processes, env)
  // The engine is told by one of the files that run together.
  together?.engines.forEach((engine) => ranIn(engine, apart.passed))
}

/** One browser after the other, and one page at a time: a browser's pages share an origin, and with it IndexedDB. */
async function testBrowsers(chromium, engines) {
  const inBrowser = async (project) =>
    await vitest(process.execPath, project, ['--maxWorkers', '1'], { BLOBCHECK_CHROMIUM: chromium })
  await inBrowser('browser')
  for (const [project, name, path] of [
    ['firefox', 'Firefox', engines.firefox],
    ['webkit', 'WebKit', engines.webKit],
  ])
    if (path === undefined) skip(`what depends on the engine, in ${name} (it is not here)`)
    else await inBrowser(project)
}

printEnd()
const counts = total()
if (isCi && counts.skipped > 0) {
  console.log('\nCI must skip nothing')
  process.exitCode = 1
}
if (counts.failed > 0) process.exitCode = 1
if (process.exitCode !== 1 && inputs !== null) {
  // What was changed meanwhile, some tests have seen as it was before, and some as it is now.
  if ((await fingerprint(programsOf(await others))) === inputs) rememberGreen(inputs, isWhole, counts)
  else console.log('\nsomething has changed while the tests ran: they run again the next time')
}
if (!isWhole)
  console.log(
    '\nthis is not everything: npm run test:all is, and scripts/test-selection.mjs names the difference',
  )
console.log(`\n${inWords(counts)}`)

/** Packages of npm's, and programs that it does not carry: the paths of these. */
async function prepareOthers() {
  const log = (step) => console.log(`set-up: ${step}`)
  const packages = [
    ['lodestar', 'another implementation’s types, for the tests'],
    ['adapters', 'the wallets’ libraries, for the tests of the adapters'],
    ['sizes', 'what holds the budgets of entries'],
    ['support/engines', 'what drives Firefox, and looks for faults of accessibility'],
    // A gigabyte; apart from the other packages, since they bring binaries for each platform.
    ...(isQuick
      ? []
      : [['consumers', 'bundlers, frameworks and runtimes, for the tests of the packed package']]),
    ['consumer/compilers', 'older compilers, for the tests of the declarations'],
  ]
  const inFolder = ([name, what]) => installPackages(join(root, 'tests', name), () => log(what))
  const [currentNode, programs] = await Promise.all([
    prepareCurrentNode(),
    preparePrograms(log),
    prepareDocs(log),
    ...packages.map(inFolder),
  ]).catch(endSetUp)
  return { currentNode, ...programs }
}

/** One after the other: the system's package manager does one thing at a time, and Chromium may be one of Playwright's, which `npm ci` installs. */
async function preparePrograms(log) {
  const engines = isQuick ? {} : await ensureEngines(log)
  await tools
  const chromium = isQuick ? '' : await ensureChromium(log)
  return { engines, chromium, redis: isWhole ? await ensureRedis(log) : '' }
}

/** What is not installed by a lock file: the tests' results hold for these. */
function programsOf({ currentNode, chromium, redis, engines }) {
  return [chromium, currentNode, redis, engines.firefox, engines.webKit]
}

function endSetUp(error) {
  console.error(`\nset-up failed: ${error.message}`)
  process.exit(1)
}

/**
 * One environment for all that is compiled for the tests, so that it is compiled once. Where the target is named, the flags are the target's
 * alone: macros and build scripts stay those that the set-up has compiled.
 */
async function rustEnvironment() {
  const [host, flags] = await Promise.all([hostTarget(), fusedFlags()])
  return host === undefined || flags === null
    ? linted
    : { ...linted, CARGO_BUILD_TARGET: host, RUSTFLAGS: flags }
}

/** What the package's tests prove with. `cargo xtask` would compile xtask itself anew in the environment of the tests. */
async function makeProverSetup() {
  await check('the prover’s setup', xtask, ['prover-setup'], rust)
}

async function testRust() {
  // All on arkworks' own arithmetic, which no module is built with: compiled once, and the quickest natively. Those of the prover take a minute: for a
  // change, its modules have the vectors and what they prove.
  const elsewhere = ['xtask', 'blobcheck-benches', ...(isWhole ? ARITHMETIC : ['blobcheck-prover'])]
  const crates = ['--workspace', ...elsewhere.flatMap((crate) => ['--exclude', crate])]
  await rustTests('the crates', crates, rust)
  // The build tool and its checks, as it was built already.
  await rustTests('xtask', ['--profile', 'tool', '--package', 'xtask'], linted)
  if (!isWhole) return
  // The prover's tests, which take four minutes of both cores with these, are left to the modules themselves: tests/wasm and
  // tests/shared prove and recover with each kernel.
  const packages = ARITHMETIC.flatMap((crate) => ['--package', crate])
  await rustTests('the baseline arithmetic', [...packages, '--features', 'blobcheck-curve/baseline'], rust)
  // The examples of documentation have been compiled by then, and the engine's own tests have run over each kernel. Decoders have no arithmetic.
  const targets = ['--lib', '--tests', '--features', 'blobcheck-curve/simd']
  const done = ['engine::', 'decoders'].flatMap((name) => ['--skip', name])
  await rustTests('the simd arithmetic', [...packages, ...targets], rust, done)
  const strictly = ['--package', 'blobcheck-benches', '--all-targets', '--', '-D', 'warnings']
  await check('cargo clippy, benches', 'cargo', ['clippy', '--quiet', '--locked', ...strictly], rust)
  const documented = ['doc', '--quiet', '--locked', '--workspace', '--no-deps']
  await check('cargo doc', 'cargo', documented, { ...rust, RUSTDOCFLAGS: '-D warnings' })
}

async function checkTypeScript() {
  const bin = (path) => join(root, 'node_modules', path)
  await check('oxfmt', process.execPath, [bin('oxfmt/bin/oxfmt'), '--check'])
  for (const [name, project] of [
    ['tests', 'tests'],
    ['page', 'web-demo'],
    ['service worker of the page', 'web-demo/service-worker'],
    ['simulated node of the page', 'web-demo/node'],
    ['tests of the adapters', 'tests/adapters'],
    [`${writeExamples()} examples of the documentation`, 'tests/examples'],
    ['those of them in JavaScript', 'tests/examples/js'],
  ])
    await check(`tsc (${name})`, process.execPath, [
      bin('typescript-native/bin/tsc'),
      '--noEmit',
      '-p',
      project,
    ])
  // Two at a time: most of them are JavaScript, on one thread.
  const waiting = consumers(isWhole ? undefined : isQuick ? ['7'] : ['5.0', '7'])
  const checkNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await check(next.name, process.execPath, next.args)
  }
  await Promise.all([checkNext(), checkNext()])
  await check('declarations, by themselves', process.execPath, [join(root, 'scripts/consumers.mjs')])
  const circles = [
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    'ts/src',
    '--config',
    '.dependency-cruiser.mjs',
  ]
  await check('who imports whom', process.execPath, circles)
}

/** A check that is one case: it holds or it does not. */
async function check(name, command, args, env = {}) {
  try {
    await run(command, args, { cwd: root, env, yields: command === 'cargo' })
    pass()
    console.log(`ok      ${name}`)
  } catch (error) {
    fail(name, error.output || error.message)
    console.log(`FAILED  ${name}\n${error.message}`)
  }
}

/** The tests of Rust, of what is selected; `which` is for the tests' own runner. */
async function rustTests(what, selection, env = {}, which = []) {
  const options = ['--quiet', '--locked', '--no-fail-fast', ...selection]
  const command = ['test', ...options, '--', '--nocapture', ...which]
  let ended = null
  const output = await run('cargo', command, { cwd: root, env, yields: true }).catch((error) => {
    ended = error.message
    console.log(error.message)
    return error.output ?? ''
  })
  const { suites, passed, ignored, failures, warnings } = readCargo(output)
  pass(passed)
  for (let i = 0; i < ignored; i++) skip('an ignored test of Rust')
  for (const { name, error } of failures) fail(name, error)
  for (const warning of warnings) fail(`a warning in ${what}`, warning)
  if (failures.length === 0 && (ended !== null || suites === 0))
    fail(`cargo test, ${what}`, ended ?? 'it ran nothing')
  console.log(`Rust, ${what}: ${passed} passed in ${suites} suites`)
}

/**
 * A project of vitest's, on the given Node; its own report is shown, and what it counts is read from the file that ours writes. Resolves with how many
 * tests passed, and in which engines.
 */
async function vitest(node, project, args, env = {}) {
  const selection = isWhole ? {} : ofAChange
  const report = join(root, 'target/reports', `vitest-${++vitestRuns}.json`)
  rmSync(report, { force: true })
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, ...args]
  let ended = null
  await run(node, command, {
    cwd: root,
    env: { ...selection, ...env, BLOBCHECK_REPORT: report },
    live: true,
  }).catch((error) => (ended = error.message))
  if (!existsSync(report)) {
    fail('vitest', 'it did not come to its end')
    return { passed: 0, engines: [] }
  }
  const { passed, failures, skipped, files, engines } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { file, ms, cpu } of files) took(file, ms, cpu)
  pass(passed)
  for (const engine of engines) ranIn(engine, engine.answers ?? passed)
  skipped.forEach(skip)
  for (const { name, error } of failures) fail(name, error)
  if (failures.length === 0 && ended !== null) fail('vitest', ended)
  return { passed, engines }
}
