/** Programs that have the packed package: in Node.js by `import` and by `require`, under Jest, in Deno, in Bun and in workerd. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { prepareCurrentNode } from '../../scripts/current-node.mjs'
import {
  checkModule,
  checkWithFiles,
  makeProject,
  type Outcome,
  outcomeOf,
  printingScript,
  runTool,
  serveBy,
  testConsumer,
  toolPath,
  type Visited,
} from '../support/consumers.ts'
import { recipeBlocks, recipeFiles } from '../support/recipes.ts'
import { denoArguments, runtime } from '../support/runtimes.ts'

/** What a program of two modules prints. */
async function run(program: string, args: readonly string[] = []): Promise<Visited> {
  const folder = await makeProject('program', { 'check.js': checkModule(), 'main.js': printingScript })
  return await outcomeOf(program, [...args, 'main.js'], folder)
}

testConsumer('node-import', async () => await run(process.execPath))

testConsumer('node-require', async ({ recipe }) => {
  const check = checkModule('{ workers: 2 }', recipeBlocks(recipe!)[0]).replace('export ', '')
  const main = `${check}check().then((outcome) => console.log(JSON.stringify(outcome)))\n`
  const folder = await makeProject('node-require', { 'main.cjs': main })
  return await outcomeOf(process.execPath, ['main.cjs'], folder)
})

testConsumer('node-esbuild', async ({ recipe }) => {
  const files = { ...recipeFiles(recipe!), 'check.js': checkWithFiles(), 'main.js': printingScript }
  const folder = await makeProject('node-esbuild', files)
  await runTool(process.execPath, ['build.mjs'], { cwd: folder })
  // What is deployed is the bundle alone.
  await rm(join(folder, 'node_modules'), { recursive: true })
  return await outcomeOf(process.execPath, ['dist/main.js'], folder)
})

/** What Jest’s test of `check.js` says in a folder, by a command of Node.js that begins with the path of its script. */
async function jestIn(folder: string, args: readonly string[]): Promise<Visited> {
  const here = args.map((arg) => arg.replace(/^node_modules(?=\/)/, toolPath('')))
  await runTool(process.execPath, [...here, '--ci', '--rootDir', folder], { cwd: folder })
  return {
    outcome: JSON.parse(await readFile(join(folder, 'outcome.json'), 'utf8')) as Outcome,
    // Its error stream has its own report.
    complaints: [],
  }
}

const jestFiles = {
  'check.js': checkModule(),
  'blobs.test.js': `import { writeFileSync } from 'node:fs'
    import { check } from './check.js'
    test('two blobs', async () => writeFileSync('outcome.json', JSON.stringify(await check())))`,
}

testConsumer('jest', async ({ recipe }) => {
  const folder = await makeProject('jest', jestFiles)
  const [node, ...args] = recipeBlocks(recipe!)[0]!.trim().split(' ')
  if (node !== 'node') throw new Error('the recipe is no command of Node.js')
  return await jestIn(folder, args)
})

testConsumer('jest-commonjs', async ({ recipe }) => {
  const [install, jest, babel] = recipeBlocks(recipe!)
  for (const [, name, major] of install!.matchAll(/(\S+)@(\d+)(?=\s)/g)) {
    const { version } = JSON.parse(await readFile(toolPath(`${name}/package.json`), 'utf8')) as {
      readonly version: string
    }
    // What is installed is what the recipe installs, and npm has put it beside Jest.
    expect(version, name).toMatch(new RegExp(`^${major}\\.`))
  }
  const folder = await makeProject('jest-commonjs', {
    ...jestFiles,
    'package.json': JSON.stringify({ private: true, dependencies: { blobcheck: '*' } }),
    'jest.config.json': jest!,
    'babel.config.json': babel!,
  })
  return await jestIn(folder, ['node_modules/jest/bin/jest.js'])
})

const currentNode = await prepareCurrentNode()
if (currentNode === null && process.env['CI'] === 'true') throw new Error('there is no current Node.js')
describe.skipIf(currentNode === null)('a current Node.js', () => {
  testConsumer('node-current', async () => await run(currentNode!))
})

const deno = runtime('deno')
describe.skipIf(deno === null)('Deno', () => {
  testConsumer('deno', async () => await run(deno!, denoArguments))
})

const bun = runtime('bun')
describe.skipIf(bun === null)('Bun', () => {
  testConsumer('bun', async () => await run(bun!))
})

const workerd = runtime('workerd')
describe.skipIf(workerd === null)('workerd', () => {
  testConsumer('workerd', async ({ recipe }) => {
    const module = 'blobcheck/wasm/verifier_simd128.wasm'
    const folder = await makeProject('workerd', {
      ...recipeFiles(recipe!),
      'check.js': checkWithFiles('files'),
      'worker.js': `import { check } from './check.js'
      export default { fetch: async () => Response.json(await check()) }`,
      // As wrangler bundles it: one script, and modules of WebAssembly beside it.
      'workerd.capnp': `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (
        services = [(name = "main", worker = (
          modules = [
            (name = "worker.js", esModule = embed "dist/worker.js"),
            (name = "${module}", wasm = embed "node_modules/${module}"),
          ],
          compatibilityDate = "2026-01-01",
        ))],
        sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
      );`,
    })
    const conditions = '--conditions=workerd,worker,browser'
    const bundling = ['--bundle', '--format=esm', '--outdir=dist', '--external:*.wasm', conditions]
    await runTool(toolPath('.bin/esbuild'), ['worker.js', ...bundling], { cwd: folder })
    // It tells its ports to a file descriptor, as an event.
    const args = ['serve', 'workerd.capnp', '--control-fd=1']
    const { origin, end } = await serveBy(workerd!, args, { cwd: folder }, /"port":(\d+)/)
    const response = await fetch(origin)
    return { outcome: (await response.json()) as Outcome, complaints: await end() }
  })
})
