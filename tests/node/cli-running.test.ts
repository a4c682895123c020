/** How commands end: by themselves, by an error, by one interruption, by a second one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { interruptible, UsageError, withExitCode } from '../../dist/cli/command.js'
import { countersAtEnd, exitCodeOfSlots, LATE_SLOTS } from '../../dist/cli/sample/run.js'
import { exitCodeOf, noCounts } from '../../dist/cli/verify/verify-items.js'
import { blobcheckHere } from '../support/cli.ts'

const never = new AbortController().signal

const ended = async (thrown: unknown): Promise<[number, string[]]> => {
  const told: string[] = []
  const task = (): Promise<never> => Promise.reject(thrown as Error)
  return [await withExitCode(never, task, { failed: ({ message }) => void told.push(message) }), told]
}

describe('a command', () => {
  it('ends with the code of what it throws', async () => {
    expect(await withExitCode(never, () => Promise.resolve(1), { failed: () => {} })).toBe(1)
    expect(await ended(new UsageError('no'))).toEqual([2, ['no']])
    expect(await ended(new TypeError('nonsense'))).toEqual([2, ['nonsense']])
    expect(await ended(new Error('no endpoint'))).toEqual([3, ['no endpoint']])
    expect(await ended('a string')).toEqual([3, ['a string']])
  })

  it('is not begun where it was interrupted before, and what is no failure is told of to nobody', async () => {
    const told: string[] = []
    const failed = ({ name }: Error): void => void told.push(name)
    const task = (): Promise<0> => {
      told.push('begun')
      return Promise.resolve(0)
    }
    expect(await withExitCode(AbortSignal.abort(), task, { failed, interrupted: () => 0 })).toBe(0)
    expect(told).toEqual([])
    expect(await withExitCode(AbortSignal.abort(), task, { failed })).toBe(3)
    expect(told).toEqual(['AbortError'])
  })

  it('keeps things in a folder of the user’s cache, or where there is none in one for a time', async () => {
    const store = async (home: () => string, cache: string): Promise<string | undefined> => {
      vi.spyOn(os, 'homedir').mockImplementation(home)
      vi.stubEnv('XDG_CACHE_HOME', cache)
      syncBuiltinESMExports()
      const { code, out } = await blobcheckHere(['sample', '--help'])
      expect(code).toBe(0)
      return /--store.*?\(default:\s+"(.*?)"\)/s.exec(out)?.[1]
    }
    onTestFinished(() => {
      vi.restoreAllMocks()
      vi.unstubAllEnvs()
      syncBuiltinESMExports()
    })
    const noHome = (): never => {
      throw new Error('uv_os_homedir returned ENOENT')
    }
    expect(await store(() => '/home/any', '')).toBe(join('/home/any', '.cache', 'blobcheck'))
    expect(await store(() => '/home/any', 'here')).toBe(join('/home/any', '.cache', 'blobcheck'))
    expect(await store(noHome, '')).toBe(join(os.tmpdir(), 'blobcheck'))
    expect(await store(noHome, join(os.tmpdir(), 'x'))).toBe(join(os.tmpdir(), 'x', 'blobcheck'))
  })

  it('leaves no listeners behind', async () => {
    const before = process.listenerCount('SIGINT')
    await expect(interruptible(() => Promise.reject(new Error('any')))).rejects.toThrow('any')
    expect(process.listenerCount('SIGINT')).toBe(before)
  })

  it.skipIf(process.platform === 'win32')(
    'is asked by the first interruption, and ended by the second',
    async () => {
      const url = JSON.stringify(new URL('../../dist/cli/command.js', import.meta.url).href)
      const script = `
      const { interruptible } = await import(${url})
      const hang = (signal) => new Promise(() => {
        setInterval(() => {}, 1000)
        signal.addEventListener('abort', () => console.log('aborted'))
        console.log('ready')
      })
      await interruptible(hang)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      onTestFinished(() => void child.kill('SIGKILL'))
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
        // One for each line, which may come in pieces: it is to have said that it was asked before it is ended.
        for (const _ of text.matchAll(/\n/g)) child.kill('SIGINT')
      })
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
      expect({ out, code, signal }).toEqual({ out: 'ready\naborted\n', code: null, signal: 'SIGINT' })
    },
  )

  it.skipIf(process.platform === 'win32')(
    'ends although the task has left something behind, such as a connection that looks for its server',
    async () => {
      const task = `
        setInterval(() => {}, 1000)
        console.log('ready')
        await untilAborted(signal)
        return 3`
      expect(await endOf(task, 'SIGTERM')).toEqual({ out: 'ready\nover\n', code: 3, signal: null })
    },
  )
})

describe.skipIf(process.platform === 'win32')('a terminal that is closed', () => {
  it('interrupts a command, however often it says so', async () => {
    const task = `
      const timer = setInterval(() => {}, 1000)
      console.log('ready')
      await untilAborted(signal)
      process.kill(process.pid, 'SIGHUP')
      await new Promise((resolve) => setTimeout(resolve, 50))
      clearInterval(timer)
      return 3`
    expect(await endOf(task, 'SIGHUP')).toEqual({ out: 'ready\nover\n', code: 3, signal: null })
  })
})

/** How a process ends that is interrupted in the middle of a task, the body of a function of `signal`, once it has said `ready`. */
async function endOf(
  task: string,
  kind: NodeJS.Signals,
): Promise<{ readonly out: string; readonly code: number | null; readonly signal: string | null }> {
  const url = JSON.stringify(new URL('../../dist/cli/command.js', import.meta.url).href)
  const script = `
    const { interruptible, untilAborted } = await import(${url})
    process.exitCode = await interruptible(async (signal) => {${task}
    })
    console.log('over')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    if (text.startsWith('ready')) child.kill(kind)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { out, code, signal }
}

describe('output that cannot be written', () => {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

  it.skipIf(!existsSync('/dev/full'))('leaves things not found out, and says so', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [main, '--version'], { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(err).toMatch(/^blobcheck: standard output cannot be written: .*\n$/)
    expect(code).toBe(3)
  })

  it.each([
    [2, ['--nonsense']],
    [2, ['verify', '--header', 'no root', 'no file']],
    [3, ['light-client', '--checkpoint', `0x${'1'.repeat(64)}`, '--beacon', 'http://127.0.0.1:9', '--once']],
  ])('does not change exit code %i, where it is complaints', async (expected, args) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stderr.destroy()
    child.stdout.resume()
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(expected)
  })
})

describe('exit codes', () => {
  it('of files: what is bad outweighs what is not known', () => {
    expect(exitCodeOf({ ...noCounts, valid: 3 })).toBe(0)
    expect(exitCodeOf({ ...noCounts, valid: 3, undetermined: 1 })).toBe(3)
    expect(exitCodeOf({ ...noCounts, undetermined: 1, malformed: 1 })).toBe(1)
    expect(exitCodeOf({ ...noCounts, invalid: 1 })).toBe(1)
  })

  it('of slots: only what was sampled is shown', () => {
    const none = {
      slots: 0,
      available: 0,
      unavailable: 0,
      payloadNotRevealed: 0,
      noBlobs: 0,
      noBlock: 0,
      unknown: 0,
      missed: 0,
    }
    expect(exitCodeOfSlots(none)).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 3, available: 1, noBlobs: 1, noBlock: 1 })).toBe(0)
    // What its builder never revealed is no part of the chain, as an empty slot is none.
    expect(exitCodeOfSlots({ ...none, slots: 2, available: 1, payloadNotRevealed: 1 })).toBe(0)
    expect(exitCodeOfSlots({ ...none, slots: 2, available: 1, missed: 1 })).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 2, available: 1, unknown: 1 })).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 3, available: 1, unknown: 1, unavailable: 1 })).toBe(1)
  })

  it('of slots: those of which nothing was heard until the end are missed', () => {
    const one = {
      slots: 1,
      available: 1,
      unavailable: 0,
      payloadNotRevealed: 0,
      noBlobs: 0,
      noBlock: 0,
      unknown: 0,
      missed: 0,
    }
    const missed = (count: number): object => ({ ...one, slots: 1 + count, missed: count })
    // Late, and no more than late; the present slot is nobody's fault.
    expect(countersAtEnd(one, 100, 99, true)).toEqual(one)
    expect(countersAtEnd(one, 100, 101, true)).toEqual(one)
    expect(countersAtEnd(one, 100, 101 + LATE_SLOTS, false)).toEqual(one)
    // Silence, and a source that is old.
    expect(countersAtEnd(one, 100, 105, true)).toEqual(missed(4))
    expect(countersAtEnd(one, 100, 102 + LATE_SLOTS, false)).toEqual(missed(LATE_SLOTS + 1))
    expect(exitCodeOfSlots(countersAtEnd(one, 100, 3_100, true))).toBe(3)
  })
})
