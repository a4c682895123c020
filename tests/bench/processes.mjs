// Processes of their own for those that are measured, on one core where the system can say which, and none left behind.
import { fork } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const script = (name) => fileURLToPath(new URL(name, import.meta.url))
const alive = new Set()

/** Kills what is left, when this process ends in whatever way it can know of. (Orphans end when their wire breaks.) */
export function leaveNothingBehind() {
  const killAll = () => alive.forEach((child) => child.kill('SIGKILL'))
  process.on('exit', killAll)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => {
      killAll()
      process.stderr.write('\ninterrupted: nothing is left running\n')
      process.exit(code)
    })
  }
}

/** The core that measured processes run on, or null where that cannot be said: the last, since the first gets interrupts. */
export function pickCore() {
  try {
    const core = availableParallelism() - 1
    execFileSync('taskset', ['-c', String(core), 'true'], { stdio: 'ignore' })
    return core
  } catch {
    return null
  }
}

/** Starts a script of this folder. `core` null: wherever the system puts it. */
export function start(name, args, { node = process.execPath, core = null, flags = [] } = {}) {
  const pinned = core !== null
  const child = fork(script(name), args.map(String), {
    execPath: pinned ? 'taskset' : node,
    execArgv: [...(pinned ? ['-c', String(core), node] : []), '--no-warnings', ...flags],
    // One core, also for those that would start threads by themselves.
    env: { ...process.env, RAYON_NUM_THREADS: pinned ? '1' : undefined },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  alive.add(child)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint = (complaint + text).slice(-2000)))
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}\n${complaint}`))
  })
  void ended.then(() => alive.delete(child))

  /** The next message; rejects where there is a failure in it, or the process ends without one. */
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', ({ answer, failure }) =>
        failure === undefined ? resolve(answer) : reject(new Error(failure)),
      )
      void ended.then((cause) => reject(new Error(`${name} ${args[0]} ${cause}`)))
    })

  return {
    child,
    ended,
    next,
    /** Asks for a task and waits for its answer. */
    ask(task, request = {}) {
      const answer = next()
      child.send({ task, ...request })
      return answer
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
