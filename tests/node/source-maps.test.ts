/** Maps from what is published to the TypeScript that it was: of each file that is not minified, and true to the line. */
import { decode } from '@jridgewell/sourcemap-codec'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const sources = `https://raw.githubusercontent.com/blobcheck/blobcheck/v${version}/ts/src/`

const scripts = (await readdir(join(root, 'dist'), { recursive: true }))
  .filter((name) => name.endsWith('.js') && !/^(?:vendor|inline)\b/.test(name))
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
    ['verifier/worker/entry-node.js', 'function createTasks('],
    ['prover/worker/entry-node.js', 'function createProverTasks('],
  ])('lead from a line of %s to the one that it was', async (name, text) => {
    const { lines, places } = await read(name)
    const at = lines.findIndex((line) => line.includes(text))
    const place = places[at]
    expect(place).not.toBeNull()
    expect((await textOf(place!.source)).split('\n')[place!.line]).toContain(text.replace('async ', ''))
  })
})
