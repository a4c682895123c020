/** The recipes of docs/consumers.md, which the tests of consumers use as they are written there. */
import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/consumers.md', import.meta.url), 'utf8')

/** The headings of all recipes. */
export const recipeNames: readonly string[] = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name!)

/** A recipe as the page has it. Throws where there is none of this name. */
function recipeText(name: string): string {
  if (!recipeNames.includes(name)) throw new Error(`docs/consumers.md has no recipe ${name}`)
  return text.split(/^### /m).find((part) => part.startsWith(`${name}\n`))!
}

/** The Content Security Policy of a recipe. Throws where it has none. */
export function recipePolicy(name: string): string {
  const [policy] = /^script-src .*$/m.exec(recipeText(name)) ?? []
  if (policy === undefined) throw new Error(`the recipe ${name} has no policy`)
  return policy
}

/** The code of a recipe, in the order of the page. Throws where there is no such recipe. */
export function recipeBlocks(name: string): readonly string[] {
  return [...recipeText(name).matchAll(/^```\w+ consumer\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
}

/** The files of a recipe, by the names in their first lines. */
export function recipeFiles(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    recipeBlocks(name).map((code) => [/^\/\/ (\S+)\n/.exec(code)?.[1] ?? 'unnamed', code]),
  )
}
