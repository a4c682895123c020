/** A script that is started does its work, by whichever path, and one that is imported does not. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url))
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-main-'))
  await symlink(scripts, join(folder, 'link'), 'junction')
})
afterEach(async () => await rm(folder, { recursive: true }))

const node = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return stdout + stderr
}

describe('a script', () => {
  it.each(['scripts', 'link'])('is started by its path through %s', async (way) => {
    const path = join(way === 'link' ? join(folder, way) : scripts, 'docs.mjs')
    // What it is asked for is refused before anything is done.
    expect(await node(path, '--base', 'none')).toContain('--base begins and ends with a slash')
  })

  it('does nothing where it is imported', async () => {
    const importer = join(folder, 'importer.mjs')
    await writeFile(importer, `import ${JSON.stringify(pathToFileURL(join(scripts, 'docs.mjs')).href)}\n`)
    expect(await node(importer, '--base', 'none')).toBe('')
    expect(
      await node(
        '--input-type=module',
        '-e',
        `import ${JSON.stringify(pathToFileURL(join(scripts, 'docs.mjs')).href)}`,
      ),
    ).toBe('')
  })
})
