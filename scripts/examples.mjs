// Takes the examples out of the documentation and out of docstrings, so that the compiler can be asked whether they hold.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const target = join(root, 'target/examples')

/** Writes each example to a file of its own, and returns how many there are. */
export function writeExamples() {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const pages = ['README.md', ...filesIn('docs', '.md')]
  const examples = [
    ...pages.flatMap((page) => fences(read(page)).map((code, at) => ({ from: page, at, code }))),
    ...filesIn('ts/src', '.ts').flatMap((file) =>
      docstringExamples(read(file)).map((code, at) => ({ from: file, at, code })),
    ),
  ]
  for (const { from, at, code } of examples) {
    const name = `${from.replace(/\W+/g, '-')}-${at}.ts`
    // A module, whatever is in it, so that no two examples share their names.
    writeFileSync(join(target, name), `// ${from}, example ${at + 1}\n${code}\nexport {}\n`)
  }
  return examples.length
}

const read = (path) => readFileSync(join(root, path), 'utf8')

function filesIn(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((path) => !/node_modules|^docs\/api/.test(path))
    .sort()
}

/** The TypeScript in a page of Markdown. */
export function fences(markdown) {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
}

/** The TypeScript after `@example` in docstrings, without the stars at the left. */
function docstringExamples(source) {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([docstring]) => docstring.replace(/^\s*\* ?/gm, ''))
    .filter((docstring) => docstring.includes('@example'))
    .flatMap((docstring) => fences(docstring.slice(docstring.indexOf('@example'))))
}
