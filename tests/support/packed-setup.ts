/** Set up once before the tests of the packed package: what has been built is packed, as `npm publish` would pack it. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { npm } from '../../scripts/run.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = join(root, 'target/package')

export async function setup(project: TestProject): Promise<void> {
  await mkdir(target, { recursive: true })
  const folder = await mkdtemp(join(target, 'packing-'))
  const command = ['pack', '--ignore-scripts', '--json', '--loglevel=silent', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await npm(command, { cwd: root, isRead: true })) as [
    { readonly filename: string },
  ]
  // Only what is whole gets the name that tests know.
  const path = join(target, filename)
  await rename(join(folder, filename), path)
  await rm(folder, { recursive: true })
  project.provide('tarball', path)
}
