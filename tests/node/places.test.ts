/** So much at the same time, in order, whatever is called off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { BusyError, Places } from '../../dist/util/places.js'

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

describe('places with room to wait', () => {
  it('let so many in, then so many wait, and no more', async () => {
    const places = new Places(1, 1)
    const ends: (() => void)[] = []
    const order: number[] = []
    const task = (number: number) => async (): Promise<void> => {
      order.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
    }
    const first = places.run(task(1))
    const leaving = new AbortController()
    const second = places.run(task(2), leaving.signal)
    await expect(places.run(task(3))).rejects.toThrow(BusyError)
    leaving.abort()
    await expect(second).rejects.toThrow('aborted')
    const fourth = places.run(task(4))
    ends[0]!()
    await first
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    ends[1]!()
    await fourth
    expect(order).toEqual([1, 4])
    const fifth = places.run(task(5))
    await vi.waitFor(() => expect(ends).toHaveLength(3))
    ends[2]!()
    await fifth
  })
})
