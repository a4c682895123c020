/**
 * A library that builds on this package has declarations of its own, in which the compiler writes whatever type it infers. It can write a type of ours
 * only by a name that an entry exports which the library has imported. So a module is made here for each entry, with a use of each part of its types, and
 * compiled to declarations, by itself.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Record<string, { readonly types?: string }>
}
// The scripts of workers export nothing.
const entries = Object.keys(exports)
  .filter((path) => exports[path]!.types !== undefined && !path.endsWith('worker'))
  .map((path) => path.replace('.', 'blobcheck'))

/** Objects and settings that other entries take: they are named where they are made, and whoever has one has imported that. */
const HANDED_IN: Readonly<Record<string, string>> = {
  Chain: 'blobcheck/serve',
  Faults: 'blobcheck/serve',
  LightClient: 'blobcheck/light-client',
  Prover: 'blobcheck/prover',
  Verifier: 'blobcheck',
}

const nameOf = (entry: string): string => entry.replaceAll('/', '-')
/** The module of the library that is for an entry. */
const fileOf = (entry: string): string => join(library, `${nameOf(entry)}.ts`)

/** The library. The package lies in its `node_modules`, and under that path compilers see it, as they do what npm has installed. */
const library = mkdtempSync(join(tmpdir(), 'blobcheck-library-'))
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'ESNext.Disposable'],
  types: [],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  preserveSymlinks: true,
  rootDir: '.',
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  declaration: true,
}

beforeAll(() => {
  mkdirSync(join(library, 'node_modules'))
  symlinkSync(root, join(library, 'node_modules/blobcheck'), 'junction')
  writeFileSync(join(library, 'package.json'), '{ "type": "module" }')
  for (const entry of entries)
    writeFileSync(
      join(library, `${nameOf(entry)}.json`),
      JSON.stringify({ compilerOptions, files: [`${nameOf(entry)}.ts`] }),
    )
})
afterAll(() => rmSync(library, { recursive: true, force: true }))

function write(statementsOf: (entry: string) => readonly string[]): void {
  for (const entry of entries)
    writeFileSync(fileOf(entry), [`import * as M from '${entry}'`, ...statementsOf(entry), ''].join('\n'))
}

/** What the native compiler, which takes a tenth of the time, says of a module, each time with the line that it says it of. */
async function complaintsAbout(entry: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  const args = [tsc, '-p', `${nameOf(entry)}.json`, '--pretty', 'false']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: library,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout: string }) => error)
  const lines = readFileSync(fileOf(entry), 'utf8').split('\n')
  return stdout
    .split('\n')
    .filter((text) => {
      const [, name = ''] = /without a reference to '(\w+)'/.exec(text) ?? []
      return text !== '' && (HANDED_IN[name] ?? entry) === entry
    })
    .map((text) => `${text} ${lines[Number(/\((\d+),/.exec(text)?.[1]) - 1]}`)
}

/** Any type for each parameter of a generic type; nothing for one that is not generic. */
function typeArguments(type: ts.Type): string {
  const parameters = type.aliasTypeArguments ?? (type as ts.InterfaceType).typeParameters ?? []
  return parameters.length === 0 ? '' : `<${parameters.map(() => 'any').join(', ')}>`
}

/** Expressions whose types are those of an entry: its values, what its functions take and return, and the same of the members of its types. */
function uses(program: ts.Program, entry: string): string[] {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(fileOf(entry))!
  const declared = file.statements.find(ts.isImportDeclaration)!
  const found: string[] = []
  /** The uses of a value, by an expression for it, and one for its type; `given` are the parameters of who has it. */
  const use = (value: string, type: string, symbol: ts.Symbol, given = ''): void => {
    const signatures = checker.getNonNullableType(checker.getTypeOfSymbol(symbol)).getCallSignatures()
    if (signatures.length === 0) found.push(`(${given}) => ${value}`)
    for (const { parameters } of signatures.slice(0, 1)) {
      const all = `${given}...all: Parameters<NonNullable<${type}>>`
      found.push(`(${all}) => ${value}!(...all)`, ...parameters.map((_, at) => `(${all}) => all[${at}]`))
    }
  }
  const useMembers = (value: string, type: string, members: readonly ts.Symbol[], given = ''): void => {
    for (const member of members) {
      const [declaration] = member.declarations ?? []
      // What is inherited from the language and the platform has no name of ours; nor has what only this package may touch.
      if (!declaration?.getSourceFile().fileName.includes('/blobcheck/') || !/^[a-z]\w*$/i.test(member.name))
        continue
      const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
      if (ts.getCombinedModifierFlags(declaration) & hidden || member.name === 'prototype') continue
      use(`${value}.${member.name}`, `${type}['${member.name}']`, member, given)
    }
  }
  for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(declared.moduleSpecifier)!)) {
    const { name } = exported
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const isTypeOnly = exported.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) === true
    if (symbol.flags & ts.SymbolFlags.Value && !isTypeOnly) {
      use(`M.${name}`, `typeof M.${name}`, symbol)
      if (symbol.flags & ts.SymbolFlags.Class)
        useMembers(`M.${name}`, `(typeof M.${name})`, checker.getTypeOfSymbol(symbol).getProperties())
    }
    if (!(symbol.flags & ts.SymbolFlags.Type)) continue
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const parts = type.isUnion() ? type.types : [type]
    const given = typeArguments(type)
    const members = new Map(parts.flatMap((part) => part.getProperties().map((one) => [one.name, one])))
    for (const member of members.values()) {
      const whole = `M.${name}${given}`
      const holder = parts.length === 1 ? whole : `Extract<${whole}, { ${member.name}?: unknown }>`
      useMembers('one', holder, [member], `one: ${holder}, `)
    }
  }
  return found
}

const asked = new Map<string, readonly string[]>()
beforeAll(() => {
  write(() => ['export const all = M'])
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, library)
  const program = ts.createProgram(entries.map(fileOf), options)
  for (const entry of entries) asked.set(entry, uses(program, entry))
  write((entry) => asked.get(entry)!.map((use, at) => `export const use${at} = ${use}`))
})

it('finds the types of the entries', () => {
  expect([...asked.values()].flat().length).toBeGreaterThan(1_000)
})

it.concurrent.each(entries)('%s names what a library infers from it', async (entry) => {
  expect(await complaintsAbout(entry)).toEqual([])
})
