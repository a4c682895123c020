/** The package, page and all, as npm would install it from a clone in which it was built. */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from '../../scripts/run.mjs'
import { copyPage } from './page-build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The last of them is written by the build of the package, which does not come before all tests. */
const papers = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE-MIT', 'LICENSE-APACHE'],
  'THIRD-PARTY-NOTICES.txt',
]

export interface Installed {
  /** Its command line. */
  readonly main: string
  /** How many bytes its tarball has, and its files. */
  readonly sizes: { readonly packed: number; readonly unpacked: number }
  /** What it carries, by path from its folder. */
  readonly files: readonly string[]
  readonly folder: string
  /** The page as it was built, copies of what the package has elsewhere included. */
  readonly built: string
  /** The command line of a clone without the page. */
  readonly unbuiltMain: string
  remove(): Promise<void>
}

export async function install(): Promise<Installed> {
  const temporary = await mkdtemp(join(tmpdir(), 'blobcheck-installed-'))
  const [clone, folder, built] = ['clone', 'installed', 'built'].map((name) => join(temporary, name)) as [
    string,
    string,
    string,
  ]
  for (const path of ['package.json', 'dist', 'wasm', 'data', ...papers])
    if (existsSync(join(root, path))) await cp(join(root, path), join(clone, path), { recursive: true })
  await copyPage(join(clone, 'web-demo/dist'))
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent']
  const [{ size, unpackedSize, ...packed }] = JSON.parse(await npm(pack, { cwd: clone })) as [
    { size: number; unpackedSize: number; files: { path: string }[] },
  ]
  const files = packed.files.map(({ path }) => path)
  for (const path of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(clone, path), join(folder, path))
  }
  await rename(join(clone, 'web-demo/dist'), built)
  for (const place of [clone, folder])
    await symlink(join(root, 'node_modules'), join(place, 'node_modules'), 'junction')
  const main = 'dist/cli/main.js'
  return {
    main: join(folder, main),
    sizes: { packed: size, unpacked: unpackedSize },
    files,
    folder,
    built,
    unbuiltMain: join(clone, main),
    remove: async () => await rm(temporary, { recursive: true, force: true }),
  }
}
