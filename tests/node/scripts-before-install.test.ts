/** What `npm start`, `npm test` and the other commands of a clone load before npm's packages are there. */
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Each package that a script imports at its start, by itself or by another script: as `importer: package`. */
async function packagesOf(path: string, seen: Set<string>): Promise<string[]> {
  if (seen.has(path)) return []
  seen.add(path)
  const { module } = parseSync(path, await readFile(path, 'utf8'))
  const specifiers = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  const neighbours = specifiers.filter((specifier) => specifier.startsWith('.'))
  const packages = specifiers.filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
  const further = await Promise.all(
    neighbours.map((specifier) => packagesOf(resolve(path, '..', specifier), seen)),
  )
  return [...packages.map((name) => `${path.slice(root.length)}: ${name}`), ...further.flat()]
}

it.each(['start', 'test', 'demo', 'build', 'prepack', 'docs', 'soak', 'reproduce'])(
  'scripts/%s.mjs imports no package before npm has installed it',
  async (name) => {
    const seen = new Set<string>()
    expect(await packagesOf(join(root, `scripts/${name}.mjs`), seen)).toEqual([])
    // It looked further than at the script itself.
    expect(seen.size).toBeGreaterThan(1)
  },
)
