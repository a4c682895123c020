// Mutants of the TypeScript that decides verdicts. In a copy of the package all of them are there at once, each behind a question that a process answers
// (`questions.mjs`). One run of each test without a mutant tells which it comes by; a mutant is then held against those tests alone, until one fails.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { root } from '../setup.mjs'
import { copyTree } from './copy.mjs'
import { inParallel, Likeliest, patience } from './likeliest.mjs'
import { mutationsOf } from './mutations.mjs'
import { withQuestions } from './questions.mjs'
import { identify, openResults } from './results.mjs'

const folder = join(root, 'target/mutants/typescript')
const tree = join(folder, 'tree')
const results = openResults('typescript')
const sources = join(root, 'ts/src')

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
    const likeliest = new Likeliest()
    const attempt = async ({ mutant, candidates }, runner, budget) => {
      const { status, by, rest } = await tryMutant(runner, mutant, candidates, Math.min(budget, deadline))
      if (status === undefined) return { mutant, candidates: rest }
      if (by !== undefined) {
        likeliest.found('', by.file)
        likeliest.found(mutant.path, by.id)
      }
      results.add([[mutant.id, status]])
      console.log(`${status.padEnd(9)} ${mutant.path}:${mutant.line}  ${mutant.what}`)
      return null
    }
    // Most are found in seconds. What survives has all its tests run: after the others.
    const slow = []
    await each(wanted, async (mutant, runner) => {
      const candidates = candidatesOf(mutant, reaches, likeliest)
      const left = await attempt({ mutant, candidates }, runner, Date.now() + FIRST_BUDGET)
      if (left !== null) slow.push(left)
    })
    console.log(`${slow.length} mutants were not found in ${FIRST_BUDGET / 1000} s`)
    await each(slow, (left, runner) => attempt(left, runner, Infinity))
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
  let count = 0
  return sourceFiles().flatMap((path) => {
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
  const state = hash(process.version, ...mutants.map(({ id }) => id))
  const reaches = []
  await each(files, async (file, runner) => {
    const path = join(tree, 'tests', file)
    const key = hash(state, readFileSync(path, 'utf8')).slice(0, 16)
    const at = join(kept, `${file.replaceAll('/', '-')}.json`)
    let reach = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {}
    if (reach.key !== key) {
      if (Date.now() > deadline) return
      const { failure, tests } = await runner.reach(file)
      // A file that fails as it is says nothing.
      if (failure !== null) console.log(`left out  ${file}: ${failure.message}`)
      reach = { key, file, tests: failure === null ? tests : [] }
      writeFileSync(at, JSON.stringify(reach))
      console.log(`reach     ${file}: ${reach.tests.length} tests`)
    }
    const tests = reach.tests.map((test) => ({ ...test, reached: new Set(test.reached) }))
    reaches.push({ file, tests })
  })
  return reaches
}

/**
 * The tests that come by a mutant, some of a file at a time: first those that have found others of its script, then the files that have found most of all,
 * and that try most in a second.
 */
function candidatesOf({ path, number }, reaches, likeliest) {
  const tests = reaches.flatMap(({ file, tests }) =>
    tests.flatMap(({ id, time, reached }) => (reached.has(number) ? [{ name: id, file, time }] : [])),
  )
  const hasFound = (test) => likeliest.findsOf(path, test) > 0
  const [likely, others] = [tests.filter(hasFound), tests.filter((test) => !hasFound(test))]
  const findsOf = ({ file }) => likeliest.findsOf('', { name: file })
  const rateOf = ({ tests }) => tests.length / (START + timeOf(tests))
  const timeOf = (some) => some.reduce((sum, { time }) => sum + time, 0)
  return [
    ...byFile(likeliest.order(path, likely)),
    ...byFile(others).sort((a, b) => findsOf(b) - findsOf(a) || rateOf(b) - rateOf(a)),
  ].map(({ file, tests }) => ({ file, time: timeOf(tests), ids: tests.map(({ name }) => name) }))
}

function byFile(tests) {
  const files = new Map()
  for (const test of tests) files.set(test.file, [...(files.get(test.file) ?? []), test])
  return [...files].map(([file, tests]) => ({ file, tests }))
}

/**
 * Runs tests with a mutant until one fails, or until the time `budget`: without a status, and with the `rest` of them then. The first, which are likely to
 * find it, have a process of their own; of the others some share one.
 */
async function tryMutant(runner, { number }, candidates, budget) {
  for (let at = 0; at < candidates.length;) {
    if (Date.now() > budget) return { rest: candidates.slice(at) }
    const some = candidates.slice(at, at + (at === 0 ? 1 : together(candidates.slice(at))))
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
    if (failure !== null) return { status: 'killed', by: { file: one.file, id: failure.id } }
  }
  return { status: 'survived' }
}

/** How many of them share a process: so many that its start is little beside them. */
function together(candidates) {
  let time = 0
  const last = candidates.findIndex((one) => (time += one.time) > 5 * START)
  return last === -1 ? candidates.length : last + 1
}

/** Vitest in a process of its own, in the copy; another where one had to be ended. */
class Runner {
  #child = null
  #mutantFile
  #reachedFile

  constructor(number) {
    this.#mutantFile = join(folder, `mutant-${number}.txt`)
    this.#reachedFile = join(folder, `reached-${number}.json`)
  }

  /** Runs some tests of files, with a mutant. */
  async run(some, mutant) {
    writeFileSync(this.#mutantFile, String(mutant))
    const files = byFile(some).map(({ file, tests }) => ({
      file: join(tree, 'tests', file),
      ids: tests.flatMap(({ ids }) => ids),
    }))
    return await this.#ask(files, patience(some.reduce((sum, { time }) => sum + time, 0)))
  }

  /** Runs a file without one, and gives the mutants that each of its tests comes by. */
  async reach(file) {
    writeFileSync(this.#mutantFile, '')
    rmSync(this.#reachedFile, { force: true })
    const { failure } = await this.#ask([{ file: join(tree, 'tests', file) }], 600_000)
    if (!existsSync(this.#reachedFile)) return { failure, tests: [] }
    const { tests, around } = JSON.parse(readFileSync(this.#reachedFile, 'utf8'))
    return { failure, tests: tests.map((test) => ({ ...test, reached: [...test.reached, ...around] })) }
  }

  stop() {
    if (this.#child === null) return
    end(this.#child)
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
        CI: 'true',
        MUTANT_FILE: this.#mutantFile,
        MUTANTS_REACHED: this.#reachedFile,
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

  async #ask(message, milliseconds) {
    const child = await this.#start()
    let timer
    const answer = await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), milliseconds)
      child.once('message', resolve)
      child.once('exit', () => resolve(null))
      child.send(message)
    })
    clearTimeout(timer)
    child.removeAllListeners()
    if (answer !== null) return { ...answer, isLate: false }
    this.stop()
    return { failure: { message: 'it came to no end' }, isLate: true }
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
