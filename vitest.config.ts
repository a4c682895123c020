/**
 * The same package in Node (`node`) and in Chromium (`browser`). `npm test` runs both, and what computes a second time under a current
 * Node (`current-node`), since the relaxed-SIMD kernel is sound in no Node of the oldest supported line. `quick` is for the inner loop.
 *
 * Where a test lies says where it runs: `tests/wasm` has what the modules compute, which no platform changes (each Node), `tests/shared` what
 * touches workers, IndexedDB or the platform's hashing (Node and Chromium), `tests/node` and `tests/browser` what is of one of them.
 */
import { playwright } from '@vitest/browser-playwright'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'
import Report from './scripts/vitest-report.mjs'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Tests import the package by its name, and get what users get: the built files.
const alias = [
  { find: /^blobcheck$/, replacement: here('./dist/index.js') },
  { find: /^blobcheck\/kzg$/, replacement: here('./dist/kzg/index.js') },
  { find: /^blobcheck\/light-client$/, replacement: here('./dist/light-client/index.js') },
  { find: /^blobcheck\/prover$/, replacement: here('./dist/prover/index.js') },
  { find: /^blobcheck\/sampler$/, replacement: here('./dist/sampler/index.js') },
  { find: /^blobcheck\/serve$/, replacement: here('./dist/serve/index.js') },
  { find: /^blobcheck\/serve\/node$/, replacement: here('./dist/serve/node.js') },
  { find: /^blobcheck\/adapters\/(\w+)$/, replacement: here('./dist/adapters/$1.js') },
]

/** The libraries of the adapters' tests are installed by `npm test`. */
const hasLibraries = existsSync(here('./tests/adapters/node_modules/viem'))

/** What runs once more under a current Node: what computes. All else that the package does is the same in both. */
const onEachKernel = [
  'tests/wasm/*.test.ts',
  'tests/shared/{batching,crash,hashing,kernel,light-client,prover-off-thread,vectors-verdicts,warmup}.test.ts',
  'tests/node/{cli-bench,light-client-engine,memory,prover-module}.test.ts',
]

/** What the inner loop leaves to the whole: files that start programs or pages, and that wait. */
const slow = [
  'tests/node/{bench,cli,documentation,ends,light-client,memory,page,prover,sampler,serve}*.test.ts',
  'tests/shared/{crash,prover}*.test.ts',
]

const inNode = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  resolve: { alias },
  test: {
    name,
    include: [...include],
    exclude: [...configDefaults.exclude, ...exclude],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks' as const,
  },
})

export default defineConfig({
  test: {
    reporters: process.env['BLOBCHECK_REPORT']
      ? ['default', new Report(process.env['BLOBCHECK_REPORT'])]
      : ['default'],
    projects: [
      inNode('node', [
        'tests/wasm/*.test.ts',
        'tests/shared/*.test.ts',
        'tests/node/*.test.ts',
        ...(hasLibraries ? ['tests/adapters/*.test.ts'] : []),
      ]),
      inNode('current-node', onEachKernel),
      inNode('quick', ['tests/wasm/*.test.ts', 'tests/shared/*.test.ts', 'tests/node/*.test.ts'], slow),
      {
        resolve: { alias },
        optimizeDeps: {
          include: [
            '@noble/curves/bls12-381',
            '@noble/hashes/sha2',
            'comlink',
            'fast-check',
            'hono',
            'hono/cors',
            'hono/http-exception',
            'hono/streaming',
            'idb',
            'yaml',
          ],
        },
        worker: { format: 'es' },
        server: { fs: { allow: [here('.')] } },
        test: {
          name: 'browser',
          include: ['tests/shared/*.test.ts', 'tests/browser/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: findChromium() ?? '',
                args: [
                  '--no-sandbox',
                  '--disable-dev-shm-usage',
                  '--disable-background-networking',
                  '--disable-component-update',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
