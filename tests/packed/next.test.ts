/** Sites of Next from the packed package: a client component, opened in Chromium, and a route handler, which verifies in the server. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import {
  checkModule,
  consumersFolder,
  newProject,
  type Outcome,
  removeProject,
  runTool,
  serveBy,
  type Serving,
  testConsumer,
  toolPath,
  visit,
  type Visited,
} from '../support/consumers.ts'
import { recipeFiles } from '../support/recipes.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

const next = toolPath('next/dist/bin/next')

/** The same site for all: only who bundles it, and the configuration, differ. */
const files = (serverOptions: string, recipe: string): Readonly<Record<string, string>> => ({
  'app/layout.js': `export default function Layout({ children }) {
    return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>
  }`,
  'app/page.js': `'use client'
  import { useEffect } from 'react'
  import { check } from '../check.js'
  export default function Page() {
    useEffect(() => {
      check().then(
        (outcome) => (document.title = JSON.stringify(outcome)),
        (error) => (document.title = String(error)),
      )
    }, [])
    return <p>Blobs</p>
  }`,
  'app/verify/route.js': `import { check } from '../../server-check.js'
  export const dynamic = 'force-dynamic'
  export const GET = async () => Response.json(await check())`,
  'check.js': checkModule(),
  'server-check.js': checkModule(serverOptions),
  'recipe.js': recipe,
  // Where the tools are installed, Next would look for the project's root above them.
  'next.config.js': `import recipe from './recipe.js'
  const root = ${JSON.stringify(consumersFolder)}
  export default { ...recipe, turbopack: { root }, outputFileTracingRoot: root }`,
})

describe.skipIf(!hasChromium)('Next', () => {
  let browser: Browser
  const folders: string[] = []
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(folders.map(removeProject))
  })

  /** Builds a site once, for all tests of it. */
  function build(
    flag: '--turbopack' | '--webpack',
    serverOptions: string,
    recipe: string,
  ): () => Promise<string> {
    let built: Promise<string> | undefined
    const make = async (): Promise<string> => {
      const folder = await newProject(`next${flag}`, files(serverOptions, recipe))
      folders.push(folder)
      await runTool(process.execPath, [next, 'build', flag], { cwd: folder })
      return folder
    }
    return () => (built ??= make())
  }

  const serve = async (folder: string): Promise<Serving> =>
    await serveBy(process.execPath, [next, 'start', '--port', '0'], { cwd: folder })

  /** What the page says. */
  async function open(folder: string): Promise<Visited> {
    const { origin } = await serve(folder)
    return await visit(browser, origin)
  }

  /** What the route handler answers, and what the server wrote meanwhile. */
  async function askRoute(folder: string): Promise<Visited> {
    const { origin, end } = await serve(folder)
    const response = await fetch(`${origin}/verify`)
    if (!response.ok) throw new Error(`the route answered ${response.status}: ${await response.text()}`)
    return { outcome: (await response.json()) as Outcome, complaints: await end() }
  }

  const plain = build('--turbopack', '{ workers: 2 }', 'export default {}')
  testConsumer('next-turbopack-client', async () => await open(await plain()))
  testConsumer('next-turbopack-server-plain', async () => await askRoute(await plain()))

  const { 'next.config.js': recipe } = recipeFiles('Next server')
  const turbopack = build('--turbopack', '{ workers: 2 }', recipe!)
  testConsumer('next-turbopack-server', async () => await askRoute(await turbopack()))

  const webpack = build('--webpack', '{ workers: 2 }', recipe!)
  testConsumer('next-webpack-client', async () => await open(await webpack()))
  testConsumer('next-webpack-server', async () => await askRoute(await webpack()))
})
