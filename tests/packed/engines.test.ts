/** The official vectors in programs that run JavaScript without a browser, with the packed package: Deno, Bun, and the newest Node.js. */
import { readFile } from 'node:fs/promises'
import type { KernelName } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { listCases } from '../support/cases.ts'
import { makeProject, runTool } from '../support/consumers.ts'
import { denoArguments, runtime } from '../support/runtimes.ts'
import '../support/engine-name.ts'

/** What the program prints. */
interface Found {
  /** Of the engine, with its version. */
  readonly name: string
  /** What a verifier has there that is asked for nothing in particular. */
  readonly kernel: KernelName
  readonly workers: number
  /** How many answers there were, and which of them are not what the vectors say. */
  readonly answers: number
  readonly wrong: readonly string[]
}

/** Asked of the specification's functions, and those of blobs and cells of a verifier as well. */
const functions = {
  verify_kzg_proof: 1,
  verify_blob_kzg_proof: 2,
  verify_blob_kzg_proof_batch: 2,
  verify_cell_kzg_proof_batch: 2,
} as const

describe.each([
  { name: 'deno', engine: /^Deno 2\./, kernel: 'relaxed-simd', args: denoArguments },
  // JavaScriptCore has no relaxed SIMD.
  { name: 'bun', engine: /^Bun 1\./, kernel: 'simd128', args: [] },
  { name: 'node26', engine: /^Node 26\./, kernel: 'relaxed-simd', args: [] },
] as const)('the official vectors in $name', ({ name, engine, kernel, args }) => {
  const program = runtime(name)
  it.skipIf(program === null)('are answered as they say, with workers', async ({ task }) => {
    const script = await readFile(new URL('../support/official-vectors.mjs', import.meta.url), 'utf8')
    const folder = await makeProject(`vectors-${name}`, { 'main.mjs': script })
    const vectors = new URL('../vectors/', import.meta.url)
    const { stdout } = await runTool(program!, [...args, 'main.mjs', vectors.href], { cwd: folder })
    const { wrong, ...found } = JSON.parse(stdout) as Found
    expect(wrong).toEqual([])
    expect(found.name).toMatch(engine)
    expect(found.kernel).toBe(kernel)
    expect(found.workers).toBeGreaterThan(0)
    let answers = 0
    for (const [name, ways] of Object.entries(functions)) answers += ways * (await listCases(name)).length
    expect(found.answers).toBe(answers)
    task.meta.engine = found
  })
})
