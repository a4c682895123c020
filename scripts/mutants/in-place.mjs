// Runs each test of a file once for each mutant that it is to be held against, one after the other in one process: a start of a process for each would take a
// hundred times as long as the tests themselves. What it finds is a line of JSON each in `MUTANTS_FOUND`; what to try is in `MUTANTS_PLAN`, by the test's id.
import { appendFileSync, readFileSync } from 'node:fs'
import { TestRunner } from 'vitest'

const { choose, wasReached } = await import(process.env['MUTANTS_QUESTIONS'])
const plan = JSON.parse(readFileSync(process.env['MUTANTS_PLAN'], 'utf8'))
const tell = (what) => appendFileSync(process.env['MUTANTS_FOUND'], `${JSON.stringify(what)}\n`)

let isUnhandled = false
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => (isUnhandled = true))

/** Milliseconds for a test, as far as it has no limit of its own. */
const LIMIT = 10_000

export default class InPlace extends TestRunner {
  /** What is left for the test that runs. */
  #left = []
  /** The mutant that runs, or null. */
  #mutant = null
  /** One that the test has failed with, until the test has passed without it: then it was the mutant's doing. */
  #suspect = null
  /** Those that were found. */
  #found = new Set()

  constructor(config) {
    super({ ...config, testTimeout: LIMIT })
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    this.#left = (plan[test.id] ?? []).filter((mutant) => !this.#found.has(mutant))
    this.#mutant = this.#suspect = null
    if (this.#left.length === 0) test.mode = 'skip'
    else test.retry = Number.MAX_SAFE_INTEGER
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test)
    choose(this.#mutant)
    if (this.#mutant !== null) tell({ tried: this.#mutant, test: test.id })
  }

  /** After a test and what follows each test. The first time is without a mutant, and so is that after a failure. */
  async onAfterRetryTask(test) {
    // What nobody handles is told of in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    const isReached = wasReached()
    choose(null)
    const hasFailed = test.result.state === 'fail' || isUnhandled
    const isLate = /timed out/.test(test.result.errors?.at(-1)?.message)
    isUnhandled = false
    if (this.#mutant === null) {
      if (hasFailed) {
        tell({ unrepeatable: test.id, after: this.#suspect?.mutant ?? null })
        this.#left = []
      } else if (this.#suspect !== null) {
        this.#found.add(this.#suspect.mutant)
        tell({ found: this.#suspect.mutant, test: test.id, isLate: this.#suspect.isLate })
      }
      this.#suspect = null
    } else if (hasFailed) {
      this.#suspect = { mutant: this.#mutant, isLate }
    } else {
      tell({ passed: this.#mutant, test: test.id, isReached })
    }
    const isOver = this.#suspect === null && this.#left.length === 0
    this.#mutant = this.#suspect === null ? (this.#left.pop() ?? null) : null
    // Vitest tries again what has failed of an error.
    test.result.state = isOver ? 'pass' : 'fail'
    test.result.errors = isOver ? undefined : [{ message: 'another mutant is next' }]
  }
}
