// Mutants that are held against their tests in place: a process runs a test once for each of them (`in-place.mjs`).

/** Milliseconds of a test that is too long to be run for each mutant. */
const LONG = 5_000

/** Which mutants are left, and which of their tests they have passed. */
export class InPlace {
  #left
  #reaches
  #tell
  /** By mutant: its tests that can be run in place, the likeliest ones first. */
  #tests
  #finds
  /** Mutants with tests that they were held against, `17 id`. */
  #tried = new Set()
  /** Those of them that passed, where that shows something. */
  #passed = new Set()
  /** Tests that cannot be run again. */
  #unrepeatable = new Set()

  /** `tell` is told of each mutant that is found. */
  constructor(mutants, reaches, tell, finds) {
    this.#finds = finds
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
    for (const mutant of this.#left.values()) this.#sortTests(mutant)
    await each(this.#reaches, async ({ file, around }, runner) => {
      for (;;) {
        if (Date.now() > deadline) return
        const plan = this.#planOf(file, most)
        if (Object.keys(plan).length === 0) return
        const { found, isLate } = await runner.runInPlace(file, plan)
        for (const one of found) this.#note(one, around)
        // The last one keeps its thread busy for ever.
        const last = found.at(-1)?.tried
        if (isLate && last !== undefined) this.#end(last, 'timeout')
        // Where nothing was tried the file fails as it is.
        if (found.length === 0) for (const test of Object.keys(plan)) this.#unrepeatable.add(test)
      }
    })
    console.log(`${this.#left.size} mutants are left after ${most} tests in place`)
  }

  /** Those tests of a mutant first that found another one near it; of others those that come by fewest mutants. */
  #sortTests(mutant) {
    const distance = this.#finds.distanceFrom(mutant)
    this.#tests.get(mutant.number).sort((a, b) => distance(a.id) - distance(b.id))
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

  /** Takes note of a line that `in-place.mjs` has written. `around` the tests of its file the mutants of this set run, too. */
  #note({ tried, found, passed, unrepeatable, test, isReached, isLate }, around) {
    if (unrepeatable !== undefined) this.#unrepeatable.add(unrepeatable)
    if (tried !== undefined) this.#tried.add(`${tried} ${test}`)
    // What runs around the tests too may show there alone.
    if (passed !== undefined && isReached && !around.has(passed)) this.#passed.add(`${passed} ${test}`)
    if (found !== undefined) this.#end(found, isLate ? 'timeout' : 'killed', test)
  }

  /** `test`: the one that found it, where it came to its end. */
  #end(number, status, test) {
    const mutant = this.#left.get(number)
    if (mutant === undefined) return // another process was quicker
    this.#left.delete(number)
    if (test !== undefined) this.#finds.add(mutant.path, mutant.line, test)
    this.#tell(mutant, status)
  }
}
