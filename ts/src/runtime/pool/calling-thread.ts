/** The calling thread in a worker's place. A trap revives the instance; the task that trapped has crashed. */
import { platform } from '#platform'
import type { Remote } from '../../vendor/comlink.ts'
import { Once } from '../../util/once.ts'
import { WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import { Lifetime } from './lifetime.ts'
import type { Host, WorkerBase } from './protocol.ts'
import type { Runner } from './runner.ts'

/** Does tasks in the calling thread, with a pause before each. */
export function callingThread<A extends WorkerBase>(host: Host<A>, kernel: KernelModule): Runner<A> {
  const tasks = host.inline()
  const lifetime = new Lifetime()
  // Made by whoever asks first, and again where that failed: there may be memory for it by then.
  const setUp = (wanted: KernelModule): Once<boolean> =>
    new Once(async () => await (await tasks).setUp(wanted))
  let ready = setUp(kernel)
  return {
    isAway: false,
    start(heard) {
      heard()
      return ready.get()
    },
    async run(task) {
      try {
        await ready.get()
        // So that a page can paint and a signal can be aborted between two tasks.
        await lifetime.outlast(platform.turn())
        return await lifetime.outlast(task((await tasks) as unknown as Remote<A>))
      } catch (cause) {
        throw cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      }
    },
    replaceKernel: (next) => void (ready = setUp(next)),
    stop: (cause) => lifetime.end(cause),
  }
}
