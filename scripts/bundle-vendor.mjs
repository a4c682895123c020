// What is used of other people's libraries in the command line and in `blobcheck/serve`, put into the package: who installs blobcheck for its
// verifier does not install them, and who has another version of one of them does not get a second copy. What the compiler wrote for
// `ts/src/vendor` is replaced in its place, so that a package that was compiled alone works, too.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The libraries that need Node.js. The others run anywhere. */
const ofNode = ['commander.js', 'node-server.js']

/** Bundles `dist/vendor` of the compiled package in `root`, and takes note of the licences. */
export async function bundleVendor(root, licences) {
  const { rolldown } = await import('rolldown')
  const folder = join(root, 'dist/vendor')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const anywhere = files.filter((name) => !ofNode.includes(name))
  for (const [platform, names] of [
    ['node', ofNode],
    ['browser', anywhere],
  ]) {
    const bundle = await rolldown({
      input: Object.fromEntries(names.map((name) => [name.replace(/\.js$/, ''), join(folder, name)])),
      cwd: root,
      platform,
      plugins: [comlinkAsUsed],
      logLevel: 'warn',
    })
    const { output } = await bundle.write({
      dir: folder,
      format: 'es',
      entryFileNames: '[name].js',
      // What two of them share: the hash function of the curve's library.
      chunkFileNames: '[name]-shared.js',
      minify: true,
    })
    await bundle.close()
    for (const { fileName, imports = [], moduleIds = [] } of output) {
      licences.add(moduleIds)
      const known = (name) => output.some((chunk) => chunk.fileName === name)
      const outside = imports.filter((name) => !known(name) && !(platform === 'node' && isBuiltin(name)))
      if (outside.length > 0) throw new Error(`dist/vendor/${fileName} needs ${outside}`)
    }
  }
}

/** What is changed of Comlink's source, and to what. */
const COMLINK_CHANGES = [
  // Values that are proxies, of which none passes to our workers or comes from them: the script of a worker, which exposes functions, would have
  // all that calls them as well, and a page the other way round.
  ['["proxy", proxyTransferHandler],', ''],
  // The registry of proxies is made of nothing but itself, so that bundlers leave it out where nothing is wrapped, as in the script of a worker.
  [
    '"FinalizationRegistry" in globalThis &&\n    new FinalizationRegistry(',
    'typeof FinalizationRegistry === "function" &&\n    /* @__PURE__ */ new FinalizationRegistry(',
  ],
]

/** Comlink without what none of our threads uses of it: a kilobyte of what a verifier's page downloads. */
export const comlinkAsUsed = {
  name: 'comlink-as-used',
  transform: {
    filter: { id: /\bcomlink\.mjs$/ },
    handler(code) {
      for (const [from] of COMLINK_CHANGES)
        if (!code.includes(from)) throw new Error('Comlink has a new form')
      return {
        code: COMLINK_CHANGES.reduce((shorter, [from, to]) => shorter.replace(from, to), code),
        map: null,
      }
    },
  },
}

const isBuiltin = (name) => name.startsWith('node:')
