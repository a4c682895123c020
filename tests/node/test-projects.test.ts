/** What the configuration of the tests names is there: a file that is renamed would run in fewer engines than before, and nobody would be told. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults } from 'vitest/config'
import { expect, it } from 'vitest'
import { leftOf } from '../../scripts/test-selection.mjs'
import config from '../../vitest.config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Project {
  readonly test: { readonly name: string; readonly include: string[]; readonly exclude?: string[] }
}

/** The patterns of which one with braces stands for all. */
function expanded(pattern: string): string[] {
  const braces = /\{([^}]*)\}/.exec(pattern)
  if (braces === null) return [pattern]
  return braces[1]!.split(',').flatMap((name) => expanded(pattern.replace(braces[0], name)))
}

function isThere(pattern: string): boolean {
  const [start = '', end] = basename(pattern).split('*')
  return readdirSync(join(root, dirname(pattern))).some((file) =>
    end === undefined ? file === start : file.startsWith(start) && file.endsWith(end),
  )
}

const projects = (config.test!.projects as unknown as Project[]).map(({ test }) => test)

it.each(projects)(
  'the project $name names files that there are, and so does what `npm test` leaves of it to `npm run test:all`',
  ({ name, include, exclude = [] }) => {
    const own = exclude.filter((pattern) => !configDefaults.exclude.includes(pattern))
    const named = [...include, ...own, ...leftOf(name)].flatMap(expanded)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((pattern) => !isThere(pattern))).toEqual([])
  },
)
