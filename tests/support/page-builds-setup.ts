/** Set up once before the tests in Node: where the first of them to want the demo page builds it for all. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

let folder: string

export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-builds-'))
  project.provide('pageBuilds', folder)
}

export async function teardown(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
