/** So much at the same time, in order, whatever is called off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Places } from '../../dist/util/places.js'

const never = new AbortController().signal

describe('places of a weight', () => {
  it('admits what there is room for, in order, and what is too heavy alone', async () => {
    const places = new Places(10)
    const order: number[] = []
    let [inside, most] = [0, 0]
    const weights = [4, 4, 4, 25, 1, 9, 10, 2, 2]
    await Promise.all(
      weights.map((weight, at) =>
        places.run(
          async () => {
            order.push(at)
            inside += weight
            if (weight <= 10) most = Math.max(most, inside)
            else expect(inside).toBe(weight)
            await sleep(5)
            inside -= weight
          },
          never,
          weight,
        ),
      ),
    )
    expect(order).toEqual(weights.map((_weight, at) => at))
    expect(most).toBe(10)
  })

  it('loses no room by what is called off, waiting or just admitted', async () => {
    const places = new Places(1)
    const ends = Array.from({ length: 50 }, async (_, at) => {
      const controller = new AbortController()
      const run = places.run(() => sleep(at % 3), controller.signal)
      if (at % 2 === 0) setTimeout(() => controller.abort(new Error('off')), at % 7)
      return await run.then(
        () => 'done',
        (error: Error) => error.message,
      )
    })
    const ended = await Promise.all(ends)
    expect(ended.filter((end) => end === 'done').length).toBeGreaterThanOrEqual(25)
    expect(new Set(ended)).toEqual(new Set(['done', 'off']))
    await expect(places.run(async () => 'room', never)).resolves.toBe('room')
  })

  it('lets in what waited behind something heavy that was called off', async () => {
    const places = new Places(2)
    const first = places.run(() => sleep(20), never)
    const controller = new AbortController()
    const heavy = places.run(async () => {}, controller.signal, 2)
    const light = places.run(async () => 'light', never)
    controller.abort(new Error('off'))
    await expect(heavy).rejects.toThrow('off')
    await expect(light).resolves.toBe('light')
    await first
  })

  it('frees its room where a task fails', async () => {
    const places = new Places(1)
    await expect(places.run(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no')
    await expect(places.run(async () => 'next', never)).resolves.toBe('next')
  })
})
