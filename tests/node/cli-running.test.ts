/** How commands end: by themselves, by an error, by one interruption, by a second one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { exitCodeOfSlots } from '../../dist/cli/sample/exit.js'
import { running, UsageError } from '../../dist/cli/running.js'
import { exitCodeOf, nothing } from '../../dist/cli/verify/tally.js'

const ended = async (thrown: unknown): Promise<[number, string[]]> => {
  const told: string[] = []
  const task = (): Promise<never> => Promise.reject(thrown as Error)
  return [await running(task, { failed: ({ message }) => void told.push(message) }), told]
}

describe('a command', () => {
  it('ends with the code of what it throws', async () => {
    expect(await running(() => Promise.resolve(1), { failed: () => {} })).toBe(1)
    expect(await ended(new UsageError('no'))).toEqual([2, ['no']])
    expect(await ended(new TypeError('nonsense'))).toEqual([2, ['nonsense']])
    expect(await ended(new Error('no endpoint'))).toEqual([3, ['no endpoint']])
    expect(await ended('a string')).toEqual([3, ['a string']])
  })

  it('leaves no listeners behind', async () => {
    const before = process.listenerCount('SIGINT')
    await ended(new Error('any'))
    expect(process.listenerCount('SIGINT')).toBe(before)
  })

  it.skipIf(process.platform === 'win32')(
    'is asked by the first interruption, and ended by the second',
    async () => {
      const url = JSON.stringify(new URL('../../dist/cli/running.js', import.meta.url).href)
      const script = `
      const { running } = await import(${url})
      const hang = (signal) => new Promise(() => {
        setInterval(() => {}, 1000)
        signal.addEventListener('abort', () => console.log('aborted'))
        console.log('ready')
      })
      await running(hang, { failed: () => {} })`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      child.stdout.on('data', () => child.kill('SIGINT'))
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
      expect({ code, signal }).toEqual({ code: null, signal: 'SIGINT' })
    },
  )
})

describe('exit codes', () => {
  it('of files: what is bad outweighs what is not known', () => {
    expect(exitCodeOf({ ...nothing, valid: 3 })).toBe(0)
    expect(exitCodeOf({ ...nothing, valid: 3, undetermined: 1 })).toBe(3)
    expect(exitCodeOf({ ...nothing, undetermined: 1, malformed: 1 })).toBe(1)
    expect(exitCodeOf({ ...nothing, invalid: 1 })).toBe(1)
  })

  it('of slots: only what was sampled is shown', () => {
    const none = { slots: 0, available: 0, unavailable: 0, noBlobs: 0, noBlock: 0, unknown: 0, missed: 0 }
    expect(exitCodeOfSlots(none)).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 3, available: 1, noBlobs: 1, noBlock: 1 })).toBe(0)
    expect(exitCodeOfSlots({ ...none, slots: 2, available: 1, missed: 1 })).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 2, available: 1, unknown: 1 })).toBe(3)
    expect(exitCodeOfSlots({ ...none, slots: 3, available: 1, unknown: 1, unavailable: 1 })).toBe(1)
  })
})
