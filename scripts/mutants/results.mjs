// What became of mutants, committed, so that every machine goes on from there. A mutant is known by its file, its line as it is written and what it
// does: its result outlives changes elsewhere. Of one that a test found a hash of these is kept, of the others the words as well.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../setup.mjs'

/** What nobody has to look at again. */
const SETTLED = ['killed', 'unviable']

/** The results of a crate, or of TypeScript: `statusOf` a mutant, undefined where it was not tried, and `add`, which writes more down at once. */
export function openResults(name) {
  const file = join(root, 'scripts/mutants/results', `${name}.txt`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const all = new Map(lines.map((line) => [line.split(' ', 1)[0], line]))
  return {
    statusOf: (id) => all.get(hashOf(id))?.split(' ', 2)[1],
    add(more) {
      for (const [id, status] of more) {
        const hash = hashOf(id)
        all.set(hash, [hash, status, ...(SETTLED.includes(status) ? [] : [id])].join(' '))
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${[...all.values()].sort().join('\n')}\n`)
    },
  }
}

/** The mutants with what each is known by, their `id`; several of one line that do the same are counted. */
export function identify(mutants) {
  const seen = new Map()
  return mutants.map((mutant) => {
    const key = `${mutant.path}: ${mutant.source}: ${mutant.what}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    const nth = count === 1 ? '' : ` (${count})`
    return { ...mutant, what: mutant.what + nth, id: key + nth }
  })
}

/** Twelve digits: among 5,000 mutants two of one hash are a chance of 1 in 20 million. */
const hashOf = (id) => createHash('sha256').update(id).digest('hex').slice(0, 12)
