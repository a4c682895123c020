/** The demo page's build. What is built as it is for everybody is built once for all tests of a run, since it takes some seconds of a processor. */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig } from 'vite'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that the tests of a run share. */
    readonly pageBuilds: string
  }
}

export const configFile = fileURLToPath(new URL('../../web-demo/vite.config.ts', import.meta.url))

/** Builds the page into a folder. `config`: what is to be otherwise. */
export async function buildPage(outDir: string, config: InlineConfig = {}): Promise<void> {
  await build({ ...config, configFile, logLevel: 'error', build: { outDir } })
}

/** A copy of the page as it is built for everybody, which a test may alter. */
export async function copyPage(outDir: string): Promise<void> {
  await cp(await buildOnce(inject('pageBuilds')), outDir, { recursive: true })
}

/** The build of this run: made here if nobody has begun, and else waited for. */
async function buildOnce(folder: string): Promise<string> {
  const begun = join(folder, 'begun')
  const page = join(folder, 'page')
  const failure = join(folder, 'failure')
  // One process alone makes this folder.
  const isFirst = await mkdir(begun).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  if (isFirst)
    await buildPage(join(begun, 'dist'))
      // It has its name when it is whole.
      .then(() => rename(join(begun, 'dist'), page))
      .catch((error: unknown) => writeFile(failure, String(error)))
  while (!existsSync(page)) {
    if (existsSync(failure))
      throw new Error(`the page could not be built: ${await readFile(failure, 'utf8')}`)
    await sleep(200)
  }
  return page
}
