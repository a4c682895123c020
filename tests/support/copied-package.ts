/** The built package in a folder of its own, whose files a test may take away. */
import { cp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CopiedPackage {
  /** Its command line. */
  readonly main: string
  /** Takes away its code, but for the scripts of workers, which are read for each that is started. */
  readonly loseCode: () => Promise<void>
}

export async function copyPackage(folder: string): Promise<CopiedPackage> {
  for (const part of ['dist', 'wasm', 'data', 'package.json'])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const dist = join(folder, 'dist')
  return {
    main: join(dist, 'cli/main.js'),
    async loseCode() {
      const files = await readdir(dist, { recursive: true })
      for (const file of files) if (file.endsWith('.js')) await rm(join(dist, file))
    },
  }
}
