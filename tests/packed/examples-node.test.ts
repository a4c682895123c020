/** The examples that run in Node.js print what their READMEs say. */
import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Example, installShared, openExample, type Shared } from '../support/examples.ts'

let shared: Shared
beforeAll(async () => {
  shared = await installShared()
})
afterAll(async () => await shared?.remove())

let example: Example | null = null
afterEach(async () => {
  await example?.remove()
  example = null
})

const programs = ['node-script', 'rollup-node', 'wallet-viem', 'wallet-ox', 'wallet-ethers', 'ethereumjs']
const pages = ['explorer-vite', 'cdn-page', 'extension-mv3']

it('each folder of examples is one that is tested', async () => {
  const entries = await readdir(new URL('../../examples', import.meta.url), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.sort()).toEqual([...programs, 'sampling-script', ...pages].sort())
})

it.each(programs)('%s', async (name) => {
  example = await openExample(name, shared)
  expect(example.promised).toHaveLength(1)
  expect(await example.start('start')).toEqual({ printed: example.promised[0], code: 0 })
})

it('sampling-script', async () => {
  example = await openExample('sampling-script', shared)
  const [available, unavailable, ...more] = example.promised
  expect(more).toEqual([])
  expect(await example.start('start')).toEqual({ printed: available, code: 0 })
  expect(await example.start('start', '--withhold', '65')).toEqual({ printed: unavailable, code: 1 })
})
