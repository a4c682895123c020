// Mutants of the TypeScript that decides verdicts. In a copy of the package, one compiled file at a time is altered in one place, and the tests that
// reach the place run, the likeliest and the quickest first, until one fails.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { root } from '../setup.mjs'
import { copyTree } from './copy.mjs'
import { mutationsOf } from './mutations.mjs'
import { identify, openResults } from './results.mjs'

const folder = join(root, 'target/mutants/typescript')
const tree = join(folder, 'tree')
const results = openResults('typescript')
const sources = join(root, 'ts/src')

/** What is mutated. */
const MUTATED = ['verifier', 'sampler']

/** The tests that are asked: of what is about threads and time rather than verdicts only the files that have workers fail. */
const TESTS =
  /^(shared\/(anchors|bad-input|bare|batch|block|bounded|buffer|cache|crash|gloas|hashing|kernel|misuse|out-of|real|sampler|unit|vectors)|node\/(assemble|refusals|sampler|proposer))/

/** Milliseconds after which a file of tests that takes so many of the processor's does not come to its end any more. */
const patience = (cpu) => 20_000 + 10 * cpu

/** Mutants of the files whose paths have one of `files` in them, in their order, until the time `deadline`; `again`: those that survived, too. */
export async function mutateTypeScript({ files, again, deadline }) {
  const scripts = makeTree()
  const runner = new Runner()
  try {
    const reach = await reachOf(scripts, runner, deadline)
    const isTried = (path) => isMutated(path) && files.some((file) => path.includes(file))
    const rank = (path) => files.findIndex((file) => path.includes(file))
    const chosen = [...scripts].filter(([path]) => isTried(path)).sort(([a], [b]) => rank(a) - rank(b))
    for (const [path, script] of chosen) {
      for (const mutant of mutantsOf(path, script)) {
        const known = results.statusOf(mutant.id)
        if (known !== undefined && !(again && known === 'survived')) continue
        if (isEquivalent(mutant)) continue
        if (Date.now() > deadline) return
        const { from, to, by, line, what } = mutant
        const tests = likeliestFirst(path, reach(path, mutant))
        writeFileSync(script.path, `${script.text.slice(0, from)}${by}${script.text.slice(to)}`)
        const result = await tryMutant(runner, tests)
        writeFileSync(script.path, script.text)
        results.add([[mutant.id, result.status]])
        if (result.by !== undefined) finds.set(`${path} ${result.by}`, findsOf(path, result.by) + 1)
        console.log(`${result.status.padEnd(9)} ${path}:${line}  ${what}`)
      }
    }
  } finally {
    runner.stop()
  }
}

/** By folder: how many mutants there are, and what became of them. */
export function typeScriptFigures() {
  return MUTATED.map((name) => {
    const figures = {
      name: `ts/src/${name}`,
      mutants: 0,
      killed: 0,
      timeout: 0,
      survived: 0,
      equivalent: 0,
      untried: 0,
    }
    for (const path of sourceFiles()) {
      if (!path.startsWith(`${name}/`)) continue
      for (const mutant of mutantsOf(path, compile(path))) {
        figures.mutants++
        if (isEquivalent(mutant)) figures.equivalent++
        else figures[results.statusOf(mutant.id) ?? 'untried']++
      }
    }
    return figures
  })
}

const isMutated = (path) => MUTATED.some((name) => path.startsWith(`${name}/`))

const sourceFiles = () => filesIn(sources).filter((path) => path.endsWith('.ts'))

const filesIn = (path) =>
  readdirSync(path, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

/** A file of `ts/src` as JavaScript, and the line of its source that each of its lines comes from. */
function compile(path) {
  const text = readFileSync(join(sources, path), 'utf8')
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const { outputText, sourceMapText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      ...ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
      module: ts.ModuleKind.ESNext,
      declaration: false,
      isolatedDeclarations: false,
      sourceMap: true,
    },
  })
  const lines = decode(JSON.parse(sourceMapText).mappings)
  return {
    path: join(tree, 'dist', path.replace(/\.ts$/, '.js')),
    text: outputText.replace(/\n\/\/# sourceMappingURL.*$/, '\n'),
    lines: text.split('\n'),
    lineOf: (line) => (lines[line]?.[0]?.[2] ?? 0) + 1,
  }
}

/** The mutants of a file. */
function mutantsOf(path, { text, lines, lineOf }) {
  return identify(
    mutationsOf(text).map((mutation) => {
      const line = lineOf(text.slice(0, mutation.from).split('\n').length - 1)
      return { ...mutation, line, source: (lines[line - 1] ?? '').trim(), path }
    }),
  )
}

/** Lays out the copy: the tests, the modules, and the package compiled file by file, so that one file is altered without the others. */
function makeTree() {
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  for (const name of [
    'package.json',
    'vitest.config.ts',
    'tsconfig.json',
    'scripts',
    'tests',
    'wasm',
    'data',
  ])
    copyTree(join(root, name), join(tree, name))
  for (const name of ['node_modules', 'crates', 'tests/lodestar/node_modules'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(tree, name), 'junction')
  const scripts = new Map(sourceFiles().map((path) => [path, compile(path)]))
  for (const { path, text } of scripts.values()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return scripts
}

/**
 * Which tests reach a place: V8 counts that for each function and branch, in threads as well, and each file of tests runs once for it. What it
 * said is kept until the tests or what is mutated change.
 */
async function reachOf(scripts, runner, deadline) {
  const kept = join(folder, 'reach')
  mkdirSync(kept, { recursive: true })
  const mutated = [...scripts].filter(([path]) => isMutated(path))
  const files = filesIn(join(tree, 'tests')).filter((path) => path.endsWith('.test.ts') && TESTS.test(path))
  const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')
  const state = hash(process.version, ...mutated.map(([, { text }]) => text))
  const reaches = []
  for (const file of files) {
    const path = join(tree, 'tests', file)
    const key = hash(state, readFileSync(path, 'utf8')).slice(0, 16)
    const at = join(kept, `${file.replaceAll('/', '-')}.json`)
    let reach = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {}
    if (reach.key !== key) {
      if (Date.now() > deadline) continue
      const { passed, failure, cpu, places } = await runner.reach(path, mutated)
      // A test that fails as it is says nothing.
      if (failure !== null) console.log(`left out  ${file}: ${failure.test}: ${failure.message}`)
      reach = { key, file, cpu, places: failure === null && passed > 0 ? places : {} }
      writeFileSync(at, JSON.stringify(reach))
      console.log(`reach     ${file}: ${Object.keys(reach.places).length} files, ${Math.round(cpu)} ms`)
    }
    reaches.push(reach)
  }
  reaches.sort((a, b) => a.cpu - b.cpu)
  return (path, { from }) =>
    reaches
      .filter(({ places }) => places[path]?.some(([start, end]) => start <= from && from < end))
      .map(({ file, cpu }) => ({ file, cpu }))
}

/** How many mutants of a file each file of tests has found in this run. */
const finds = new Map()
const findsOf = (path, file) => finds.get(`${path} ${file}`) ?? 0

/** Files of tests, the quickest first, in the order of how many mutants of this file each has found so far. */
function likeliestFirst(path, files) {
  return files.sort((a, b) => findsOf(path, b.file) - findsOf(path, a.file))
}

/** Runs files of tests until one fails. */
async function tryMutant(runner, files) {
  for (const { file, cpu } of files) {
    const { failure, isLate, passed } = await runner.run(join(tree, 'tests', file), patience(cpu))
    if (isLate) return { status: 'timeout', by: file }
    if (failure !== null || passed === 0) return { status: 'killed', by: file }
  }
  return { status: 'survived' }
}

/** What was counted is written when a process exits, and not when a signal ends it, as Vitest has it. */
const EXIT_IN_ORDER = '--import data:text/javascript,process.on(`SIGTERM`,()=>process.exit())'

/** Vitest in a process of its own, in the copy; another where one had to be ended. */
class Runner {
  #child = null
  #coverage = join(folder, 'coverage')

  async run(file, milliseconds) {
    const child = await this.#start({})
    return await this.#ask(child, file, milliseconds)
  }

  /** The parts of what is mutated that a file of tests runs through. */
  async reach(file, mutated) {
    this.stop()
    rmSync(this.#coverage, { recursive: true, force: true })
    mkdirSync(this.#coverage, { recursive: true })
    const child = await this.#start({ NODE_V8_COVERAGE: this.#coverage, NODE_OPTIONS: EXIT_IN_ORDER })
    const answer = await this.#ask(child, file, 600_000)
    if (this.#child !== null) {
      child.disconnect()
      await once(child, 'exit')
      this.#child = null
    }
    return { ...answer, places: this.#places(mutated) }
  }

  stop() {
    if (this.#child === null) return
    end(this.#child)
    this.#child = null
  }

  async #start(env) {
    if (this.#child !== null) return this.#child
    const child = fork(join(tree, 'scripts/mutants/runner.mjs'), [], {
      cwd: tree,
      // A group, so that all that it has started ends with it.
      detached: true,
      env: { ...process.env, CI: 'true', ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', () => reject(new Error('Vitest did not start')))
    })
    return child
  }

  async #ask(child, file, milliseconds) {
    let timer
    const answer = await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), milliseconds)
      child.once('message', resolve)
      child.once('exit', () => resolve(null))
      child.send(file)
    })
    clearTimeout(timer)
    child.removeAllListeners()
    if (answer !== null) return { ...answer, isLate: false }
    this.stop()
    return { passed: 0, failure: null, cpu: 0, isLate: true }
  }

  /** By source file, the ranges in which anything ran, of all that was written. */
  #places(mutated) {
    const byUrl = new Map(
      mutated.map(([path, script]) => [script.path, { path, length: script.text.length }]),
    )
    const ran = {}
    for (const name of readdirSync(this.#coverage)) {
      const { result } = JSON.parse(readFileSync(join(this.#coverage, name), 'utf8'))
      for (const { url, functions } of result) {
        const script = url.startsWith('file:') ? byUrl.get(fileURLToPath(url)) : undefined
        if (script === undefined) continue
        const places = new Uint8Array(script.length)
        // An inner range has another count than the one around it, and comes after it.
        const ranges = functions.flatMap(({ ranges }) => ranges)
        ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
        for (const { startOffset, endOffset, count } of ranges)
          places.fill(count > 0 ? 1 : 0, startOffset, endOffset)
        const all = (ran[script.path] ??= new Uint8Array(script.length))
        places.forEach((one, at) => (all[at] |= one))
      }
    }
    return Object.fromEntries(Object.entries(ran).map(([path, places]) => [path, rangesOf(places)]))
  }
}

/** From and to where an array is not 0. */
function rangesOf(places) {
  const ranges = []
  for (let at = 0; at < places.length; at++)
    if (places[at] === 1) {
      if (ranges.at(-1)?.[1] === at) ranges.at(-1)[1]++
      else ranges.push([at, at + 1])
    }
  return ranges
}

function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Mutants that change nothing that anybody could see, each with its reason. */
const equivalents = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'))

const isEquivalent = ({ path, source, what }) =>
  equivalents.some((one) => one.file === path && one.line === source && one.what === what)
