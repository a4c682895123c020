// A process that runs files of tests, or those tests of them that it is told, for as long as it is asked to: Vitest starts once. Its parent ends it, and what it has
// started, where a mutant does not come to an end.
import { createVitest } from 'vitest/node'

const vitest = await createVitest('test', {
  root: process.cwd(),
  project: ['node'],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  reporters: [{}],
})

process.on('message', async ({ file, ids }) => {
  // What failed in a run before is neither this one's nor a reason to end it.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const specification = vitest.getProjectByName('node').createSpecification(file, { testIds: ids })
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  const failed = testModules.flatMap((module) => [
    ...module.errors().map(({ message }) => ({ test: module.moduleId, message })),
    ...[...module.children.allTests('failed')].map((test) => ({
      id: test.id,
      test: test.fullName,
      message: test.result().errors?.[0]?.message ?? '',
    })),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map(({ message }) => ({ test: suite.fullName, message })),
    ),
  ])
  const passed = testModules.flatMap((module) => [...module.children.allTests('passed')]).length
  for (const { message } of unhandledErrors) failed.push({ test: file, message })
  process.send({ passed, failure: failed[0] ?? null })
})
process.on('disconnect', async () => {
  await vitest.close()
  process.exit()
})
process.send('ready')
