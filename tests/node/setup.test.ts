/** What a clone is set up with: the Node that what it is built with runs on, and what is found of others' programs. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { findRedis } from '../../scripts/redis.mjs'
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

it.each(['README.md', 'CONTRIBUTING.md', 'scripts/setup.mjs'])('%s says so', async (path) => {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  expect(text).toMatch(/with Node(\.js)? 20\.19 or a later 20, or 22\.12 or later/i)
})

it.each(['rolldown', 'vite'])('that is what %s asks for', async (name) => {
  const path = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { engines } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
})

it.each([
  ['linux', 'redis-server'],
  ['win32', 'redis-server.exe'],
] as const)('a Redis server on the path is found on %s, where it is %s', async (platform, name) => {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-redis-'))
  await writeFile(join(folder, name), '')
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
  vi.stubEnv('PATH', folder)
  vi.stubEnv('BLOBCHECK_REDIS', undefined)
  try {
    expect(findRedis()).toBe(join(folder, name))
  } finally {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  }
})
