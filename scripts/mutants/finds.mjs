// Where tests found mutants, kept from run to run: a test that found one will most likely find others near it.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export class Finds {
  #file
  /** By file of the package: `{ line, test }`. */
  #finds = new Map()

  /** `file`: where they are kept, a line of JSON each, if anywhere. */
  constructor(file) {
    this.#file = file
    if (file === undefined || !existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) this.#note(JSON.parse(line))
  }

  /** A mutant was found in that line of a file of the package, by the test with that id. */
  add(path, line, test) {
    const find = { path, line, test }
    this.#note(find)
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(find)}\n`)
  }

  /** For a mutant: how many lines away a test found another one of the same file at the least; for a test that found none there, far away. */
  distanceFrom({ path, line }) {
    const distances = new Map()
    for (const find of this.#finds.get(path) ?? []) {
      const distance = Math.abs(find.line - line)
      distances.set(find.test, Math.min(distance, distances.get(find.test) ?? distance))
    }
    // Not `Infinity`, which has no difference from itself.
    return (test) => distances.get(test) ?? 1e6
  }

  #note({ path, line, test }) {
    this.#finds.set(path, [...(this.#finds.get(path) ?? []), { line, test }])
  }
}
