/**
 * Which part of ts/src may import which. `npm test` runs dependency-cruiser over it; imports of types count, too, since a reader
 * follows them as well.
 */

/** From the bottom up: a folder may import those before it in this list, and itself. */
const layers = [
  'vendor',
  'util',
  'verdict',
  'runtime',
  'beacon',
  'kzg',
  'prover',
  'light-client',
  'verifier',
  'inline',
  'block-data',
  'sampler',
  'execution',
  'blobs',
  'serve',
  'proxy',
  'audit',
  'adapters',
  'elements',
  'cli',
]

/** What users install by themselves, for one command. The tests have it as a development dependency. */
const optionalPeers = '^node_modules/(?:bullmq|ioredis)/'

const upwards = layers.slice(0, -1).map((folder, at) => ({
  name: `${folder}-imports-what-stands-on-it`,
  severity: 'error',
  from: { path: `^ts/src/${folder}/` },
  to: { path: `^ts/src/(?:${layers.slice(at + 1).join('|')})/` },
}))

export default {
  forbidden: [
    {
      name: 'no-circle-of-files',
      comment: 'Two files that import each other are one idea in two places, or two ideas in a knot.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'Folders are entries and steps: data goes one way through them.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^ts/src/[^/]+$' },
      to: { circular: true, path: '^ts/src/[^/]+$' },
    },
    ...upwards,
    {
      name: 'worker-spawns-itself',
      comment: 'A bundler would follow the worker that is started into itself.',
      severity: 'error',
      from: { path: '^ts/src/[^/]+/worker/(?:entry|entry-node|tasks)\\.m?ts$' },
      to: { path: '/worker/spawn/', reachable: true },
    },
    {
      name: 'entry-imports-an-undeclared-package',
      comment: 'What is no dependency is put into the package by the build, which looks in `vendor` alone.',
      severity: 'error',
      from: { path: '^ts/src/', pathNot: '^ts/src/vendor/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: optionalPeers },
    },
    {
      name: 'optional-peer-elsewhere',
      comment:
        'Who does not audit on several machines does not install them: one command loads them, when it is asked to.',
      severity: 'error',
      from: { path: '^ts/src/', pathNot: '^ts/src/cli/audit/' },
      to: { path: optionalPeers },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^wasm/|^dist/' },
    exclude: { path: '^(?:dist|wasm)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
