/** So much at the same time, in order, whatever is called off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Limit } from '../../../dist/audit/limit.js'

const never = new AbortController().signal

describe('a limit', () => {
  it('admits what there is room for, in order, and what is too heavy alone', async () => {
    const limit = new Limit(10)
    const order: number[] = []
    let [inside, most] = [0, 0]
    const weights = [4, 4, 4, 25, 1, 9, 10, 2, 2]
    await Promise.all(
      weights.map((weight, at) =>
        limit.run(
          never,
          async () => {
            order.push(at)
            inside += weight
            if (weight <= 10) most = Math.max(most, inside)
            else expect(inside).toBe(weight)
            await sleep(5)
            inside -= weight
          },
          weight,
        ),
      ),
    )
    expect(order).toEqual(weights.map((_weight, at) => at))
    expect(most).toBe(10)
  })

  it('loses no room by what is called off, waiting or just admitted', async () => {
    const limit = new Limit(1)
    const ends = Array.from({ length: 50 }, async (_, at) => {
      const controller = new AbortController()
      const run = limit.run(controller.signal, () => sleep(at % 3))
      if (at % 2 === 0) setTimeout(() => controller.abort(new Error('off')), at % 7)
      return await run.then(
        () => 'done',
        (error: Error) => error.message,
      )
    })
    const ended = await Promise.all(ends)
    expect(ended.filter((end) => end === 'done').length).toBeGreaterThanOrEqual(25)
    expect(new Set(ended)).toEqual(new Set(['done', 'off']))
    await expect(limit.run(never, async () => 'room')).resolves.toBe('room')
  })

  it('lets in what waited behind something heavy that was called off', async () => {
    const limit = new Limit(2)
    const first = limit.run(never, () => sleep(20))
    const controller = new AbortController()
    const heavy = limit.run(controller.signal, async () => {}, 2)
    const light = limit.run(never, async () => 'light')
    controller.abort(new Error('off'))
    await expect(heavy).rejects.toThrow('off')
    await expect(light).resolves.toBe('light')
    await first
  })

  it('frees its room where a task fails', async () => {
    const limit = new Limit(1)
    await expect(limit.run(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(limit.run(never, async () => 'next')).resolves.toBe('next')
  })
})
