/** The table of docs/consumers.md. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Consumer, consumers } from './consumer-list.ts'
import { recipeNames } from './recipes.ts'

const root = new URL('../..', import.meta.url)

/** Where packages that tests use are pinned: each at an exact version, or as another package's (`npm:vite@5.4.21`). */
const MANIFESTS = [
  'package.json',
  'tests/consumers/package.json',
  'tests/adapters/package.json',
  'tests/current-node/package.json',
]

async function pinnedVersions(): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>()
  for (const path of MANIFESTS) {
    const manifest = JSON.parse(await readFile(new URL(path, root), 'utf8')) as Record<
      string,
      Record<string, string> | undefined
    >
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const [name, range] of Object.entries(manifest[kind] ?? {}))
        versions.set(name, range.replace(/^npm:.*@/, ''))
  }
  return versions
}

/** A heading's anchor. */
const anchor = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-')

function row(
  { name, tool, runsIn, workers, recipe }: Consumer,
  versions: ReadonlyMap<string, string>,
): string {
  if (recipe !== null && !recipeNames.includes(recipe)) throw new Error(`there is no recipe ${recipe}`)
  const cells = [
    name,
    tool === null ? '–' : versions.get(tool),
    runsIn,
    workers === 0 ? 'none asked for' : String(workers),
    recipe === null ? '–' : `[${recipe}](#${anchor(recipe)})`,
  ]
  if (cells.includes(undefined)) throw new Error(`no version of ${tool} is pinned`)
  return `| ${cells.join(' | ')} |`
}

/** The page as it has to be: as it is, with the table in the place of what is between its marks. */
export async function pageWithTable(): Promise<string> {
  const versions = await pinnedVersions()
  const rows = Object.values(consumers).map((consumer) => row(consumer, versions))
  const table = [
    '| consumer | version | runs in | workers | recipe |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  const page = await readFile(consumersPage, 'utf8')
  const [before, after, ...others] = page.split(/(?<=<!-- table -->\n)[\s\S]*(?=<!-- end of the table -->)/)
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error('the page has no place for its table')
  return `${before}\n${table}\n\n${after}`
}

/** Where the page is. */
export const consumersPage: string = fileURLToPath(new URL('docs/consumers.md', root))
