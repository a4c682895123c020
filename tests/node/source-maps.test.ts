/** Maps from what is published to the TypeScript that it was: of each file but those of others, and true to the line. */
import { decode } from '@jridgewell/sourcemap-codec'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const sources = `https://raw.githubusercontent.com/blobcheck/blobcheck/v${version}/ts/src/`

const scripts = (await readdir(join(root, 'dist'), { recursive: true }))
  .filter((name) => name.endsWith('.js') && !name.startsWith('vendor'))
  .sort()

interface SourceMap {
  readonly file: string
  readonly sources: readonly string[]
  readonly mappings: string
}

/** A script's lines, and the place that its map gives for each: a file of `ts/src` and a line from 0, or null. */
async function read(name: string) {
  const code = await readFile(join(root, 'dist', name), 'utf8')
  const map = JSON.parse(await readFile(join(root, 'dist', `${name}.map`), 'utf8')) as SourceMap
  const lines = code.split('\n')
  const places = decode(map.mappings).map(([first]) =>
    first?.[1] === undefined ? null : { source: map.sources[first[1]]!, line: first[2]! },
  )
  return { code, map, lines, places }
}

const textOf = (source: string): Promise<string> =>
  readFile(join(root, 'ts/src', source.slice(sources.length)), 'utf8')

describe('source maps', () => {
  it('stand beside each script, and lead to our sources alone', async () => {
    expect(scripts.length).toBeGreaterThan(200)
    for (const name of scripts) {
      const { code, map } = await read(name)
      expect(code.trimEnd().endsWith(`//# sourceMappingURL=${map.file}.map`), name).toBe(true)
      for (const source of map.sources) {
        expect(source.startsWith(sources), source).toBe(true)
        await textOf(source)
      }
    }
  })

  it.each([
    ['verifier/verifier.js', 'async verifyBlobTransaction('],
    ['verifier/worker/entry.js', 'function decodeHex('],
    ['verifier/worker/entry-node.mjs', 'function createTasks('],
    ['prover/worker/entry-node.mjs', 'function createProverTasks('],
  ])('lead from a line of %s to the one that it was', async (name, text) => {
    const { lines, places } = await read(name)
    const at = lines.findIndex((line) => line.includes(text))
    const place = places[at]
    expect(place).not.toBeNull()
    expect((await textOf(place!.source)).split('\n')[place!.line]).toContain(text.replace('async ', ''))
  })

  describe('of blobcheck/inline', async () => {
    const { lines, map } = await read('inline/index.js')
    const mappings = decode(map.mappings)

    /** The place of a text of the minified script, or null where it leads nowhere. */
    const placeOf = (text: string) => {
      const at = lines.findIndex((line) => line.includes(text))
      const column = lines[at]!.lastIndexOf(text)
      const place = mappings[at]!.findLast(([from]) => from <= column)
      return place?.[1] === undefined ? null : { source: map.sources[place[1]]!, line: place[2]! }
    }

    it.each([
      'this verifier, prover or light client has been disposed of',
      'no worker could be started: ',
      'what was found is another module',
      'URL.createObjectURL(new Blob([',
    ])('lead from within a line of the minified script to the line with ‘%s’', async (text) => {
      const place = placeOf(text)
      expect(place).not.toBeNull()
      expect((await textOf(place!.source)).split('\n')[place!.line]).toContain(text)
    })

    it('know nothing of what the module inside and the script of its worker are made of', async () => {
      const module = (await readFile(join(root, 'wasm/verifier_simd128.wasm'))).toString('base64')
      const at = lines.findIndex((line) => line.includes(module))
      const start = lines[at]!.indexOf(module)
      const isInside = ([column]: readonly number[]): boolean =>
        column! > start && column! < start + module.length
      expect(mappings[at]!.filter(isInside)).toEqual([])
      expect(map.sources.filter((source) => /\/(?:contents|entry)\.ts$/.test(source))).toEqual([])
    })

    it('lead to lines that there are', async () => {
      const counts = await Promise.all(
        map.sources.map(async (source) => (await textOf(source)).split('\n').length),
      )
      const places = mappings.flat().filter((place) => place.length > 1)
      expect(places.length).toBeGreaterThan(2_000)
      for (const [, source, line] of places) expect(line).toBeLessThan(counts[source!]!)
    })
  })
})
