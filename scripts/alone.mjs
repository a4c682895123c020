// One process at a time for what several would do in one place: two set-ups of a clone at once would write the same files.
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const locks = fileURLToPath(new URL('../target/locks/', import.meta.url))
// Containers may share the name of the machine, and yet have processes of their own: of the same numbers.
const host = `${hostname()}${linkTo('/proc/self/ns/pid')}`.replaceAll(/\W/g, '_')

/** What this process has, each with its owner's name: a process that ends itself amid a task leaves none. */
const held = new Map()
process.once('exit', () => held.forEach((owner, lock) => leave(lock, owner)))

/**
 * Runs a task while no other process runs one of this name in this clone, and resolves with what it resolves with. Where another one does, `tell` is
 * called once, and the task waits for its end. A process that has ended holds nobody up: at once where it was one of this machine, and after
 * `patience` milliseconds without a sign of life where that cannot be known: it ran in another container, or the system has no `/proc`, and another
 * process may have its number now. One that is stopped (Ctrl-Z) is waited for where it is known to be there; where that cannot be known, it loses its
 * place after `patience`, and goes on beside the next one. The programs that a killed process had started may go on, too: nobody waits for them.
 * A task must not ask for the name that it runs under.
 */
export async function alone(name, task, tell, { folder = locks, patience = 30_000 } = {}) {
  const lock = join(folder, name)
  const me = `${host}-${process.pid}-${startOf(process.pid)}-${randomUUID()}`
  await take(lock, me, tell, patience)
  const sign = setInterval(() => giveSign(lock, me), Math.min(1000, patience / 5)).unref()
  held.set(lock, me)
  try {
    return await task()
  } finally {
    clearInterval(sign)
    held.delete(lock)
    leave(lock, me)
  }
}

/** A lock is a folder with one file, which is named after its owner: to remove the file of one owner never removes the lock of the next. */
async function take(lock, me, tell, patience) {
  const pause = Math.min(100, patience / 5)
  let isTold = false
  let seen = ''
  // Counted, not measured: a machine that slept has not waited.
  let waited = 0
  let refused = 0
  while (true) {
    const owner = ownerOf(lock)
    if (owner === undefined) {
      try {
        if (tryToTake(lock, me)) return
      } catch (error) {
        refused += pause
        if (!mayPass(error) || refused > patience) throw error
      }
    } else {
      refused = 0
      const sign = `${owner} ${signOf(lock, owner)}`
      waited = sign === seen ? waited + pause : 0
      seen = sign
      if (isRunning(owner) ?? waited <= patience) {
        if (!isTold) tell()
        isTold = true
      } else {
        leave(lock, owner)
        continue
      }
    }
    await wait(pause)
  }
}

/** Whether the lock is ours now. It is put in its place with the owner's file in it, which only one of several can do. */
function tryToTake(lock, me) {
  const mine = `${lock}.${me}`
  mkdirSync(mine, { recursive: true })
  writeFileSync(join(mine, me), '')
  try {
    // Windows puts no folder in the place of an empty one.
    removeEmpty(lock)
    renameSync(mine, lock)
    return true
  } catch (error) {
    rmSync(mine, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST'].includes(error.code)) return false
    throw error
  }
}

/** Whether it is an error of Windows that passes: it refuses to put a folder where there is one, or where another program has a file open. */
function mayPass(error) {
  return process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(error.code)
}

function leave(lock, owner) {
  rmSync(join(lock, owner), { force: true })
  removeEmpty(lock)
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder)
  } catch {
    // It is gone, or another owner's.
  }
}

function giveSign(lock, me) {
  try {
    const now = new Date()
    utimesSync(join(lock, me), now, now)
  } catch {
    // `cargo clean` removes it.
  }
}

function ownerOf(lock) {
  try {
    return readdirSync(lock)[0]
  } catch {
    return undefined
  }
}

function signOf(lock, owner) {
  return statSync(join(lock, owner), { throwIfNoEntry: false })?.mtimeMs
}

/** Whether a process is still there; undefined where that cannot be known. */
function isRunning(owner) {
  const [where, pid, start] = owner.split('-')
  if (where !== host) return undefined
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  const startNow = startOf(pid)
  return [start, startNow].includes('unknown') ? undefined : start === startNow
}

/** When the process that has this number was started, which tells it from others that had it before; `unknown` where the system does not say. */
function startOf(pid) {
  // `/proc` may be that of another container, in which the numbers mean other processes.
  if (linkTo('/proc/self') !== String(process.pid)) return 'unknown'
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in parentheses, may have anything in it. Behind it are fields 3 and on of proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // A killed process keeps its number until its parent has asked for how it ended.
    return fields[0] === 'Z' ? 'ended' : fields[19]
  } catch {
    return 'unknown'
  }
}

function linkTo(path) {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
