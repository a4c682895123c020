/** What `npm test` knows its last success by: whatever the tests run on, another fingerprint; and none where nothing is known. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint } from '../../scripts/green.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-green-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

const git = (...args: string[]): Promise<{ stderr: string }> =>
  promisify(execFile)('git', args, { cwd: folder })

describe('the fingerprint of a tree', () => {
  it('is another one when a file is another, committed or not', async () => {
    await git('init', '--quiet')
    await writeFile(join(folder, 'a.rs'), 'fn right() {}')
    const before = await fingerprint([], folder)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    expect(await fingerprint([], folder)).toBe(before)
    await writeFile(join(folder, 'a.rs'), 'fn wrong() {}')
    expect(await fingerprint([], folder)).not.toBe(before)
  })

  it('is another one when a file is another, also where git warns of something each time', async () => {
    await git('init', '--quiet')
    await writeFile(join(folder, 'a.rs'), 'fn right() {}')
    await git('config', 'core.fsmonitor', join(folder, 'no such program'))
    const { stderr } = await git('ls-files')
    expect(stderr).not.toBe('')
    const before = await fingerprint([], folder)
    await writeFile(join(folder, 'a.rs'), 'fn wrong() {}')
    expect(await fingerprint([], folder)).not.toBe(before)
  })

  it('is none where an outer repository ignores the tree, or where there is no repository', async () => {
    const inner = join(folder, 'vendor/blobcheck')
    await mkdir(inner, { recursive: true })
    await writeFile(join(inner, 'a.rs'), 'fn right() {}')
    expect(await fingerprint([], inner)).toBeNull()
    await git('init', '--quiet')
    await writeFile(join(folder, '.gitignore'), 'vendor/\n')
    expect(await fingerprint([], inner)).toBeNull()
  })
})

describe.skipIf(process.platform === 'win32')('the fingerprint of a program', () => {
  let program: string
  const put = async (path: string, text: string): Promise<void> => {
    await writeFile(path, text)
    await chmod(path, 0o755)
    // Whenever a test writes it, it is as old.
    await utimes(path, 1e9, 1e9)
  }
  beforeEach(async () => {
    await git('init', '--quiet')
    await writeFile(join(folder, '.gitignore'), 'bin/\n')
    await mkdir(join(folder, 'bin'))
    program = join(folder, 'bin/browser')
    await put(program, '#!/bin/sh\nexec "$(dirname "$0")/itself" "$@"\n')
    await put(join(folder, 'bin/itself'), '#!/bin/sh\necho 141\n')
  })

  it('is another one when what it starts has another version', async () => {
    const before = await fingerprint([program], folder)
    expect(await fingerprint([program], folder)).toBe(before)
    await put(join(folder, 'bin/itself'), '#!/bin/sh\necho 150\n')
    expect(await fingerprint([program], folder)).not.toBe(before)
  })

  it('is another one when its file was written anew', async () => {
    const before = await fingerprint([program], folder)
    await utimes(program, 2e9, 2e9)
    expect(await fingerprint([program], folder)).not.toBe(before)
  })

  it('is the same for none, in whichever way it is not there', async () => {
    expect(await fingerprint(['', join(folder, 'bin/gone')], folder)).not.toBeNull()
    expect(await fingerprint([null], folder)).toBe(await fingerprint([undefined], folder))
  })
})
