/** Which Node a clone is set up with: what it is built with must run on it. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { canBuild } from '../../scripts/setup.mjs'

it.each([
  ['20.12.2', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', true],
  ['24.4.1', true],
])('Node %s: %s', (version, isEnough) => {
  expect(canBuild(version)).toBe(isEnough)
})

it.each(['rolldown', 'vite'])('that is what %s asks for', async (name) => {
  const path = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { engines } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
})
