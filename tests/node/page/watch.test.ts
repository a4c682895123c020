/** What the demo page waits for. */
import { describe, expect, it } from 'vitest'
import { orAborted } from '../../../web-demo/src/shared/watch.ts'

const never = new Promise<never>(() => {})

describe('what is waited for unless a signal is aborted', () => {
  it('rejects with the reason of a signal that is aborted meanwhile, or was before', async () => {
    const controller = new AbortController()
    const waiting = orAborted(never, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    await expect(orAborted(never, controller.signal)).rejects.toThrow('stopped')
  })

  it('gives what comes', async () => {
    const { signal } = new AbortController()
    expect(await orAborted(Promise.resolve(7), signal)).toBe(7)
    await expect(orAborted(Promise.reject(new Error('gone')), signal)).rejects.toThrow('gone')
  })
})
