/** Runs the lines that the demo page gives for copying, as a visitor would after `npm i blobcheck`. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the lines print, in a folder that has these files. Rejects where they fail. */
export async function runLines(lines: string, files: Files = {}): Promise<string> {
  return await runIn({ ...files, 'lines.mjs': lines })
}

/** What each of several texts of lines prints, run one after the other by one process, in a folder that has the files of all. */
export async function runEachOf(texts: readonly string[], files: Files): Promise<string[]> {
  const modules = texts.map((lines, at) => [`lines-${at}.mjs`, lines] as const)
  // An import ends when the lines have. No line that they print begins so.
  const all = modules.map(([name]) => `console.log('# ${name}')\nawait import('./${name}')\n`).join('')
  const printed = await runIn({ ...files, ...Object.fromEntries(modules), 'lines.mjs': all })
  return printed.split(/^# .*\n/m).slice(1)
}

type Files = Readonly<Record<string, Uint8Array | string>>

async function runIn(files: Files): Promise<string> {
  return await inFolder(
    files,
    async (cwd) => (await promisify(execFile)(process.execPath, ['lines.mjs'], { cwd })).stdout,
  )
}

/** The first line that lines print which go on for ever; they are ended then. Rejects where they end before. */
export async function firstLineOf(lines: string): Promise<string> {
  return await inFolder({ 'lines.mjs': lines }, async (cwd) => {
    const child = spawn(process.execPath, ['lines.mjs'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    try {
      const first = once(createInterface(child.stdout), 'line') as Promise<[string]>
      const [line] = await Promise.race([
        first,
        closed.then(([code]) => Promise.reject(new Error(`it ended with ${code}, and had printed no line`))),
      ])
      return line
    } finally {
      child.kill()
      await closed
    }
  })
}

/** A folder that has these files, and the package as an installed one, while something is done in it. */
async function inFolder<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-lines-'))
  try {
    await mkdir(join(folder, 'node_modules'))
    await symlink(root, join(folder, 'node_modules/blobcheck'), 'junction')
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
