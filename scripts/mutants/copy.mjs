// Copies of what is mutated.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Makes `to` a copy of a file or folder, but for what is built and what `isLeft(path)`: what is gone is removed, and what has not changed keeps its time,
 * by which cargo knows it.
 */
export function copyTree(from, to, isLeft = () => false) {
  mkdirSync(dirname(to), { recursive: true })
  const filter = (at, copy) => !isBuilt(relative(from, at)) && !isLeft(at) && isOther(at, copy)
  cpSync(from, to, { recursive: true, preserveTimestamps: true, filter })
  if (!statSync(to).isDirectory()) return
  for (const path of readdirSync(to, { recursive: true }))
    if (!isBuilt(path) && !existsSync(join(from, path)))
      rmSync(join(to, path), { recursive: true, force: true })
}

const isBuilt = (path) => /(^|[\\/])(target|node_modules)($|[\\/])/.test(path)

function isOther(from, to) {
  const before = existsSync(to) ? statSync(to) : null
  const now = statSync(from)
  return before === null || now.isDirectory() || before.mtimeMs !== now.mtimeMs || before.size !== now.size
}

/** Writes a file that is not so already. */
export function writeText(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
