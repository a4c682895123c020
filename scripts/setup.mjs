// Everything that has to be there before anything can run. Each step looks first whether it has been done, so that a
// second time costs a second. Needs Node and rustup's cargo; nothing of npm's, since it is what installs that.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { alone } from './alone.mjs'
import { inlineModule } from './bundle-inline.mjs'
import { installPackages } from './install.mjs'
import { allEnded, run } from './run.mjs'
import { buildXtask, isXtaskThere } from './rust.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Sets up these WebAssembly modules, by default all, and everything else; `log` gets a line for each step that does something. */
export async function setUp(log, modules = []) {
  await prepare(log)
  await buildModules(log, modules)
}

/**
 * What anything is built with: npm's packages, Rust's targets, the build tool, and the data that it takes out of published packages. Resolves with
 * the build tool's path.
 */
async function prepare(log) {
  checkNode()
  const [, xtask] = await allEnded([installPackages(root, () => log('npm packages')), prepareRust(log)])
  return xtask
}

/** The package itself: these WebAssembly modules, by default all, and `dist`. */
async function buildModules(log, modules = []) {
  await buildWasm(log, modules)
  await compile(log)
}

function checkNode() {
  if (canBuild(process.versions.node)) return
  throw new Error(
    `a clone of blobcheck is set up with Node 20.19 or a later 20, or 22.12 or later; this is ${process.versions.node}`,
  )
}

/** Whether what a clone is built with, Rolldown and Vite, runs on this version of Node. The package itself runs on older ones, too. */
export function canBuild(version) {
  const [major, minor] = version.split('.').map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

async function prepareRust(log) {
  await run('cargo', ['--version']).catch(() => {
    throw new Error(
      'blobcheck is built with Rust: install it from https://rustup.rs, and make sure that cargo is on the PATH',
    )
  })
  // Where rustup is not at hand (a distribution's Rust), the target may be installed all the same: look for it.
  const folder = (
    await run('rustc', ['--print', 'target-libdir', '--target', 'wasm32-unknown-unknown'], { isRead: true })
  ).trim()
  if (!existsSync(folder)) {
    log('Rust’s wasm32-unknown-unknown target')
    await run('rustup', ['target', 'add', 'wasm32-unknown-unknown'])
  }
  if (!isXtaskThere(root)) log('the build tool (crates/xtask)')
  const xtask = await buildXtask(root)
  await run('cargo', ['xtask', 'data'], { cwd: root })
  compressBlock()
  return xtask
}

/**
 * The recorded block as the package has it: a sixth of its bytes. Its name does not end with `.gz`: some servers, Vite's among them, take that
 * for the encoding of their answer, so that it depends on the server whether a page gets it compressed.
 */
function compressBlock() {
  const block = join(root, 'data/holesky_1409759_blob_sidecars.json')
  const compressed = `${block}.gzip`
  if (existsSync(compressed) && statSync(compressed).mtimeMs >= statSync(block).mtimeMs) return
  // Only what is whole gets its name: what an interrupted run has left would be taken for it.
  const part = `${compressed}.part`
  writeFileSync(part, gzipSync(readFileSync(block), { level: 9 }))
  renameSync(part, compressed)
}

/** The modules of `wasm-pack.toml`, as messages call them. */
const MODULES = {
  blobcheck: 'the specification’s functions',
  verifier: 'the verifier',
  beacon: 'blocks',
  light_client: 'the light client',
  prover: 'the prover',
}

async function buildWasm(log, modules) {
  const missing = Object.keys(MODULES)
    .filter((name) => modules.length === 0 || modules.includes(name))
    .filter((name) => !existsSync(join(root, `wasm/${name}_simd128.wasm`)))
  if (missing.length > 0)
    log(`WebAssembly for ${missing.map((name) => MODULES[name]).join(', ')} (minutes, the first time)`)
  // A module that is older than its sources takes as long as one that is missing: what is built is said when it begins.
  const onLine = (line) => {
    if (!line.endsWith('up to date')) log(line)
  }
  await run('cargo', ['xtask', 'wasm', ...modules], { cwd: root, onLine })
}

/** Works out the prover's points, which `blobcheck sample`, `serve` and `bench` prove blobs with. The build checks their hashes. */
export async function buildProverSetup(log) {
  const files = ['prover-setup.bin', 'prover-setup-extension.bin'].map((name) => join(root, 'wasm', name))
  // Those of before the points lay three in four numbers are longer.
  if (files.every((path) => statSync(path, { throwIfNoEntry: false })?.size === 262_176)) return
  log('the prover’s setup (a minute, the first time)')
  await run('cargo', ['xtask', 'prover-setup'], { cwd: root })
}

/** The scripts that write `dist`: named and not imported, since they need what npm installs. */
const compilerScripts = [
  'compile-typescript',
  'bundle-inline',
  'bundle-vendor',
  'bundle-workers',
  'licences',
  'package-contents',
].map((name) => `scripts/${name}.mjs`)

async function compile(log) {
  // Not in `dist`, all of which is published. It has the hash of all that went in, and what came out.
  const stamp = join(root, 'node_modules/.blobcheck-dist-stamp')
  const dist = join(root, 'dist')
  const types = ['', 'verifier_', 'beacon_', 'light_client_', 'prover_'].map((glue) =>
    join(root, `wasm/${glue}exports.d.ts`),
  )
  const there = types.filter((path) => existsSync(path))
  // The workers' scripts are bundled with the glue of the modules, and with what the lock file names of others.
  const glue = filesUnder(join(root, 'wasm')).filter((path) => /\.(js|d\.ts)$/.test(path))
  const files = ['tsconfig.json', 'package.json', 'package-lock.json', inlineModule, ...compilerScripts]
  const settings = files.map((path) => join(root, path))
  const inputs = [...filesUnder(join(root, 'ts/src')), ...glue, ...settings]
  const wanted = hash(inputs.filter((path) => existsSync(path)))
  const isThere = existsSync(stamp) && existsSync(dist)
  if (isThere && readFileSync(stamp, 'utf8') === wanted + listing(dist)) return
  log('the TypeScript')
  rmSync(stamp, { force: true })
  // Not before npm has installed what it needs.
  const { compileTypeScript } = await import('./compile-typescript.mjs')
  // Without a module there are no types of it: what uses it is compiled all the same, and checked when it is built.
  await compileTypeScript(root, { isChecked: there.length === types.length })
  writeFileSync(stamp, wanted + listing(dist))
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

/** The files of a folder and their sizes, a line for each. None is read: it is to be seen quickly whether one is gone, or cut. */
function listing(folder) {
  const line = (path) => `\n${path.slice(folder.length)} ${statSync(path).size}`
  return filesUnder(folder).map(line).join('')
}

function hash(paths) {
  const digest = createHash('sha256')
  for (const path of paths)
    digest.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return digest.digest('hex')
}

/** Builds the demo page, out of what has been set up; `withPeers`: with the libraries that it can be measured beside, which are never packed. */
export async function buildPage({ withPeers = false } = {}) {
  const { build } = await import('vite')
  await build({
    configFile: join(root, 'web-demo/vite.config.ts'),
    logLevel: 'warn',
    ...(withPeers && { mode: 'with-peers' }),
  })
}

const logStep = (step) => console.log(`set-up: ${step}`)

/** For scripts: sets up these modules, by default all, with a line for each step; ends the process where that fails. */
export async function setUpOrExit(modules) {
  await orExit(() => setUp(logStep, modules))
}

/** The first half of `setUpOrExit`, for a script that has other things to do beside the second. Resolves with the path of the build tool (crates/xtask). */
export async function prepareOrExit() {
  return await orExit(() => prepare(logStep))
}

/** The second half of `setUpOrExit`. */
export async function buildModulesOrExit() {
  await orExit(() => buildModules(logStep))
}

/** For scripts: all modules, and the prover's setup with them: what any command of `blobcheck` needs. */
export async function setUpAllOrExit() {
  await orExit(async () => {
    await setUp(logStep)
    await buildProverSetup(logStep)
  })
}

/** Two set-ups at once would write the same files: this one waits where another process sets up the same clone. */
async function orExit(task) {
  try {
    return await alone('set-up', task, () => logStep('waits for another one of this clone'))
  } catch (error) {
    console.error(`\nset-up failed: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}
