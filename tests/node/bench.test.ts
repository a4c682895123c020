/** `npm run bench`: that it runs to its end, and what it leaves in its files. No test here is about how fast anything is. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { findNode } from '../bench/node-binary.mjs'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const script = here('../../scripts/bench.mjs')
const folder = await mkdtemp(join(tmpdir(), 'blobcheck-bench-test-'))
afterAll(() => rm(folder, { recursive: true }))

interface Report {
  readonly env: { readonly complete: boolean; readonly node: string }
  readonly results: readonly {
    readonly op: string
    readonly n: number
    readonly impl: string
    readonly cpuMs: number
    readonly runs: number
  }[]
  readonly failures: readonly object[]
  readonly stages: readonly { readonly stage: string; readonly kind: string; readonly cpuMs: number }[]
}
const read = async (file: string): Promise<Report> => JSON.parse(await readFile(file, 'utf8')) as Report

/** Nothing is set up: `npm test` has built what is measured, and other tests use it meanwhile. */
const quick = [script, '--quick', '--no-setup']
/** Node's relaxed SIMD is sound from 22 on. */
const hasRelaxed = Number(process.versions.node.split('.')[0]) >= 22
const own = hasRelaxed ? ['blobcheck:relaxed-simd', 'blobcheck:simd128'] : ['blobcheck:simd128']
const rows = ['coldStart/1', 'verifyBlobKzgProofBatch/6', 'verifyCellKzgProofBatch/128']

describe('a quick bench', () => {
  it('measures three rows and the stages, and leaves what a file has beside its own section alone', async () => {
    const [json, markdown] = [join(folder, 'whole.json'), join(folder, 'whole.md')]
    await writeFile(markdown, '# Written by hand\n')
    const args = [...quick, '--json', json, '--markdown', markdown]
    const { stdout } = await promisify(execFile)(process.execPath, args)

    const { env, results, failures, stages } = await read(json)
    expect(env).toMatchObject({ complete: true, node: process.versions.node })
    expect(failures).toEqual([])
    for (const impl of own) {
      const found = results.filter((one) => one.impl === impl)
      expect(found.map(({ op, n }) => `${op}/${n}`)).toEqual(rows)
      for (const { cpuMs, runs } of found) {
        expect(cpuMs).toBeGreaterThan(0)
        expect(runs).toBeGreaterThan(0)
      }
    }
    expect(new Set(stages.map(({ stage, kind }) => `${stage} ${kind}`))).toEqual(
      new Set(['check blob', 'check cell', 'collect blob', 'collect cell', 'close blob', 'close cell']),
    )
    for (const { cpuMs } of stages) expect(cpuMs).toBeGreaterThan(0)

    const peers = ['c-kzg', 'kzg-wasm']
    for (const peer of peers.filter((name) => !existsSync(here(`../bench/node_modules/${name}`))))
      expect(stdout).toContain(`${peer} is not installed, and not measured`)
    const text = await readFile(markdown, 'utf8')
    expect(text).toMatch(/^# Written by hand\n/)
    expect(text).toContain('### Stages, ms')
    expect(text).toMatch(/\| verifyBlobKzgProofBatch\/6 \|/)
  })

  it('keeps the rows that it has measured when it is interrupted', async () => {
    const json = join(folder, 'part.json')
    const child = spawn(process.execPath, [...quick, '--peers', 'blobcheck:simd128', '--json', json], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const ended = once(child, 'close') as Promise<[number | null]>
    while (!existsSync(json) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    const { env, results } = await read(json)
    expect(env.complete).toBe(false)
    expect(results[0]).toMatchObject({ op: 'coldStart', n: 1, impl: 'blobcheck:simd128' })
  })

  it('is refused where it is asked for what there is not', async () => {
    const child = spawn(process.execPath, [...quick, '--ops', 'flyToTheMoon'], { stdio: 'ignore' })
    expect(await once(child, 'close')).toEqual([2, null])
  })
})

describe('the Node that is asked for', () => {
  const major = Number(process.versions.node.split('.')[0])

  it('is this one, where it is of that version', async () => {
    const never = (): never => {
      throw new Error('nothing is to be installed')
    }
    expect(await findNode(undefined, never)).toBe(process.execPath)
    expect(await findNode(major, never)).toBe(process.execPath)
  })

  it('is refused where there is none for this platform, and where the current one is of another version', async () => {
    await expect(findNode(major + 1, async () => null)).rejects.toThrow('no package of a current Node')
    const other = findNode(major + 1, async () => process.execPath)
    await expect(other).rejects.toThrow(`--node has ${process.versions.node}`)
  })
})

/** What is measured is reached by the paths of built files, which no compiler looks at. */
it('every file and every name that the bench imports from the package is there', async () => {
  const bench = here('../bench')
  const names = await readdir(bench, { recursive: true })
  const scripts = names.filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'))
  expect(scripts.length).toBeGreaterThan(20)
  let seen = 0
  for (const name of scripts) {
    const text = await readFile(join(bench, name), 'utf8')
    const imports = [
      ...text.matchAll(/import \{([^}]*)\} from '([^']*\/dist\/[^']*)'/g),
      ...text.matchAll(/\{([^{}]*)\} = await import\('([^']*\/dist\/[^']*)'\)/g),
    ]
    for (const [, list = '', path = ''] of imports) {
      const found = (await import(new URL(path, pathToFileURL(join(bench, name))).href)) as object
      const wanted = list.split(',').map((one) => one.split(/[:\s]/).filter(Boolean)[0])
      for (const one of wanted.filter((other) => other !== undefined)) {
        expect(found, `${name}: ${path}`).toHaveProperty(one)
        seen++
      }
    }
    for (const [, path = ''] of text.matchAll(/'((?:\.\.\/)+dist\/[^']*\.js)'/g))
      expect(existsSync(join(bench, name, '..', path)), `${name}: ${path}`).toBe(true)
  }
  expect(seen).toBeGreaterThan(10)
})
