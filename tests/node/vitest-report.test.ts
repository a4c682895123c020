/** What `npm test` makes of a run of vitest: a file that died is a failure of its name, and nothing of it passes for skipped. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '../../scripts/run.mjs'

interface Report {
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly error: unknown }[]
  readonly skipped: readonly string[]
}

const reporter = new URL('../../scripts/vitest-report.mjs', import.meta.url).href
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const dying = `process.kill(process.pid, 'SIGKILL')`

const files = {
  'vitest.config.mjs': `import Report from ${JSON.stringify(reporter)}
    const reporters = [new Report(import.meta.dirname + '/report.json')]
    export default { test: { name: 'node', globals: true, include: ['*.test.mjs'], pool: 'forks', reporters } }`,
  'dies-in-a-test.test.mjs': `it('ended', () => {}); it('dies', () => ${dying}); it('waits', () => {}); it.skip('left out', () => {})`,
  'dies-at-its-start.test.mjs': dying,
  'ends.test.mjs': `it('passes', () => {}); it('fails', () => { throw new Error('so it is') })
    it.skip('left out', () => {}); it.todo('to come')`,
  'rejects.test.mjs': `it('passes', async () => {
    Promise.reject(undefined)
    await new Promise((resolve) => setImmediate(resolve))
  })`,
}

let folder: string
let report: Report
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-report-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await expect(run(process.execPath, [vitest, 'run', '--root', folder])).rejects.toThrow('ended with code 1')
  report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
})
afterAll(async () => await rm(folder, { recursive: true }))

it('counts what passed, and names what failed and what was skipped', () => {
  expect(report.passed).toBe(2)
  expect(report.failures).toContainEqual({ name: 'node ends.test.mjs > fails', error: 'so it is' })
  expect(report.skipped.filter((name) => name.startsWith('node ends'))).toEqual([
    'node ends.test.mjs > left out',
    'node ends.test.mjs > to come',
  ])
})

it('names a file that died, and calls none of its tests skipped that were to run', () => {
  for (const name of ['node dies-in-a-test.test.mjs', 'node dies-at-its-start.test.mjs'])
    expect(report.failures).toContainEqual({ name, error: 'it did not come to its end' })
  expect(report.skipped.filter((name) => name.startsWith('node dies'))).toEqual([
    'node dies-in-a-test.test.mjs > left out',
  ])
})

it('says what is known of an error without a message', () => {
  const errors = report.failures.filter(({ name }) => name === 'an error that no test caught')
  expect(errors.map(({ error }) => error)).toContain('{"type":"Unhandled Rejection"}')
})
