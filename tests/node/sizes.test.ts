/**
 * What each entry costs a page, held by size-limit: the page is bundled by Vite, as its author would, and each file is compressed by itself, as
 * hosts do. The budgets are in tests/sizes/entries.mjs.
 */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { bundle } from '../bench/wire.mjs'
import { entries } from '../sizes/entries.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'target/sizes')

/** A file that Vite made for a page; `isImported`: it comes with the page's own script. */
interface BundledFile {
  readonly name: string
  readonly isImported: boolean
  readonly bytes: Buffer
}

/** What size-limit says of one entry. */
interface Size {
  readonly name: string
  readonly passed: boolean
  readonly size: number
}

let sizes: readonly Size[]

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  const checks: object[] = []
  for (const [name, { import: names, files: wanted, limit }] of Object.entries(entries)) {
    const imports = Object.entries(names).map(
      ([name, file]) => `import { ${name} } from ${JSON.stringify(join(root, 'dist', file))}`,
    )
    const made = (await bundle(imports.join('\n'))) as readonly BundledFile[]
    const files = made.filter((file) => file.isImported || wanted.some((pattern) => pattern.test(file.name)))
    // Each pattern is of one file: one that no longer is would make the sum smaller.
    for (const pattern of wanted)
      expect(
        files.filter((file) => pattern.test(file.name)),
        String(pattern),
      ).toHaveLength(1)
    const to = join(folder, name.replace(/\W+/g, '-'))
    await mkdir(to, { recursive: true })
    for (const { name: file, bytes } of files) await writeFile(join(to, file.replaceAll('/', '-')), bytes)
    checks.push({ name, path: `${to}/*`, limit: `${limit} B`, brotli: true })
  }
  await writeFile(join(folder, '.size-limit.json'), JSON.stringify(checks))
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ devDependencies: { '@size-limit/file': '*', 'size-limit': '*' } }),
  )
  const command = join(root, 'tests/sizes/node_modules/size-limit/bin.js')
  // It exits with 1 where a budget is exceeded, and says all the same what everything weighs.
  sizes = await promisify(execFile)(process.execPath, [command, '--json'], { cwd: folder }).then(
    ({ stdout }) => JSON.parse(stdout) as Size[],
    (error: { stdout: string }) => JSON.parse(error.stdout) as Size[],
  )
})

describe('the size of an entry', () => {
  it('has a budget, but for those that are in Node alone, and scripts of workers', () => {
    const names = Object.keys(manifest.exports)
      .filter((path) => !/[*]|package\.json|worker$|\/node$/.test(path))
      .map((path) => path.replace('.', 'blobcheck'))
    expect(new Set(Object.keys(entries).map((name) => name.replace(/ \(.*/, '')))).toEqual(new Set(names))
  })

  it.each(Object.keys(entries))('%s is within its budget', (name) => {
    const { passed, size } = sizes.find((one) => one.name === name)!
    expect(
      passed,
      `${name}: ${size} bytes, and ${entries[name as keyof typeof entries].limit} are allowed`,
    ).toBe(true)
  })
})
