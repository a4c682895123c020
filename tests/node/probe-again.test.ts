/** The kernel's probe, repeated for as long as a verifier is used: how often, on whom, and what becomes of a kernel that fails it. */
import { expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import { ConfirmedKernel } from '../../dist/runtime/kernel/confirmation.js'
import { probeAgain } from '../../dist/verifier/probe-again.js'
import { turns } from '../support/virtual-time.ts'

/** Workers that answer their probe like this, in order, and that have idled so many times. */
async function idle(times: number, workers: readonly (() => Promise<boolean>)[]) {
  const replaced: string[] = []
  const rounds: number[] = []
  let idled = 0
  const pool = {
    onIdle: () => {},
    onUnsound: async () => {},
    replaceKernel: ({ kernel }: { readonly kernel: string }) => void replaced.push(kernel),
    runOnAll: async (task: (api: object) => Promise<void>) => {
      rounds.push(idled)
      await Promise.all(workers.map((probe) => task({ probe })))
    },
  }
  const kernel = new ConfirmedKernel(
    pool,
    { name: 'relaxed-simd', reason: 'the fastest' },
    async () => ({}) as never,
  )
  probeAgain(pool as never, kernel)
  for (idled = 1; idled <= times; idled++) pool.onIdle()
  await turns(2)
  return { rounds, replaced, kernel: kernel.current }
}

const passes = async (): Promise<boolean> => true
const fails = async (): Promise<boolean> => false

it('is repeated when the workers idle for the first time, after eight times more, and after 64 more', async () => {
  expect((await idle(0, [passes])).rounds).toEqual([])
  expect((await idle(600, [passes])).rounds).toEqual([1, 9, 73, 585])
})

it('that all workers pass leaves the kernel where it is', async () => {
  const { replaced, kernel } = await idle(9, [passes, passes])
  expect(replaced).toEqual([])
  expect(kernel).toEqual({ name: 'relaxed-simd', reason: 'the fastest' })
})

it('that one of them fails puts the baseline in the kernel’s place, and says why', async () => {
  const { replaced, kernel } = await idle(9, [passes, fails, passes])
  expect(replaced).toEqual(['simd128'])
  expect(kernel.name).toBe('simd128')
  expect(kernel.reason).toContain('failed its probe when it was repeated')
})

it('is no answer where a worker crashes, or where the verifier is disposed of', async () => {
  for (const cause of [new Error('the worker died'), new DisposedError()]) {
    const { rounds, replaced } = await idle(9, [passes, () => Promise.reject(cause)])
    expect(rounds).toEqual([1, 9])
    expect(replaced).toEqual([])
  }
})

it('that it fails in a worker that was started later puts the baseline in its place, too', async () => {
  const replaced: string[] = []
  const pool = {
    onUnsound: async () => {},
    replaceKernel: ({ kernel }: { readonly kernel: string }) => void replaced.push(kernel),
  }
  const kernel = new ConfirmedKernel(
    pool,
    { name: 'relaxed-simd', reason: 'the fastest' },
    async () => ({}) as never,
  )
  await pool.onUnsound()
  expect(replaced).toEqual(['simd128'])
  expect(kernel.current.reason).toContain('failed its probe in a worker that started later')
})
