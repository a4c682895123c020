// What was green stays green until something changes: `npm test` and `npm run test:all` remember their last complete success, for this very
// tree, on these very tools. With `-- --force` they run all the same, and so does CI.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { run } from './run.mjs'
import { root } from './setup.mjs'

const memory = join(root, 'target/reports/green.json')

/**
 * SHA-256 over every file of a folder that is or could be committed, over this Node and this Rust, and over the programs at these paths, which the
 * tests run on; null where git cannot say, or knows no file of it: an outer repository may ignore the whole folder.
 */
export async function fingerprint(programs, folder = root) {
  try {
    // A warning is none of the names.
    const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: folder,
      isRead: true,
    })
    if (files === '') return null
    const digest = createHash('sha256')
      .update(process.version)
      .update(JSON.stringify(await Promise.all(programs.map(identify))))
      .update(await run('rustc', ['--version'], { isRead: true }))
    for (const file of files.split('\0').filter(Boolean).sort()) {
      const path = join(folder, file)
      // A file that was deleted and not yet committed as such is not there.
      const bytes = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : ''
      digest.update(file).update('\0').update(String(bytes.length)).update('\0').update(bytes)
    }
    return digest.digest('hex')
  } catch {
    return null
  }
}

/** What is known of a program without reading it: which file it is, and its version, since the file may do no more than start another; null for none. */
async function identify(path) {
  const file = path ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (file === undefined) return null
  // On Windows a browser opens a window in answer.
  const isAsked = process.platform !== 'win32'
  const said = isAsked ? promisify(execFile)(path, ['--version'], { timeout: 10_000 }) : null
  const version = (await said?.catch(() => null))?.stdout
  return [realpathSync(path), file.size, file.mtimeMs, version]
}

/** The last success of this fingerprint, or null: of everything, where `isWhole`. */
export function lastGreen(inputs, isWhole) {
  if (inputs === null) return null
  try {
    const green = JSON.parse(readFileSync(memory, 'utf8'))
    return green.inputs === inputs && (green.isWhole || !isWhole) ? green : null
  } catch {
    return null
  }
}

export function rememberGreen(inputs, isWhole, total) {
  if (inputs === null) return
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, JSON.stringify({ inputs, isWhole, total, at: new Date().toISOString() }))
}
