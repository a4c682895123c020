/**
 * Servers that get no more of the packed package than was found by tracing their script, as Next.js (with webpack, or standalone), Nitro and
 * Vercel do it: the copy of those files, in a folder of its own, does what the whole does.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkParts, servedChain } from '../support/consumer-parts.ts'
import {
  checkModule,
  makeProject,
  outcomeOf,
  printingScript,
  runTool,
  testConsumer,
  toolPath,
} from '../support/consumers.ts'

/** The tracer (@vercel/nft), as Next.js has it inside. */
const { nodeFileTrace } = createRequire(import.meta.url)(
  toolPath('next/dist/compiled/@vercel/nft/index.js'),
) as {
  nodeFileTrace: (
    files: readonly string[],
    options: { readonly base: string },
  ) => Promise<{ readonly fileList: ReadonlySet<string>; readonly warnings: ReadonlySet<Error> }>
}

/** A copy of the files that `main.js` needs, as far as the tracer sees, of a project with these files. */
async function traced(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeProject('traced', files)
  const { fileList, warnings } = await nodeFileTrace([join(folder, 'main.js')], { base: folder })
  expect([...warnings]).toEqual([])
  // Not below the project, whose packages Node would find from there.
  const copy = await mkdtemp(join(tmpdir(), 'blobcheck-traced-'))
  onTestFinished(async () => await rm(copy, { recursive: true, force: true }))
  for (const file of fileList) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await copyFile(join(folder, file), join(copy, file))
  }
  return copy
}

testConsumer('node-traced', async () => {
  const folder = await traced({
    ...(await servedChain()),
    'check.js': checkParts,
    'files.js': 'export const [lightClient, prover, verifier] = [{}, {}, {}]\n',
    'main.js': printingScript,
  })
  return await outcomeOf(process.execPath, ['main.js'], folder)
})

/** Entries that compute by themselves: what needs the module of each, and its setup. */
const uses: Readonly<Record<string, string>> = {
  blobcheck: checkModule(),
  'blobcheck/inline': checkModule('{ workers: 0 }', "import { createVerifier } from 'blobcheck/inline'"),
  'blobcheck/beacon': `import { loadBeacon } from 'blobcheck/beacon'
  export const check = async () => void (await loadBeacon())`,
  'blobcheck/kzg': `import { loadKzg } from 'blobcheck/kzg'
  export const check = async () => void (await loadKzg({ commitmentSetup: true }))`,
  'blobcheck/light-client': `import { LightClient } from 'blobcheck/light-client'
  import { chain } from './chain.js'
  export async function check() {
    const client = await LightClient.fromCheckpoint({ ...chain, worker: true })
    await client.sync()
    await client.dispose()
  }`,
  'blobcheck/prover': `import { loadProver } from 'blobcheck/prover'
  export const check = async () => void (await loadProver())`,
}

describe('what is traced is enough for a script that imports', () => {
  it.each(Object.entries(uses))('%s', async (entry, check) => {
    const folder = await traced({
      ...(entry === 'blobcheck/light-client' && (await servedChain())),
      'check.js': check,
      'main.js': "import { check } from './check.js'\nawait check()\n",
    })
    const ran = await runTool(process.execPath, ['main.js'], { cwd: folder })
    expect(ran).toEqual({ stdout: '', stderr: '' })
  })

  it('any other entry', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
    const { exports } = JSON.parse(manifest) as { readonly exports: Record<string, unknown> }
    // Neither files nor scripts of workers.
    const entries = Object.keys(exports)
      .filter((path) => !/\*|\.json$|worker$/.test(path))
      .map((path) => path.replace('.', 'blobcheck'))
      .filter((entry) => !(entry in uses))
    const folder = await traced({ 'main.js': entries.map((entry) => `import '${entry}'\n`).join('') })
    const ran = await runTool(process.execPath, ['main.js'], { cwd: folder })
    expect(ran).toEqual({ stdout: '', stderr: '' })
  })
})
