// Writes the reference of every public entry into `docs/api`, out of the docstrings. A program of its own, since typedoc is installed in `docs`.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, Converter, LogLevel } from 'typedoc'
import { MarkdownPageEvent } from 'typedoc-plugin-markdown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'docs/api')
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** The source of each entry that has an interface. Scripts of workers have none. */
const entryPoints = Object.entries(exports)
  .filter(([path, { types }]) => types !== undefined && !path.endsWith('worker'))
  .map(([, { types }]) => join(root, types.replace('./dist/', 'ts/src/').replace('.d.ts', '.ts')))

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
  entryPoints,
  tsconfig: join(root, 'tsconfig.json'),
  basePath: root,
  docsRoot: join(root, 'docs'),
  out,
  router: 'module',
  readme: 'none',
  name: 'blobcheck',
  excludeInternal: true,
  excludePrivate: true,
  // The compiler has its own turn in the tests.
  skipErrorChecking: true,
  disableSources: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  enumMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  textContentMappings: { 'title.indexPage': 'Reference', 'title.modulePage': '{name}' },
  groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases', '*'],
  sort: ['source-order'],
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  treatWarningsAsErrors: true,
  logLevel: LogLevel.Warn,
})

// An entry is called what one imports.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const entry of project.children ?? []) entry.name = entry.name.replace('ts/src', 'blobcheck')
})

// Rows of tables have anchors, too, which VitePress does not count when it names those of headings.
app.renderer.on(MarkdownPageEvent.END, (page) => {
  page.contents = nameHeadings(page.contents ?? '')
})

await rm(out, { recursive: true, force: true })
const project = await app.convert()
if (project === undefined) throw new Error('the reference could not be read out of the sources')
await app.generateOutputs(project)
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1

/** Gives each heading the first name that neither a row nor a heading before it has: typedoc's links expect that. */
function nameHeadings(markdown) {
  const taken = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, name]) => name))
  const named = markdown.replaceAll(/^#+ (.*)$/gm, (found, heading) => {
    const name = heading
      .replaceAll(/\\|[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-')
      .toLowerCase()
    let unique = name
    for (let count = 1; taken.has(unique); count++) unique = `${name}-${count}`
    taken.add(unique)
    return unique === name ? found : `${found} {#${unique}}`
  })
  // Where typedoc has counted one name too many.
  return named.replaceAll(/\(#([\w-]+)-\d+\)/g, (link, name) =>
    !taken.has(link.slice(2, -1)) && taken.has(name) ? `(#${name})` : link,
  )
}
