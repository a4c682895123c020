// The copy of the package that mutants of TypeScript are tried in: the tests, and the scripts with all mutants in them, each behind a question.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { root } from '../setup.mjs'
import { copyTree } from './copy.mjs'
import { mutationsOf } from './mutations.mjs'
import { withQuestions } from './questions.mjs'
import { identify } from './results.mjs'

/** Where all that concerns these mutants lies, and in it the copy. */
export const folder = join(root, 'target/mutants/typescript')
export const tree = join(folder, 'tree')

/** What the scripts ask. */
export const QUESTIONS = pathToFileURL(join(tree, 'scripts/mutants/is-mutant.mjs')).href

/** What is mutated: folders of `ts/src`. */
export const MUTATED = ['verifier', 'sampler', 'blobs']

const sources = join(root, 'ts/src')

/** The files below a folder, in order, with slashes. */
export const filesIn = (path) =>
  readdirSync(path, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

const sourceFiles = () => filesIn(sources).filter((path) => /\.m?ts$/.test(path))

/** The mutants of a folder of `ts/src`. */
export const mutantsIn = (name) =>
  sourceFiles()
    .filter((path) => path.startsWith(`${name}/`))
    .flatMap((path) => mutantsOf(path, compile(path)))

/** A file of `ts/src` as JavaScript, and the line of its source that each of its lines comes from. */
function compile(path) {
  const text = readFileSync(join(sources, path), 'utf8')
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const { outputText, sourceMapText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      ...ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
      module: ts.ModuleKind.ESNext,
      declaration: false,
      isolatedDeclarations: false,
      sourceMap: true,
    },
  })
  const lines = decode(JSON.parse(sourceMapText).mappings)
  return {
    path: join(tree, 'dist', path.replace(/ts$/, 'js')),
    text: outputText.replace(/\n\/\/# sourceMappingURL.*$/, '\n'),
    lines: text.split('\n'),
    lineOf: (line) => (lines[line]?.[0]?.[2] ?? 0) + 1,
  }
}

/** The mutants of a file. */
function mutantsOf(path, { text, lines, lineOf }) {
  return identify(
    mutationsOf(text).map((mutation) => {
      const line = lineOf(text.slice(0, mutation.from).split('\n').length - 1)
      return { ...mutation, line, source: (lines[line - 1] ?? '').trim(), path }
    }),
  )
}

/**
 * Lays out the copy: the tests, the modules, and the package compiled file by file, with all mutants in it. They are given back, each with its number: the
 * same for as long as the scripts are the same.
 */
export function makeTree() {
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  for (const name of [
    'package.json',
    'vitest.config.ts',
    'tsconfig.json',
    'scripts',
    'tests',
    'wasm',
    'data',
  ])
    copyTree(join(root, name), join(tree, name))
  for (const name of ['node_modules', 'crates', 'tests/lodestar/node_modules'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(tree, name), 'junction')
  // One file, of which no mutant is made.
  copyTree(join(root, 'dist/inline'), join(tree, 'dist/inline'))
  let count = 0
  return sourceFiles().flatMap((path) => {
    if (path.startsWith('inline/')) return []
    const script = compile(path)
    const mutants = MUTATED.some((name) => path.startsWith(`${name}/`)) ? mutantsOf(path, script) : []
    for (const mutant of mutants) mutant.number = count++
    mkdirSync(dirname(script.path), { recursive: true })
    writeFileSync(
      script.path,
      mutants.length === 0 ? script.text : withQuestions(script.text, mutants, QUESTIONS),
    )
    return mutants
  })
}
