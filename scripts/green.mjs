// What was green stays green until something changes: `npm test` remembers its last complete success, for this very tree,
// on these very tools. `npm test -- --force` runs everything all the same, and so does CI.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './run.mjs'
import { root } from './setup.mjs'

const memory = join(root, 'target/reports/green.json')

/** SHA-256 over every file that is or could be committed, and over what the tests run on; null where git cannot say. */
export async function fingerprint(tools) {
  try {
    const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    })
    const digest = createHash('sha256')
      .update(JSON.stringify(tools))
      .update(await run('rustc', ['--version']))
    for (const file of files.split('\0').filter(Boolean).sort()) {
      const path = join(root, file)
      // A file that was deleted and not yet committed as such is not there.
      const bytes = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : ''
      digest.update(file).update('\0').update(String(bytes.length)).update('\0').update(bytes)
    }
    return digest.digest('hex')
  } catch {
    return null
  }
}

/** The last success of this fingerprint, or null. */
export function lastGreen(inputs) {
  if (inputs === null) return null
  try {
    const green = JSON.parse(readFileSync(memory, 'utf8'))
    return green.inputs === inputs ? green : null
  } catch {
    return null
  }
}

export function rememberGreen(inputs, total) {
  if (inputs === null) return
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, JSON.stringify({ inputs, total, at: new Date().toISOString() }))
}
