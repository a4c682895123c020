/** What is made once: for all who want it, and again where that failed. */
import { expect, it, vi } from 'vitest'
import { Once } from '../../dist/util/once.js'

it('is made when it is wanted first, and for everyone', async () => {
  const make = vi.fn(async () => ({}))
  const once = new Once(make)
  expect(make).not.toHaveBeenCalled()
  expect([once.begun, once.made]).toEqual([undefined, undefined])
  const [one, other] = await Promise.all([once.get(), once.get()])
  expect(one).toBe(other)
  expect(await once.get()).toBe(one)
  expect(await once.begun).toBe(one)
  expect(once.made).toBe(one)
  expect(make).toHaveBeenCalledOnce()
})

it('is made again where it failed, once for all who ask again as soon as they are told', async () => {
  const make = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockRejectedValueOnce(new Error('still offline'))
    .mockResolvedValue(3)
  const once = new Once(make)
  const insist = async (): Promise<number> => await once.get().catch(insist)
  expect(await Promise.all([insist(), insist(), insist()])).toEqual([3, 3, 3])
  expect(make).toHaveBeenCalledTimes(3)
})

it('tells each who waited why it failed, and has nothing begun then', async () => {
  const cause = new Error('offline')
  const once = new Once(() => Promise.reject(cause))
  const told = await Promise.allSettled([once.get(), once.get()])
  expect(told.map((each) => each.status === 'rejected' && each.reason)).toEqual([cause, cause])
  expect([once.begun, once.made]).toEqual([undefined, undefined])
})
