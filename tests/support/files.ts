/** Test data, the same way in Node and in the browser. */

declare global {
  // Set by Vitest in its browser pages.
  var __vitest_browser__: boolean | undefined
}

interface Commands {
  hasVectors(): Promise<boolean>
  listVectors(path: string): Promise<string[]>
  readTestFile(path: string): Promise<string>
}

export const inBrowser: boolean = typeof window === 'object'

async function commands(): Promise<Commands> {
  const { commands } = await import('vitest/browser')
  return commands as unknown as Commands
}

/** Whether the official vectors and real chain data are at hand; in CI they must be. */
export async function hasVectors(): Promise<boolean> {
  if (inBrowser) return await (await commands()).hasVectors()
  return (await import('./commands.ts')).vectorsFolder() !== null
}

export async function readTestFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!inBrowser) return await (await import('./commands.ts')).readTestFile(path)
  const text = atob(await (await commands()).readTestFile(path))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readTestFile(path))
}

export async function listVectors(path: string): Promise<string[]> {
  if (!inBrowser) return await (await import('./commands.ts')).listVectors(path)
  return await (await commands()).listVectors(path)
}
