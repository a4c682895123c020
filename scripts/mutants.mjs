// `npm run mutants -- [rust|typescript] [--file F]… [--minutes N] [--again] [--markdown]`: the checks with a fault put into them on purpose, one at a
// time, and whether a test sees it. It goes on where it left off. `--again` tries once more what survived, in Rust before the properties, too;
// `--markdown` tries nothing, and writes the figures into `docs/security.md`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table, writeSection } from '../tests/bench/markdown.mjs'
import { buildModulesOrExit, prepareOrExit, root } from './setup.mjs'

const USAGE = 'npm run mutants -- [rust|typescript] [--file F] [--minutes N] [--again] [--markdown]'

const options = read()
if (options === null) process.exitCode = 2
else await main(options)

/** The options, or null for those that are none. */
function read() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        file: { type: 'string', multiple: true, default: [''] },
        minutes: { type: 'string', default: 'Infinity' },
        again: { type: 'boolean', default: false },
        markdown: { type: 'boolean', default: false },
      },
    })
    const { file: files, minutes, again, markdown } = values
    if (!(Number(minutes) > 0)) throw new Error('--minutes must be a number')
    const [language, ...more] = positionals
    if (more.length > 0 || ![undefined, 'rust', 'typescript'].includes(language))
      throw new Error(`no language ${positionals.join(' ')}`)
    return { language, files, again, markdown, deadline: Date.now() + Number(minutes) * 60_000 }
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return null
  }
}

async function main({ language, files, again, markdown, deadline }) {
  if (!markdown) await prepareOrExit()
  // Not before npm has installed what they use.
  const rust = await import('./mutants/rust.mjs')
  const typeScript = await import('./mutants/typescript.mjs')
  if (markdown) return writeFigures([...(await rust.rustFigures()), ...typeScript.typeScriptFigures()])
  if (language !== 'typescript') await rust.mutateRust({ files, again, deadline })
  if (language !== 'rust') {
    await buildModulesOrExit()
    await typeScript.mutateTypeScript({ files, again, deadline })
  }
}

/** The figures in `docs/security.md`. */
function writeFigures(figures) {
  const keys = ['mutants', 'killed', 'timeout', 'survived', 'equivalent', 'unviable', 'untried']
  const number = (value = 0) => value.toLocaleString('en')
  const rows = figures.map((one) => [`\`${one.name}\``, ...keys.map((key) => number(one[key]))])
  const file = join(root, 'docs/security.md')
  const head = [
    '',
    'mutants',
    'killed',
    'came to no end',
    'survived',
    'equivalent',
    'not compiled',
    'not tried',
  ]
  writeSection(file, 'mutants', table(head, rows), '`npm run mutants`')
  const sum = (...names) =>
    number(names.flatMap((key) => figures.map((one) => one[key] ?? 0)).reduce((a, b) => a + b, 0))
  const tried = sum('killed', 'timeout', 'survived', 'equivalent')
  const found = `${sum('killed', 'timeout')} were found by a test, ${sum('equivalent')} change nothing, ${sum('survived')} survived`
  const row = `| 2 | Mutation testing of the checks | of ${sum('mutants')} mutants ${tried} were tried: ${found}: [figures](#mutants) | \`npm run mutants\` |`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\| 2 \| Mutation testing.*$/m, row))
}
