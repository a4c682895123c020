/** The module `virtual:peers`: the libraries that the page can measure itself beside, or none. They are no part of the package. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const NAME = 'virtual:peers'
const RESOLVED = `\0${NAME}`

/** Files that have something of a peer: workers, and what starts them. */
export const PEER_FILE = /(?:^|\/)peers?-[\w-]+\.js$/

const bench = (path: string): string => fileURLToPath(new URL(`../../tests/bench/${path}`, import.meta.url))

/** The build fails where they are wanted and not installed: `npm run demo -- --peers` installs them. */
export function peers(areWanted: boolean): Plugin {
  return {
    name: 'peers',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null
      if (!areWanted) return 'export const peers = [], load = null'
      const pinned = versions()
      const listed = ['kzg-wasm', 'micro-eth-signer'].map(
        (name) => `{ name: '${name}', version: '${pinned[name]}', bytes: '%BYTES:${name}%' }`,
      )
      const started = JSON.stringify(bench('browser/peers/peers.js'))
      return `export const peers = [${listed.join()}], load = () => import(${started})`
    },
    // How long a file is, is known when it is made.
    generateBundle(_options, bundle) {
      const bytesOf = (name: string): string => {
        const file = Object.values(bundle).find(({ fileName }) => fileName.includes(`/peer-${name}-`))
        if (file === undefined) throw new Error(`${name} is not a file of the page`)
        return String(Buffer.byteLength(file.type === 'chunk' ? file.code : file.source))
      }
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replace(/%BYTES:([\w-]+)%/g, (_whole, name: string) => bytesOf(name))
    },
  }
}

/** The versions of those that are installed, which are pinned. Read where they are wanted: a page without them needs no file of the bench. */
function versions(): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(bench('package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return dependencies
}
