// What became of mutants, by their names, in a file that a run goes on from.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The results of a file: `all` of them, and `add`, which writes more down at once. */
export function openResults(file) {
  const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return {
    all,
    add(more) {
      Object.assign(all, more)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
    },
  }
}
