// Which tests a mutant is held against first, and for how long.

/** Milliseconds after which tests that take so many without a mutant do not come to their end any more. */
export const patience = (time) => 20_000 + 10 * time

/** The tests that found most mutants of a file so far come first, then those that found most of all; of others the quickest. */
export class Likeliest {
  #finds = new Map()

  /** Tests, each with its `name` and the `time` that it takes, in the order in which a mutant of a file is held against them. */
  order(file, tests) {
    const finds = (key) => this.#finds.get(key) ?? 0
    const here = ({ name }) => finds(`${file} ${name}`)
    const all = ({ name }) => finds(name)
    return tests.toSorted((a, b) => here(b) - here(a) || all(b) - all(a) || a.time - b.time)
  }

  /** A test that found a mutant of a file. */
  found(file, name) {
    for (const key of [name, `${file} ${name}`]) this.#finds.set(key, (this.#finds.get(key) ?? 0) + 1)
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
