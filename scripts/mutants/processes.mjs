// Processes that run tests of the copy: Vitest starts once in each.
import { fork } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { patience } from './likeliest.mjs'
import { folder, QUESTIONS, tree } from './tree.mjs'

/** Milliseconds in which a test that runs for many mutants ends with one of them, or is taken for one that does not. */
const SILENCE = 25_000

/** Milliseconds between two looks at what a process does. Looks are counted, since a machine may stand still. */
const LOOK = 500

/** Runs tests in the copy. Of all that it starts, one process at a time has work. */
export class Runner {
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
      let [seen, quiet] = [progress(), 0]
      timer = setInterval(() => {
        const now = progress()
        quiet = now === seen ? quiet + LOOK : 0
        seen = now
        if (quiet > milliseconds) resolve(null)
      }, LOOK)
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
