// A process that runs files of tests, or those tests of them that it is told, for as long as it is asked to: Vitest starts once. Its parent ends it, and what it has
// started, where a mutant does not come to an end.
import { createVitest } from 'vitest/node'

/** Whether each test is run for many mutants, one after the other (`in-place.mjs`). */
const isInPlace = process.env['MUTANTS_PLAN'] !== undefined

/** The files as they are told. */
class InOrder {
  sort = (files) => files
  shard = (files) => files
}

const vitest = await createVitest('test', {
  root: process.cwd(),
  project: ['node'],
  watch: false,
  // Files that are run together share a process; each run has one of its own.
  isolate: false,
  sequence: { sequencer: InOrder },
  maxWorkers: 1,
  ...(isInPlace ? {} : { bail: 1, testTimeout: 60_000 }),
  hookTimeout: 60_000,
  reporters: [{}],
})

process.on('message', async (files) => {
  // What failed in a run before is neither this one's nor a reason to end it.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const project = vitest.getProjectByName('node')
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.map(({ file, ids }) => project.createSpecification(file, { testIds: ids })),
  )
  const failures = testModules.flatMap((module) => {
    const file = module.moduleId
    return [
      ...module.errors().map(({ message }) => ({ file, message })),
      ...[...module.children.allTests('failed')].map((test) => {
        const message = test.result().errors?.[0]?.message ?? ''
        return { file, id: test.id, message: `${test.fullName}: ${message}` }
      }),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map(({ message }) => ({ file, message: `${suite.fullName}: ${message}` })),
      ),
    ]
  })
  for (const { message } of unhandledErrors) failures.push({ file: null, message })
  const hasPassed = testModules.flatMap((module) => [...module.children.allTests('passed')]).length > 0
  // Where nothing ran, nothing was shown.
  if (failures.length === 0 && !hasPassed) failures.push({ file: null, message: 'no test ran' })
  process.send({ failure: failures[0] ?? null })
})
process.on('disconnect', async () => {
  await vitest.close()
  process.exit()
})
process.send('ready')
