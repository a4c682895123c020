// Mutants of the TypeScript that decides verdicts. In a copy of the package all of them are there at once, each behind a question that a process answers
// (`questions.mjs`). One run of each test without a mutant tells which it comes by; a mutant is then held against those tests alone, until one fails:
// first in place, where a process runs a test once for each mutant, and then in processes of its own with those of which that shows nothing.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { root } from '../setup.mjs'
import { copyTree } from './copy.mjs'
import { inParallel, patience } from './likeliest.mjs'
import { mutationsOf } from './mutations.mjs'
import { withQuestions } from './questions.mjs'
import { identify, openResults } from './results.mjs'

const folder = join(root, 'target/mutants/typescript')
const tree = join(folder, 'tree')
const results = openResults('typescript')
const sources = join(root, 'ts/src')

/** How many tests a mutant is held against in place before the others have their turn: those that come by fewest others first. */
const TESTS_IN_PLACE = [6, 40, Infinity]

/** Milliseconds of a test that is too long to be run for each mutant. */
const LONG = 5_000

/** Milliseconds in which a test that runs for many mutants ends with one of them, or is taken for one that does not. */
const SILENCE = 25_000

/** Milliseconds for a mutant before the others have their turn. */
const FIRST_BUDGET = 12_000

/** Milliseconds until a file's first test begins. */
const START = 1_000

/** What is mutated. */
const MUTATED = ['verifier', 'sampler']

/** The tests that are asked: those that come to the verifier or the sampler without programs, pages or other modules. */
const TESTS =
  /^(shared\/(?!light-client|prover|serve|sizes)|wasm\/(blocks|forks|(gloas|spec)-gossip|hostile|sidecar-rules)|node\/(assemble|refusals|sampler|proposer|model-(sampler|follow)))/

/** Mutants of the files whose paths have one of `files` in them, in their order, until the time `deadline`; `again`: those that survived, too. */
export async function mutateTypeScript({ files, again, deadline }) {
  const mutants = makeTree()
  const runners = Array.from({ length: availableParallelism() }, (_, number) => new Runner(number))
  const each = (items, act) => inParallel(items, runners, act)
  try {
    const reaches = await reachOf(mutants, each, deadline)
    // Without all tests nobody knows what survives.
    if (Date.now() > deadline) return
    const rank = ({ path }) => files.findIndex((file) => path.includes(file))
    const isTried = ({ id }) => {
      const known = results.statusOf(id)
      return known === undefined || (again && known === 'survived')
    }
    const wanted = mutants.filter((mutant) => rank(mutant) >= 0 && isTried(mutant) && !isEquivalent(mutant))
    wanted.sort((a, b) => rank(a) - rank(b))
    console.log(`${wanted.length} mutants`)
    const tell = (mutant, status) => {
      results.add([[mutant.id, status]])
      console.log(`${status.padEnd(9)} ${mutant.path}:${mutant.line}  ${mutant.what}`)
    }
    const inPlace = new InPlace(wanted, reaches, tell)
    for (const most of TESTS_IN_PLACE) await inPlace.tryAll(each, most, deadline)

    const left = wanted.flatMap((mutant) => {
      if (inPlace.isFound(mutant)) return []
      const candidates = candidatesOf(mutant, reaches, (test) => !inPlace.hasPassed(mutant, test))
      if (candidates.length > 0) return [{ mutant, candidates }]
      tell(mutant, 'survived')
      return []
    })
    console.log(`${left.length} mutants are left for processes of their own`)
    const attempt = async ({ mutant, candidates }, runner, budget) => {
      const { status, rest } = await tryMutant(runner, mutant, candidates, Math.min(budget, deadline))
      if (status === undefined) return { mutant, candidates: rest }
      tell(mutant, status)
      return null
    }
    // What survives has all its tests run: after the others.
    const slow = []
    await each(left, async (one, runner) => {
      const rest = await attempt(one, runner, Date.now() + FIRST_BUDGET)
      if (rest !== null) slow.push(rest)
    })
    console.log(`${slow.length} mutants were not found in ${FIRST_BUDGET / 1000} s`)
    await each(slow, (one, runner) => attempt(one, runner, Infinity))
  } finally {
    for (const runner of runners) runner.stop()
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

/**
 * Lays out the copy: the tests, the modules, and the package compiled file by file, with all mutants in it. They are given back, each with its number: the
 * same for as long as the scripts are the same.
 */
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
  // One file, of which no mutant is made.
  copyTree(join(root, 'dist/inline'), join(tree, 'dist/inline'))
  let count = 0
  return sourceFiles().flatMap((path) => {
    if (path.startsWith('inline/')) return []
    const script = compile(path)
    const mutants = isMutated(path) ? mutantsOf(path, script) : []
    for (const mutant of mutants) mutant.number = count++
    mkdirSync(dirname(script.path), { recursive: true })
    writeFileSync(
      script.path,
      mutants.length === 0 ? script.text : withQuestions(script.text, mutants, QUESTIONS),
    )
    return mutants
  })
}

/** What the scripts ask. */
const QUESTIONS = pathToFileURL(join(tree, 'scripts/mutants/is-mutant.mjs')).href

/** By file of tests, which mutants each of its tests comes by, and the milliseconds that it takes. It is kept until tests or scripts change. */
async function reachOf(mutants, each, deadline) {
  const kept = join(folder, 'reach')
  mkdirSync(kept, { recursive: true })
  const files = filesIn(join(tree, 'tests')).filter((path) => path.endsWith('.test.ts') && TESTS.test(path))
  const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')
  const counting = readFileSync(join(root, 'scripts/mutants/reached.mjs'), 'utf8')
  const state = hash(process.version, counting, ...mutants.map(({ id }) => id))
  const reaches = []
  await each(files, async (file, runner) => {
    const path = join(tree, 'tests', file)
    const key = hash(state, readFileSync(path, 'utf8')).slice(0, 16)
    const at = join(kept, `${file.replaceAll('/', '-')}.json`)
    let reach = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {}
    if (reach.key !== key) {
      if (Date.now() > deadline) return
      const { failure, ...found } = await runner.reach(file)
      // A file that fails as it is says nothing.
      if (failure !== null) console.log(`left out  ${file}: ${failure.message}`)
      reach = { key, file, ...(failure === null ? found : { tests: [], around: [] }) }
      writeFileSync(at, JSON.stringify(reach))
      console.log(`reach     ${file}: ${reach.tests.length} tests`)
    }
    const tests = reach.tests.map((test) => ({ ...test, file, reached: new Set(test.reached) }))
    reaches.push({ file, tests, around: new Set(reach.around) })
  })
  return reaches
}

/** The tests that come by a mutant and are wanted, those of a file together: first the files that try most in a second. */
function candidatesOf({ number }, reaches, isWanted) {
  return reaches
    .map(({ file, tests, around }) => {
      const some = tests.filter((test) => (test.reached.has(number) || around.has(number)) && isWanted(test))
      const time = some.reduce((sum, test) => sum + test.time, 0)
      return { file, time, ids: some.map(({ id }) => id) }
    })
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => b.ids.length / (START + b.time) - a.ids.length / (START + a.time))
}

/** Mutants that are held against tests in place. */
class InPlace {
  #left
  #reaches
  #tell
  /** By mutant: its tests that can be run in place, those first that come by fewest others. */
  #tests
  /** Mutants and tests that passed all the same, as far as that shows anything; those that showed nothing; and tests that cannot be run again. */
  #passed = new Set()
  #tried = new Set()
  #unrepeatable = new Set()

  /** `tell` is told of each mutant that is found. */
  constructor(mutants, reaches, tell) {
    this.#left = new Map(mutants.map((mutant) => [mutant.number, mutant]))
    this.#reaches = reaches
    this.#tell = tell
    const quick = reaches
      .flatMap(({ tests }) => tests)
      .filter(({ isAlone, time }) => isAlone && time < LONG)
      .sort((a, b) => a.reached.size - b.reached.size || a.time - b.time)
    this.#tests = new Map(
      mutants.map(({ number }) => [number, quick.filter(({ reached }) => reached.has(number))]),
    )
  }

  isFound({ number }) {
    return !this.#left.has(number)
  }

  hasPassed({ number }, { id }) {
    return this.#passed.has(`${number} ${id}`)
  }

  /** Holds each mutant that is left against as many of its tests, but for those that it was held against before. */
  async tryAll(each, most, deadline) {
    await each(this.#reaches, async ({ file, around }, runner) => {
      for (;;) {
        if (Date.now() > deadline) return
        const plan = this.#planOf(file, most)
        if (Object.keys(plan).length === 0) return
        const { found, isLate } = await runner.runInPlace(file, plan)
        for (const one of found) this.#note(one, around)
        // One that keeps its thread busy for ever.
        if (isLate && found.at(-1)?.tried !== undefined) this.#end(found.at(-1).tried, 'timeout')
        // Where nothing was tried the file fails as it is.
        if (found.length === 0) for (const test of Object.keys(plan)) this.#unrepeatable.add(test)
      }
    })
    console.log(`${this.#left.size} mutants are left after ${most} tests in place`)
  }

  /** By test of a file, the mutants that it is to be run for. */
  #planOf(file, most) {
    const plan = {}
    for (const number of this.#left.keys())
      for (const { id, file: one } of this.#tests.get(number).slice(0, most))
        if (one === file && !this.#tried.has(`${number} ${id}`) && !this.#unrepeatable.has(id))
          (plan[id] ??= []).push(number)
    return plan
  }

  #note({ tried, found, passed, unrepeatable, test, isReached, isLate }, around) {
    if (unrepeatable !== undefined) this.#unrepeatable.add(unrepeatable)
    if (tried !== undefined) this.#tried.add(`${tried} ${test}`)
    // What runs around the tests too may show there alone.
    if (passed !== undefined && isReached && !around.has(passed)) this.#passed.add(`${passed} ${test}`)
    if (found !== undefined) this.#end(found, isLate ? 'timeout' : 'killed')
  }

  #end(number, status) {
    const mutant = this.#left.get(number)
    if (mutant === undefined) return // another process was quicker
    this.#left.delete(number)
    this.#tell(mutant, status)
  }
}

/**
 * Runs tests with a mutant until one fails, or until the time `budget`: without a status, and with the `rest` of them then. Files share a process where each
 * would have little to do.
 */
async function tryMutant(runner, { number }, candidates, budget) {
  for (let at = 0; at < candidates.length;) {
    if (Date.now() > budget) return { rest: candidates.slice(at) }
    const some = candidates.slice(at, at + together(candidates.slice(at)))
    const shared = some.length > 1 ? (await runner.run(some, number)).failure : undefined
    // What fails may miss what another file has changed in the process that they share.
    if (shared !== null) {
      const hasFailed = ({ file }) => Number(shared?.file === join(tree, 'tests', file))
      const suspects = some.toSorted((a, b) => hasFailed(b) - hasFailed(a))
      const found = await tryEach(runner, number, suspects)
      if (found.status !== 'survived') return found
    }
    at += some.length
  }
  return { status: 'survived' }
}

async function tryEach(runner, number, candidates) {
  for (const one of candidates) {
    const { failure, isLate } = await runner.run([one], number)
    if (isLate) return { status: 'timeout' }
    if (failure !== null) return { status: 'killed' }
  }
  return { status: 'survived' }
}

/** How many of them share a process: so many that its start is little beside them. */
function together(candidates) {
  let time = 0
  const last = candidates.findIndex((one) => (time += one.time) > 5 * START)
  return last === -1 ? candidates.length : last + 1
}

/** Runs tests in the copy. Of all that it starts, one process at a time has work. */
class Runner {
  #mutantFile
  #reachedFile
  #planFile
  #foundFile
  #alone
  #inPlace

  constructor(number) {
    const at = (name) => join(folder, `${name}-${number}.json`)
    this.#mutantFile = at('mutant')
    this.#reachedFile = at('reached')
    this.#planFile = at('plan')
    this.#foundFile = at('found')
  }

  /** Runs some tests of files, with a mutant. */
  async run(some, mutant) {
    writeFileSync(this.#mutantFile, String(mutant))
    const files = some.map(({ file, ids }) => ({ file: join(tree, 'tests', file), ids }))
    return await this.#ask(files, patience(some.reduce((sum, { time }) => sum + time, 0)))
  }

  /** Runs a file without one, and gives the mutants that each of its tests comes by. */
  async reach(file) {
    writeFileSync(this.#mutantFile, '')
    rmSync(this.#reachedFile, { force: true })
    const { failure } = await this.#ask([{ file: join(tree, 'tests', file) }], 600_000)
    const { tests, around } = existsSync(this.#reachedFile)
      ? JSON.parse(readFileSync(this.#reachedFile, 'utf8'))
      : { tests: [], around: [] }
    return { failure, tests, around }
  }

  /** Runs tests of a file in place, each for the mutants that the plan has for it, and gives what was found until it ended or hung. */
  async runInPlace(file, plan) {
    writeFileSync(this.#planFile, JSON.stringify(plan))
    writeFileSync(this.#foundFile, '')
    this.#inPlace ??= new Child({
      MUTANTS_PLAN: this.#planFile,
      MUTANTS_FOUND: this.#foundFile,
      BLOBCHECK_TEST_RUNNER: join(tree, 'scripts/mutants/in-place.mjs'),
    })
    const size = () => statSync(this.#foundFile).size
    const files = [{ file: join(tree, 'tests', file), ids: Object.keys(plan) }]
    const { isLate } = await this.#inPlace.ask(files, SILENCE, size)
    const lines = readFileSync(this.#foundFile, 'utf8').split('\n').filter(Boolean)
    return { found: lines.map((line) => JSON.parse(line)), isLate }
  }

  stop() {
    this.#alone?.stop()
    this.#inPlace?.stop()
  }

  async #ask(files, milliseconds) {
    this.#alone ??= new Child({ MUTANT_FILE: this.#mutantFile, MUTANTS_REACHED: this.#reachedFile })
    return await this.#alone.ask(files, milliseconds)
  }
}

/** Vitest in a process of its own; another where one had to be ended. */
class Child {
  #child = null
  #env

  constructor(env) {
    this.#env = env
  }

  /** Runs tests of files. Where it does not end in time, or where `progress` gives the same number for as long, the process is ended. */
  async ask(files, milliseconds, progress = () => 0) {
    const child = await this.#start()
    let timer
    const answer = await new Promise((resolve) => {
      let [seen, since] = [progress(), Date.now()]
      timer = setInterval(() => {
        const now = progress()
        if (now !== seen) [seen, since] = [now, Date.now()]
        if (Date.now() - since > milliseconds) resolve(null)
      }, 500)
      child.once('message', resolve)
      child.once('exit', () => resolve(null))
      child.send(files)
    })
    clearInterval(timer)
    child.removeAllListeners()
    if (answer !== null) return { ...answer, isLate: false }
    this.stop()
    return { failure: { message: 'it came to no end' }, isLate: true }
  }

  stop() {
    if (this.#child !== null) end(this.#child)
    this.#child = null
  }

  async #start() {
    if (this.#child !== null) return this.#child
    const child = fork(join(tree, 'scripts/mutants/runner.mjs'), [], {
      cwd: tree,
      // A group, so that all that it has started ends with it.
      detached: true,
      env: {
        ...process.env,
        ...this.#env,
        CI: 'true',
        MUTANTS_QUESTIONS: QUESTIONS,
        BLOBCHECK_TEST_SETUP: join(tree, 'scripts/mutants/reached.mjs'),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', () => reject(new Error('Vitest did not start')))
    })
    return child
  }
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
