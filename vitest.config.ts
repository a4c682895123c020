/**
 * The same package in Node (`node`) and in Chromium (`browser`). `npm run test:all` runs both, and what computes a second time under a current
 * Node (`current-node`), since the relaxed-SIMD kernel is sound in no Node of the oldest supported line. `npm test` leaves some of their files to
 * it (scripts/test-selection.mjs), and has most files of `node` in few processes (`together`). `quick` is for the inner loop.
 *
 * Where a test lies says where it runs: `tests/wasm` has what the modules compute, which no platform changes (each Node, but for what takes
 * long), `tests/shared` what touches workers, IndexedDB or the platform's hashing (Node and Chromium), `tests/node` and `tests/browser` what
 * is of one of them.
 */
import { playwright } from '@vitest/browser-playwright'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import type { BrowserConfigOptions } from 'vitest/node'
import { CHROMIUM_ARGS, findChromium } from './scripts/chromium.mjs'
import { isCurrent } from './scripts/current-node.mjs'
import { isOfAChange, leftHere } from './scripts/test-selection.mjs'
import Report from './scripts/vitest-report.mjs'
import { engines } from './tests/support/engines/vitest-provider.ts'
import { asOneFile } from './tests/support/one-file.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Tests import the package by its name, and get what users get: the built files.
const alias = [
  { find: /^blobcheck$/, replacement: here('./dist/index.js') },
  { find: /^blobcheck\/beacon$/, replacement: here('./dist/beacon/index.js') },
  { find: /^blobcheck\/blobs$/, replacement: here('./dist/blobs/index.js') },
  { find: /^blobcheck\/elements$/, replacement: here('./dist/elements/index.js') },
  { find: /^blobcheck\/elements\/([\w-]+)$/, replacement: here('./dist/elements/$1/index.js') },
  { find: /^blobcheck\/inline$/, replacement: here('./dist/inline/index.js') },
  { find: /^blobcheck\/kzg$/, replacement: here('./dist/kzg/index.js') },
  { find: /^blobcheck\/light-client$/, replacement: here('./dist/light-client/index.js') },
  { find: /^blobcheck\/prover$/, replacement: here('./dist/prover/index.js') },
  { find: /^blobcheck\/sampler$/, replacement: here('./dist/sampler/index.js') },
  { find: /^blobcheck\/serve$/, replacement: here('./dist/serve/index.js') },
  { find: /^blobcheck\/serve\/node$/, replacement: here('./dist/serve/node.js') },
  { find: /^blobcheck\/adapters\/(\w+)$/, replacement: here('./dist/adapters/$1.js') },
]

const startsWith = (path: string): RegExp => new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

/** The libraries of the adapters' tests are installed by `npm test`. */
const hasLibraries = existsSync(here('./tests/adapters/node_modules/viem'))

/** What `npm run mutants` has set up before each file, and what runs its tests. */
const { BLOBCHECK_TEST_SETUP: moreSetup, BLOBCHECK_TEST_RUNNER: runner } = process.env

const setupFiles = [
  here('./tests/support/equal-bytes.ts'),
  here('./tests/support/cpu-time.ts'),
  ...(moreSetup === undefined ? [] : [moreSetup]),
]

/**
 * What runs once more under a current Node: what the modules compute, and what of Node's own depends on the kernel. The files of
 * `tests/shared` run on both kernels without it: on the baseline in the oldest Node, on the relaxed one in Chromium.
 */
const onEachKernel = [
  'tests/wasm/*.test.ts',
  'tests/shared/{hashing,kernel}.test.ts',
  'tests/node/{light-client-engine,memory,prover-module}.test.ts',
]

/**
 * What takes longest of what the modules compute, proofs and chains of real blocks, runs under a current Node alone, on both kernels. Other
 * tests of the prover, and the official vectors, run in this Node, whichever it is.
 */
const longest = 'tests/wasm/{light-client-chains,prover,prover-vectors,real-data}.test.ts'

/**
 * What depends on the engine of a browser, and runs in Firefox and WebKit, too: kernels, workers, what is kept in IndexedDB, service workers,
 * elements where pages put them, and the official vectors, in the page and off its thread. The rest, which takes longer, runs in Chromium alone.
 */
const onEachEngine = [
  'tests/shared/{bad-input-verifier,batching,cache,crash,hashing,indexed-db-faults,inline,kernel,light-client,out-of-memory,pool,real-block,sampler,throttled,vectors-verdicts,warmup,workers}.test.ts',
  'tests/wasm/{kernels,light-client-modules,module-inputs,vectors}.test.ts',
  'tests/browser/{elements-places,light-client,policies,prover-responsive,reload,responsive,serve-service-worker}.test.ts',
]

/** What the inner loop chooses from. */
const files = ['tests/{wasm,shared,node}/*.test.ts']

/** All files that run in Node, but for those of pages; the last ones need packages that `npm test` installs. */
const allFiles = [
  ...files,
  'tests/node/audit/*.test.ts',
  ...(hasLibraries ? ['tests/adapters/*.test.ts'] : []),
]

/**
 * What has a process of its own in `npm test`, too: files of pages, of memory, of crashes, of what a module or a process is like at its start, and
 * those that count the timers which are left, of which files before them may have some.
 */
const apart = [
  'tests/node/{bench,documentation,ends,memory,model,package,prover-module,sampler-block,serve-faults,sizes,soak,start,vitest}*.test.ts',
  'tests/node/page/*.test.ts',
  'tests/shared/{crash,out-of-memory}*.test.ts',
  'tests/wasm/{prover,real-data}*.test.ts',
]

/**
 * What the inner loop leaves to `npm test` and to `npm run test:all`: files that start programs, pages or dozens of workers, that prove, that wait,
 * and that want memory in which nothing has run before.
 */
const slow = [
  ...apart,
  'tests/node/{blobs,browser-faults,callers,cli,content-script,examples,extension,inferred-types,light-client,prover,proxy,public,sampler,serve,site}*.test.ts',
  'tests/shared/{abort,bad-input,bare-blobs,batch,cache,model,prover,sampler,serve}*.test.ts',
]

const inNode = (
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
  { isolate = true, globalSetup = [] }: { isolate?: boolean; globalSetup?: string[] } = {},
) => ({
  resolve: { alias },
  test: {
    name,
    include: [...include],
    exclude: [...configDefaults.exclude, ...exclude, ...leftHere(name)],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks' as const,
    isolate,
    globalSetup,
    setupFiles: isolate ? setupFiles : [here('./tests/support/own-modules.ts'), ...setupFiles],
    ...(runner === undefined ? {} : { runner }),
    // Loaded by Node itself, as users load it; the tests' own files alone are transformed.
    server: { deps: { external: [here('./dist/'), here('./wasm/')].map(startsWith) } },
  },
})

const inBrowser = (name: string, include: readonly string[], browser: BrowserConfigOptions) => ({
  resolve: { alias },
  optimizeDeps: {
    include: ['comlink', 'fast-check', 'idb', 'yaml'],
  },
  worker: { format: 'es' as const },
  server: { fs: { allow: [here('.')] } },
  plugins: [asOneFile(here('./tests/support/trap-worker.js'))],
  test: {
    name,
    setupFiles,
    include: [...include],
    exclude: [...configDefaults.exclude, ...leftHere(name)],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    browser: { enabled: true, headless: true, screenshotFailures: false, ...browser },
  },
})

export default defineConfig({
  test: {
    reporters: process.env['BLOBCHECK_REPORT']
      ? ['default', new Report(process.env['BLOBCHECK_REPORT'])]
      : ['default'],
    projects: [
      inNode(
        'node',
        // For a change, `together` has run the others.
        isOfAChange ? apart : [...allFiles, 'tests/node/page/*.test.ts'],
        isCurrent ? [] : [longest],
        { globalSetup: [here('./tests/support/page-builds-setup.ts')] },
      ),
      // Modules are loaded, and compiled to machine code, once for many files. `npm run test:all` keeps them apart.
      inNode('together', allFiles, apart, { isolate: false }),
      inNode('quick', files, slow, { isolate: false }),
      inNode('current-node', onEachKernel),
      {
        // The package from its tarball: nothing of it is resolved for these.
        test: {
          name: 'packed',
          include: ['tests/packed/*.test.ts'],
          exclude: [...configDefaults.exclude, ...leftHere('packed')],
          globalSetup: [here('./tests/support/packed-setup.ts')],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          pool: 'forks' as const,
          setupFiles,
        },
      },
      inBrowser('browser', ['tests/shared/*.test.ts', 'tests/browser/*.test.ts'], {
        provider: playwright({
          launchOptions: {
            executablePath: findChromium() ?? '',
            args: CHROMIUM_ARGS,
          },
        }),
        instances: [{ browser: 'chromium' }],
      }),
      inBrowser('firefox', onEachEngine, { provider: engines, instances: [{ browser: 'firefox' }] }),
      inBrowser('webkit', onEachEngine, { provider: engines, instances: [{ browser: 'webkit' }] }),
    ],
  },
})
