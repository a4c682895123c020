// One process at a time for what several would do in one place: two set-ups of a clone at once would write the same files.
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
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
const host = hostname().replaceAll(/\W/g, '_')

/** What this process has, each with its owner's name: a process that ends itself amid a task leaves none. */
const held = new Map()
process.once('exit', () => held.forEach((owner, lock) => leave(lock, owner)))

/**
 * Runs a task while no other process runs one of this name in this clone, and resolves with what it resolves with. Where another one does, `tell` is
 * called once, and the task waits for its end. A process that has ended holds nobody up: at once where it was one of this machine, and after
 * `patience` milliseconds without a sign of life where that cannot be known: it ran in another container, or another process has its number now.
 * A task must not ask for the name that it runs under.
 */
export async function alone(name, task, tell, { folder = locks, patience = 30_000 } = {}) {
  const lock = join(folder, name)
  const me = `${host}-${process.pid}-${randomUUID()}`
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
  while (true) {
    const owner = ownerOf(lock)
    if (owner === undefined && tryToTake(lock, me)) return
    if (owner !== undefined) {
      const sign = `${owner} ${signOf(lock, owner)}`
      waited = sign === seen ? waited + pause : 0
      seen = sign
      if (hasEnded(owner) || waited > patience) {
        leave(lock, owner)
        continue
      }
      if (!isTold) tell()
      isTold = true
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
    if (['ENOTEMPTY', 'EEXIST'].includes(error.code) || process.platform === 'win32') return false
    throw error
  }
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

function hasEnded(owner) {
  const [where, pid] = owner.split('-')
  if (where !== host) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
