/** What `npm pack` would publish: it is whole, and what is missing or superfluous is named before anything is published. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { excessOf, problemsOf } from '../../scripts/package-contents.mjs'
import { writeNotices } from '../../scripts/third-party-notices.mjs'
import { install, type Installed } from '../support/installed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let installed: Installed
beforeAll(async () => {
  await writeNotices(root)
  installed = await install()
})
afterAll(async () => await installed?.remove())

const problems = (files: readonly string[]): string[] => problemsOf(installed.folder, files)

describe('the contents of the package', () => {
  it('are whole', () => {
    expect(problems(installed.files)).toEqual([])
  })

  it('are within the budgets of a download and of an installation', () => {
    const { packed, unpacked } = installed.sizes
    expect(excessOf(installed.folder, packed, unpacked)).toEqual([])
    expect(excessOf(installed.folder, 2 * packed, 2 * unpacked)).toEqual([
      expect.stringMatching(/^\d\.\d\d MB packed, and \d\.\d\d MB are allowed$/),
      expect.stringMatching(/^\d+\.\d\d MB installed, and \d\.\d\d MB are allowed$/),
    ])
  })

  it.each([
    ['the prover’s setup', 'wasm/prover-setup-extension.bin'],
    ['a module', 'wasm/verifier_relaxed_simd.wasm'],
    ['a worker’s script', 'dist/verifier/worker/entry.js'],
    ['what an entry imports', 'dist/verifier/batch/plan.js'],
    ['a declaration', 'dist/verifier/options.d.ts'],
    ['the page', 'web-demo/dist/index.html'],
    ['the notices', 'THIRD-PARTY-NOTICES.txt'],
  ])('lack %s: it is named', (_, path) => {
    expect(installed.files).toContain(path)
    const found = problems(installed.files.filter((name) => name !== path))
    expect(found.length).toBeGreaterThan(0)
    for (const problem of found) expect(problem).toContain(`${path} is not in the package`)
  })

  it('have a stamp of the build: it is named', () => {
    expect(problems([...installed.files, 'dist/.stamp'])).toEqual([
      'dist/.stamp is of the build, or of a test',
    ])
  })

  it('have a source map, or name one: it is named', async () => {
    const path = 'dist/mapped.js'
    await writeFile(join(installed.folder, path), 'export {}\n//# sourceMappingURL=mapped.js.map\n')
    const complaint = (name: string): string =>
      `${name} is a source map, or names one, and no sources are here`
    expect(problems([...installed.files, path, `${path}.map`])).toEqual([path, `${path}.map`].map(complaint))
  })

  it('have a peer of the page’s bench: it is named', () => {
    const path = 'web-demo/dist/assets/peer-kzg-wasm-12345678.js'
    expect(problems([...installed.files, path])).toEqual([`${path} is of the page with peers`])
  })

  it('name the licence of what is inside: each crate of the modules, and each package in our files', async () => {
    const notices = await readFile(join(root, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['ark-bls12-381', 'ark-ec', 'ark-ff', 'sha2', 'wasm-bindgen', 'rlsf'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    for (const name of [
      'comlink',
      'idb',
      'commander',
      'hono',
      '@noble/curves',
      '@noble/hashes',
      '@ethereumjs/rlp',
    ])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    // It carries no file of its licence.
    expect(notices).toMatch(
      /^rlsf [\d.]+\n\nMIT License\n\nCopyright \(c\) yvt\n\nPermission is hereby granted[^-]*SOFTWARE\.\n/m,
    )
    for (const name of ['syn', 'criterion', 'proptest'])
      expect(notices).not.toMatch(new RegExp(`^${name} \\d`, 'm'))
  })
  it('are not made where no licence of a package was noted when it was built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobcheck-notices-'))
    await mkdir(join(folder, 'dist'))
    await writeFile(join(folder, 'dist/licenses.txt'), '')
    await expect(writeNotices(folder)).rejects.toThrow('dist/licenses.txt is empty')
    await rm(folder, { recursive: true })
  })
})
