// The code in the documentation and in docstrings: written to files, so that the compiler can be asked whether it holds, and listed for the
// test that runs it (tests/node/examples.test.ts).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const target = join(root, 'target/examples')

/**
 * All blocks of code, in order. `lang` is the first word after the fence, `mark` the second: where the block is meant to run, if not in
 * Node.js. `output` is the block without a language that comes right after it: what it is said to print.
 */
export function allExamples() {
  const pages = ['README.md', ...filesIn('docs', '.md')]
  return [
    ...pages.flatMap((page) => fences(read(page)).map((block, at) => ({ from: page, at: at + 1, ...block }))),
    ...filesIn('ts/src', '.ts').flatMap((file) =>
      docstringExamples(read(file)).map((block, at) => ({ from: file, at: at + 1, ...block })),
    ),
  ]
}

/** Writes what is TypeScript or JavaScript to files, a file for each, and returns how many there are. */
export function writeExamples() {
  rmSync(target, { recursive: true, force: true })
  // Configurations of tools, and what those bundle, are checked by the tools; a page's own script imports by addresses, which no compiler has.
  const examples = allExamples().filter(
    ({ lang, mark }) => ['ts', 'tsx', 'js'].includes(lang) && mark !== 'consumer' && mark !== 'page',
  )
  for (const example of examples) {
    const { from, at, lang, code } = example
    const folder = join(target, lang)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${moduleName(example) ?? nameOf(from, at)}.${lang}`)
    // A module, whatever is in it, so that no two examples share their names. Two of one name would be one that is not checked.
    writeFileSync(file, `// ${from}, block ${at}\n${code}\nexport {}\n`, { flag: 'wx' })
  }
  return examples.length
}

/** The name, without its ending, that a module's first line gives it, by which other examples of its page import it; undefined where none does. */
export const moduleName = ({ lang, code }) =>
  lang === 'ts' ? /^\/\/ (\S+)\.ts\n/.exec(code)?.[1] : undefined

/** A file name for a block. */
export const nameOf = (from, at) => `${from.replace(/\W+/g, '-')}-${at}`

const read = (path) => readFileSync(join(root, path), 'utf8')

function filesIn(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((path) => !/node_modules|^docs\/api/.test(path))
    .sort()
}

/** The blocks of a page of Markdown that say their language. */
export function fences(markdown) {
  const block = /^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$(?:\n+```\n([\s\S]*?)^```$)?/gm
  return [...markdown.matchAll(block)].map(([, lang, mark = null, code, output = null]) => ({
    lang,
    mark,
    code,
    output,
  }))
}

/** The blocks after `@example` in docstrings, without the stars at the left. */
function docstringExamples(source) {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([docstring]) => docstring.replace(/^\s*\* ?/gm, ''))
    .filter((docstring) => docstring.includes('@example'))
    .flatMap((docstring) => fences(docstring.slice(docstring.indexOf('@example'))))
}
