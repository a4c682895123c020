// Set up before each file of tests: which mutants each test comes by, in `MUTANTS_REACHED`, a file. What is come by between tests, as they are imported
// and made ready, is what all of them have `around` them.
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach } from 'vitest'

const file = process.env['MUTANTS_REACHED']
// From where the package's own scripts have it, so that it is the same one.
const { chosen, counts } = await import(process.env['MUTANTS_QUESTIONS'])
if (file !== undefined && chosen() === null) {
  /** What has counted on since then. */
  const since = (before) => [...counts.keys()].filter((id) => counts[id] !== before[id])
  const tests = []
  const running = new Map()
  const around = new Set()
  let idle = counts.map(() => 0)

  beforeEach(({ task }) => {
    if (running.size === 0) for (const id of since(idle)) around.add(id)
    running.set(task.id, { before: counts.slice(), from: performance.now() })
  })
  afterEach(({ task }) => {
    const { before, from } = running.get(task.id)
    running.delete(task.id)
    const isAlone = task.concurrent !== true
    tests.push({ id: task.id, isAlone, time: performance.now() - from, reached: since(before) })
    idle = counts.slice()
  })
  afterAll(() => {
    for (const id of since(idle)) around.add(id)
    writeFileSync(file, JSON.stringify({ tests, around: [...around] }))
  })
}
