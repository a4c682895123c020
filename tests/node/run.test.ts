/** How scripts run other programs. */
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { allEnded, npm, run } from '../../scripts/run.mjs'

const script = `process.stderr.write('(node:7) Warning: beside it\\n', () => console.log('[1]'))`

it('what is read of a program is what it wrote to its output alone', async () => {
  expect(JSON.parse(await run(process.execPath, ['-e', script], { isRead: true }))).toEqual([1])
})

it('a failed program is told with all that it said', async () => {
  const failing = run(process.execPath, ['-e', `${script}; process.exitCode = 3`], { isRead: true })
  await expect(failing).rejects.toThrow(/ended with code 3\n(.*\n)*.*beside it\n\[1\]/)
})

it('a line is told when it is there, and not when the program has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-run-'))
  const file = join(folder, 'heard')
  // It ends when its first line was heard.
  const patient = `console.log('begun')
    const wait = () => require('node:fs').existsSync(${JSON.stringify(file)}) ? console.log('ended') : setTimeout(wait, 10)
    wait()`
  const lines: string[] = []
  await run(process.execPath, ['-e', patient], {
    onLine(line: string) {
      lines.push(line)
      if (line === 'begun') writeFileSync(file, '')
    },
  })
  expect(lines).toEqual(['begun', 'ended'])
  await rm(folder, { recursive: true })
})

/** As if this were Windows: its shell is a stand-in that prints the line it is given, and runs nothing. */
describe.skipIf(process.platform === 'win32')('on Windows', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-run-'))
    await write('cmd.exe', 'printf "shell: %s" "$2"')
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    vi.stubEnv('comspec', join(folder, 'cmd.exe'))
    vi.stubEnv('npm_execpath', undefined)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })
  const write = async (name: string, script: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    return path
  }

  it('a program is started without a shell, whatever is in its path and its arguments', async () => {
    await mkdir(join(folder, 'Jane Doe'))
    const path = await write('Jane Doe/xtask.exe', 'printf "program: %s|%s" "$1" "$2"')
    expect(await run(path, ['a b', '%PATH% & c'])).toBe('program: a b|%PATH% & c')
  })

  it('npm, which is a script there, is started by a shell, with its arguments quoted where need be', async () => {
    const args = ['pack', '--pack-destination', 'C:\\Jane Doe\\out', '--json', 'a&b', 'blobcheck@1.0.0']
    expect(await npm(args)).toBe(
      'shell: npm pack --pack-destination "C:\\Jane Doe\\out" --json "a&b" blobcheck@1.0.0',
    )
  })
})

it('of several tasks all have ended when one is told to have failed: the first', async () => {
  const steps: string[] = []
  const failing = async (name: string, turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    steps.push(name)
    throw new Error(name)
  }
  await expect(allEnded([failing('npm', 3), failing('cargo', 1)])).rejects.toThrow('cargo')
  expect(steps).toEqual(['cargo', 'npm'])
  expect(await allEnded([1, Promise.resolve(2)])).toEqual([1, 2])
})
