/** The folders of `examples`, as someone gets them who copies one and installs what it names: blobcheck from its tarball, and nothing else of this repository. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPacked } from './packed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
/** Where packages have been installed for the tests. */
const installed = ['tests/adapters/node_modules', 'node_modules'].map((folder) => join(root, folder))

/** What is read of a package.json. */
interface Manifest {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

/** An example in a folder of its own. */
export interface Example {
  readonly folder: string
  /** What its README says that is printed, in order: its blocks of code without a language. */
  readonly promised: readonly string[]
  /** Runs a script of its package.json that runs Node.js, with more arguments; resolves with all that is printed, and the exit code. */
  start(script: string, ...more: string[]): Promise<{ readonly printed: string; readonly code: number }>
  remove(): Promise<void>
}

/** The package, installed once from the tarball for many examples. */
export interface Shared {
  /** The package's own folder. */
  readonly folder: string
  remove(): Promise<void>
}

export async function installShared(): Promise<Shared> {
  const home = await mkdtemp(join(tmpdir(), 'blobcheck-packed-'))
  return {
    folder: await installPacked(home),
    remove: async () => await rm(home, { recursive: true, force: true }),
  }
}

/**
 * Copies an example to a temporary folder, and installs there what its package.json names, in exactly these versions. blobcheck is a link
 * to the shared installation, or where there is none, a copy in the example's own folder.
 */
export async function openExample(name: string, shared: Shared | null): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), `blobcheck-${name}-`))
  await cp(join(root, 'examples', name), folder, { recursive: true })
  const { scripts, dependencies = {}, devDependencies = {} } = await readManifest(folder)
  for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    const isOurs = dependency === 'blobcheck'
    const found =
      isOurs && shared === null
        ? await installPacked(folder)
        : await link(dependency, folder, isOurs ? shared : null)
    const given = (await readManifest(found)).version
    if (given !== version)
      throw new Error(`${name} names ${dependency} ${version}, and ${given} is installed`)
  }
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  return {
    folder,
    promised: [...readme.matchAll(/^```\w*\n[\s\S]*?^```$/gm)]
      .map(([block]) => block)
      .filter((block) => block.startsWith('```\n'))
      .map((block) => block.slice('```\n'.length, -'```'.length)),
    async start(script, ...more) {
      const [command, ...args] = scripts[script]?.split(' ') ?? []
      if (command !== 'node') throw new Error(`${name}: ${script} does not run Node.js`)
      try {
        const { stdout, stderr } = await run(process.execPath, [...args, ...more], { cwd: folder })
        return { printed: stdout + stderr, code: 0 }
      } catch (error) {
        const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
        return { printed: stdout + stderr, code }
      }
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** Links a package that has been installed for the tests, or the shared one; it finds its own dependencies where it lies. */
async function link(name: string, folder: string, shared: Shared | null): Promise<string> {
  const candidates = shared === null ? installed.map((modules) => join(modules, name)) : [shared.folder]
  const from = candidates.find((candidate) => existsSync(candidate))
  if (from === undefined) throw new Error(`${name} is not installed for the tests`)
  const to = join(folder, 'node_modules', name)
  await mkdir(dirname(to), { recursive: true })
  await symlink(from, to, 'junction')
  return from
}
