/** Threads that are started before there is a module for them: they load their script while it is fetched and compiled. */
import type { WorkerThread } from '../platform/platform.ts'
import type { Host, WorkerBase } from './protocol.ts'

/** A host that can have threads already: whoever asks for threads gets these first. */
export interface EarlyHost<A extends WorkerBase> extends Host<A> {
  /** Starts so many threads, and ends those of an earlier start that nobody has asked for. */
  startEarly(count: number): void
}

/** A host whose threads can be started before they are asked for. */
export function earlyHost<A extends WorkerBase>(host: Host<A>): EarlyHost<A> {
  const early: WorkerThread[] = []
  return {
    part: host.part,
    spawn: () => early.shift() ?? host.spawn(),
    inline: () => host.inline(),
    startEarly(count) {
      for (const thread of early.splice(0)) thread.terminate()
      try {
        while (early.length < count) early.push(attended(host.spawn()))
      } catch {
        // Where there can be none, the pool finds that out when it asks for one, and says why.
      }
    },
  }
}

/** A thread whose death is known to who asks for it later. */
function attended(thread: WorkerThread): WorkerThread {
  let death: Error | undefined
  let tell: (cause: Error) => void = () => {}
  thread.onDeath((cause) => {
    death ??= cause
    tell(cause)
  })
  return {
    endpoint: thread.endpoint,
    onDeath(callback) {
      tell = callback
      // Never before the caller has gone on, as with any other thread.
      if (death !== undefined) void Promise.resolve(death).then(callback)
    },
    terminate: () => thread.terminate(),
  }
}
