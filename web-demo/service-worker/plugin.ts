/** Builds the service worker as a script beside the page, and writes into it which files the page has. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { NODE_FILE } from '../node/plugin.ts'
import { PEER_FILE } from '../peers/plugin.ts'

/** Modules that the embedded block does without: proposers' signatures, blocks as anchors, and commitments without proofs. */
const UNUSED = /\/(light_client|beacon|prover)[\w-]*\.(wasm|bin)$/

const NAME = 'service-worker'

/** `publicFolder`: what is copied beside the page as it is. */
export function serviceWorker(publicFolder: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({
        type: 'chunk',
        id: fileURLToPath(new URL('./service-worker.ts', import.meta.url)),
        fileName: `${NAME}.js`,
      })
    },
    generateBundle: {
      // After all others: the files are what they are when nobody changes them any more.
      order: 'post',
      handler(_options, bundle) {
        const digest = createHash('sha256')
        const first = firstFiles(bundle)
        const files: string[] = ['']
        const later: string[] = []
        for (const [name, file] of Object.entries(bundle).sort(([one], [other]) => (one < other ? -1 : 1))) {
          if (name.endsWith('.map')) continue
          digest.update(name).update(file.type === 'chunk' ? file.code : file.source)
          // Peers are large, and loaded when they are asked for.
          if (name === `${NAME}.js` || name === 'index.html' || PEER_FILE.test(name)) continue
          if (first.has(name)) files.push(name)
          else later.push(name)
        }
        for (const name of readdirSync(publicFolder)) {
          if (!/\.(ssz|proofs)$/.test(name)) continue
          digest.update(readFileSync(join(publicFolder, name)))
          files.push(name)
        }
        const script = bundle[`${NAME}.js`]
        if (script?.type !== 'chunk') throw new Error('the service worker was not built')
        if (script.imports.length > 0) throw new Error('the service worker imports another chunk')
        const node = later.find((name) => NODE_FILE.test(name))
        if (node === undefined) throw new Error('the page has no simulated node')
        script.code = script.code
          .replace('%BUILD%', digest.digest('hex').slice(0, 16))
          .replace('%FILES%', files.join(' '))
          .replace('%LATER%', later.join(' '))
          .replace('%NODE%', node)
      },
    },
  }
}

/**
 * What the document leads to, without what is loaded when another tab is chosen. Scripts name the files that they load, workers and modules
 * among them, so whatever is named is counted.
 */
function firstFiles(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const isLater = (name: string): boolean => {
    const file = bundle[name]
    const module = file?.type === 'chunk' ? (file.facadeModuleId ?? '') : ''
    return module.includes('/src/panels/') || UNUSED.test(`/${name}`)
  }
  const found = new Set(['index.html'])
  // A set that grows while it is walked through is walked to its end.
  for (const name of found) {
    const file = bundle[name]
    const text = file?.type === 'chunk' ? file.code : /\.(js|html)$/.test(name) ? String(file?.source) : ''
    for (const other of Object.keys(bundle))
      if (!isLater(other) && text.includes(other.slice(other.lastIndexOf('/') + 1))) found.add(other)
  }
  return found
}
