/** Each function, class and method that the package exports has an example in its docstring. That the examples hold, examples.test.ts shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The objects that the package makes for its users to call. Other interfaces are for users, or their libraries, to write. */
const CALLED = new Set(['AsyncProver', 'Beacon', 'Kzg', 'LightClientSpec', 'Prover', 'Sampler', 'Verifier'])

/** What a name says by itself, on every object that has it, and what the page calls of an element. */
const PLAIN = new Set([
  ...['dispose', '[asyncDispose]'],
  ...['attributeChangedCallback', 'connectedCallback', 'disconnectedCallback'],
])

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Record<string, { readonly types?: string }>
}
const entries = Object.entries(exports).flatMap(([path, { types }]) =>
  types === undefined || path.endsWith('worker')
    ? []
    : [
        [
          path.replace('.', 'blobcheck'),
          join(root, types.replace('dist', 'ts/src').replace('.d.ts', '.ts')),
        ] as const,
      ],
)

const settings = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  .config as object
const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, root)
const program = ts.createProgram(
  entries.map(([, file]) => file),
  { ...options, noEmit: true },
)
const checker = program.getTypeChecker()

const exampleOf = (symbol: ts.Symbol): string | null => {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example')
  return tags.length === 0 ? null : tags.map(({ text }) => ts.displayPartsToString(text)).join('\n')
}

const nameOf = (symbol: ts.Symbol): string => symbol.name.replace(/^__@(\w+)@\d+$/, '[$1]')

/** Members that are called: methods, and properties whose type is a function; not those that are private or inherited from elsewhere. */
function methodsOf(symbol: ts.Symbol): ts.Symbol[] {
  const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])]
  return members.filter((member) => {
    const [declaration] = member.declarations ?? []
    if (declaration === undefined || PLAIN.has(nameOf(member))) return false
    if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) return false
    if (member.name.startsWith('__#') || member.name.startsWith('#')) return false
    if (ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration)) return true
    return (
      ts.isPropertySignature(declaration) &&
      declaration.type !== undefined &&
      ts.isFunctionTypeNode(declaration.type)
    )
  })
}

/** What lacks an example. A method has one of its own, or that of its class or interface calls it. */
function lacking(symbol: ts.Symbol): string[] {
  const { flags, name } = symbol
  const isClass = (flags & ts.SymbolFlags.Class) !== 0
  const example = exampleOf(symbol)
  const missing = (isClass || flags & ts.SymbolFlags.Function) && example === null ? [name] : []
  if (!isClass && !CALLED.has(name)) return missing
  const methods = methodsOf(symbol).filter(
    (method) => exampleOf(method) === null && !example?.includes(`.${method.name}(`),
  )
  return [...missing, ...methods.map((method) => `${name}.${nameOf(method)}`)]
}

describe.each(entries)('%s', (_, file) => {
  it('has an example for each function, class and method', () => {
    const source = program.getSourceFile(file)!
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!)
    expect(symbols.length).toBeGreaterThan(0)
    // A class of which only the type is exported is made by none of its users.
    const isType = (symbol: ts.Symbol): boolean =>
      symbol.declarations?.some(
        (at) => ts.isExportSpecifier(at) && ts.isTypeOnlyImportOrExportDeclaration(at),
      ) ?? false
    const found = symbols.flatMap((symbol) => {
      const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      return isType(symbol) && original.flags & ts.SymbolFlags.Class ? [] : [original]
    })
    expect(found.flatMap(lacking)).toEqual([])
  })
})
