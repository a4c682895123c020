/** Two projects: the same package in Node and in Chromium. `npm test` runs both, and Node's again under a current Node. */
import { playwright } from '@vitest/browser-playwright'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'
import Report from './scripts/vitest-report.mjs'
import { vectorCommands } from './tests/support/commands.ts'

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

export default defineConfig({
  test: {
    reporters: process.env['BLOBCHECK_REPORT']
      ? ['default', new Report(process.env['BLOBCHECK_REPORT'])]
      : ['default'],
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'node',
          include: [
            'tests/shared/**/*.test.ts',
            'tests/node/**/*.test.ts',
            ...(hasLibraries ? ['tests/adapters/*.test.ts'] : []),
          ],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          pool: 'forks',
        },
      },
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
            'snappyjs',
            'yaml',
          ],
        },
        worker: { format: 'es' },
        server: { fs: { allow: [here('.')] } },
        test: {
          name: 'browser',
          include: ['tests/shared/**/*.test.ts', 'tests/browser/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: vectorCommands,
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
