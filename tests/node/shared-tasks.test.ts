/** One task for all who want the same. */
import { describe, expect, it, vi } from 'vitest'
import { SharedTasks } from '../../dist/util/shared-tasks.js'

describe('shared tasks', () => {
  it('run once for all, and end early only where nobody waits', async () => {
    const tasks = new SharedTasks<number>()
    const signals: AbortSignal[] = []
    const begin = vi.fn(async (signal: AbortSignal) => {
      signals.push(signal)
      return await new Promise<number>((resolve, reject) => {
        setTimeout(() => resolve(begin.mock.calls.length), 50)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    })
    const leaving = new AbortController()
    const first = tasks.run('a', begin, leaving.signal)
    const second = tasks.run('a', begin, undefined)
    leaving.abort()
    await expect(first).rejects.toThrow('aborted')
    expect(await second).toBe(1)
    expect([signals[0]!.aborted, tasks.size]).toEqual([true, 0])

    const alone = new AbortController()
    const third = tasks.run('a', begin, alone.signal)
    alone.abort()
    await expect(third).rejects.toThrow('aborted')
    expect(signals[1]!.aborted).toBe(true)
    expect(await tasks.run('a', begin, undefined)).toBe(3)
  })
})
