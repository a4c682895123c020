/** How tests kill threads: `support/threads.ts`. */
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { until } from '../support/make.ts'
import { watchThreads } from '../support/threads.ts'

const LIVES = 'setInterval(() => {}, 1e6)'

it('a thread that its owner let go of before the watch began is not waited for', async () => {
  void new Worker(LIVES, { eval: true }).terminate()
  const threads = await watchThreads()
  const worker = new Worker(LIVES, { eval: true })
  worker.once('exit', () => void worker.terminate())
  await until(() => threads.started > 0)
  await threads.killAll()
  expect(threads.started).toBe(1)
  threads.stop()
})
