/**
 * The package as its users get it: packed once for each run of the tests (`packed-setup.ts`), and installed from that tarball into folders
 * of the tests' own. Nothing of it comes from the source tree; what it depends on is copied from the packages that npm has installed there.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. */
    tarball: string
  }
}

/** The path of the tarball that this run has packed. */
export function tarball(): string {
  return inject('tarball')
}

/**
 * Installs the package from the tarball, and what it needs at run time, into `node_modules` of a folder, which is made where it is not
 * there. Resolves with the package's own folder, `node_modules/blobcheck`.
 */
export async function installPacked(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'blobcheck')
  await rm(installed, { recursive: true, force: true })
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball(), '-C', installed, '--strip-components=1'])
  await copyDependencies(installed, modules, new Set(['blobcheck']))
  return installed
}

/** Copies what a package depends on, and what that depends on, from the repository's own `node_modules`. */
async function copyDependencies(of: string, to: string, seen: Set<string>): Promise<void> {
  const manifest = JSON.parse(await readFile(join(of, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (seen.has(name)) continue
    seen.add(name)
    const from = join(root, 'node_modules', name)
    await cp(from, join(to, name), { recursive: true })
    await copyDependencies(from, to, seen)
  }
}
