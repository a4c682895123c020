// Which tests a mutant is held against first, and for how long.

/** Milliseconds after which tests that take so many without a mutant do not come to their end any more. */
export const patience = (time) => 20_000 + 10 * time

/** Which tests found how many mutants of which files so far. */
export class Likeliest {
  #finds = new Map()

  /** Tests, each with its `name` and the `time` that it takes: those first that found most mutants of a file so far, of others the quickest. */
  order(file, tests) {
    return tests.toSorted((a, b) => this.findsOf(file, b) - this.findsOf(file, a) || a.time - b.time)
  }

  findsOf(file, { name }) {
    return this.#finds.get(`${file} ${name}`) ?? 0
  }

  /** A test that found a mutant of a file. */
  found(file, name) {
    const key = `${file} ${name}`
    this.#finds.set(key, (this.#finds.get(key) ?? 0) + 1)
  }
}

/** Does `act(item, lane)` for each item: as many at a time as there are lanes. */
export async function inParallel(items, lanes, act) {
  const waiting = items.values()
  const work = async (lane) => {
    for (const item of waiting) await act(item, lane)
  }
  await Promise.all(lanes.map(work))
}
