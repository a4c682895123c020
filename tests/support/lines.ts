/** Runs the lines that the demo page gives for copying, as a visitor would after `npm i blobcheck`. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the lines print, in a folder that has these files. Rejects where they fail. */
export async function runLines(
  lines: string,
  files: Readonly<Record<string, Uint8Array | string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-lines-'))
  try {
    await mkdir(join(folder, 'node_modules'))
    await symlink(root, join(folder, 'node_modules/blobcheck'))
    for (const [name, content] of Object.entries({ ...files, 'lines.mjs': lines }))
      await writeFile(join(folder, name), content)
    return (await promisify(execFile)(process.execPath, ['lines.mjs'], { cwd: folder })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
