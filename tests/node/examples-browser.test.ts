/** Examples that are for a page run in Chromium: with the package's built files behind an import map, without a bundler. */
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allExamples, type Example, moduleName } from '../../scripts/examples.mjs'
import { makeBlob } from '../support/make.ts'
import { toHex } from '../support/bytes.ts'
import { hasChromium, launchChromium } from '../support/site.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ORIGIN = 'https://page.example'

const examples = allExamples()
const forPages = examples.filter(({ lang, mark }) => lang === 'ts' && mark === 'browser')
const modules = forPages.filter((example) => moduleName(example) === undefined)
const hooks = modules.filter(({ code }) => code.includes('export function use'))
const components = examples.filter(({ lang, mark }) => lang === 'tsx' && mark === 'browser')
const documents = examples.filter(({ lang }) => lang === 'html')

/** Where the files are that the examples name, in whatever place they suppose them. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/cdn\.example\/blobcheck@[^/]+\//, ''],
  [/^https:\/\/page\.example\/node_modules\/blobcheck\//, ''],
  [/^https:\/\/page\.example\/assets\/worker\.js$/, 'dist/verifier/worker/entry.js'],
  [/^https:\/\/page\.example\/assets\//, 'wasm/'],
  [/^https:\/\/page\.example\//, ''],
]
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/** Which file each bare name is, as a bundler for browsers would find it. */
async function importMap(): Promise<object> {
  interface Target {
    readonly default: string
  }
  const { exports, imports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    'exports' | 'imports',
    Record<string, Target | string>
  >
  const paths = [
    ...Object.entries(exports).map(([name, target]) => [name.replace('.', 'blobcheck'), target] as const),
    ...Object.entries(imports),
  ].map(([name, target]) => [name, (typeof target === 'string' ? target : target.default).slice(1)])
  return {
    imports: {
      ...Object.fromEntries(paths.filter(([name]) => !name?.includes('*'))),
    },
  }
}

/** A module of the example, with React in it where it wants that, and what shows the values of its hooks. */
async function bundled({ code, from, lang }: Example): Promise<string> {
  const beside = Object.fromEntries(
    forPages.flatMap((example) => {
      const name = example.from === from ? moduleName(example) : undefined
      return name === undefined ? [] : [[`./${name}.js`, example.code]]
    }),
  )
  const hook = /export function (use\w+)/.exec(code)?.[1]
  const component = /export function ([A-Z]\w+)/.exec(code)?.[1]
  const entry =
    component !== undefined
      ? `import { ${component} as Example } from 'example.ts'
         import { createElement } from 'react'
         import { flushSync } from 'react-dom'
         import { createRoot } from 'react-dom/client'
         const root = createRoot(document.querySelector('output'))
         globalThis.show = (properties) => flushSync(() => root.render(createElement(Example, properties)))`
      : hook === undefined
        ? `import 'example.ts'`
        : `import { createVerifier } from 'blobcheck'
         import { ${hook} as useExample } from 'example.ts'
         import { createElement } from 'react'
         import { flushSync } from 'react-dom'
         import { createRoot } from 'react-dom/client'
         const Shown = ({ item }) => JSON.stringify(useExample(item))
         const root = createRoot(document.querySelector('output'))
         globalThis.show = (item) => flushSync(() => root.render(createElement(Shown, { item })))
         globalThis.unmount = () => flushSync(() => root.unmount())
         globalThis.createVerifier = createVerifier
         show({ blob, commitment, proof })`
  const modulesOfPage: Readonly<Record<string, string>> = { ...beside, 'entry.ts': entry, 'example.ts': code }
  const bundle = await rolldown({
    input: 'entry.ts',
    external: /^blobcheck/,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: { modules: [join(root, 'docs/node_modules')] },
    plugins: [
      {
        name: 'example',
        resolveId: (id: string) => (id in modulesOfPage ? id : null),
        load: (id: string) =>
          id in modulesOfPage
            ? { code: modulesOfPage[id]!, moduleType: id === 'example.ts' && lang === 'tsx' ? 'tsx' : 'ts' }
            : null,
      },
    ],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  return output[0].code
}

let browser: Browser
beforeAll(async () => {
  if (hasChromium) browser = await launchChromium()
})
afterAll(async () => await browser?.close())

/** The scripts that a page of the documentation gives as files of its own, by their paths: each begins with its name. */
function scriptsOf({ from }: Example): Record<string, string> {
  const scripts = examples.filter((example) => example.from === from && example.mark === 'page')
  return Object.fromEntries(scripts.map(({ code }) => [`/${/^\/\/ (\S+)/.exec(code)![1]}`, code]))
}

/** The policy under which a page of the documentation says that its example with a CDN runs; undefined where it has none. */
async function policyOf({ from }: Example): Promise<string | undefined> {
  return /^script-src .*https:\/\/cdn\.example.*$/m.exec(await readFile(join(root, from), 'utf8'))?.[0]
}

/** A page of this text, with everything that it names. Resolves when its `output` says something that `shown` accepts. */
async function open(
  html: string,
  extra: Readonly<Record<string, string>> = {},
  policy?: string,
): Promise<{ page: Page; complaints: string[]; errors: string[]; log: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const [complaints, errors, log]: [string[], string[], string[]] = [[], [], []]
  page.on('pageerror', (error) => {
    complaints.push(String(error))
    errors.push(String(error))
  })
  page.on('console', (message) => (message.type() === 'log' ? log : complaints).push(message.text()))
  await page.route('**', async (route) => {
    const url = route.request().url()
    if (url === `${ORIGIN}/`) {
      const headers = {
        'content-type': 'text/html',
        ...(policy === undefined ? {} : { 'content-security-policy': policy }),
      }
      return await route.fulfill({ body: html, headers })
    }
    const given = extra[url.slice(ORIGIN.length)]
    if (given !== undefined) return await route.fulfill({ body: given, contentType: 'text/javascript' })
    const place = PLACES.find(([pattern]) => pattern.test(url))
    if (place === undefined) return await route.abort()
    const path = join(root, url.replace(...place))
    const headers = { 'access-control-allow-origin': '*' }
    try {
      const body = await readFile(path)
      return await route.fulfill({ body, headers, contentType: TYPES[extname(path)] ?? 'text/plain' })
    } catch {
      return await route.fulfill({ status: 404, body: '' })
    }
  })
  await page.goto(`${ORIGIN}/`)
  return { page, complaints, errors, log }
}

/** A page that has run a module of an example; `extra` has files in the place of the package's own, by their paths. */
async function openModule(
  example: Example,
  extra: Readonly<Record<string, string>> = {},
): ReturnType<typeof open> {
  const { blob, commitment, proof } = makeBlob(5)
  const values = Object.entries({ blob, commitment, proof }).map(
    ([name, value]) => `globalThis.${name} = ${JSON.stringify(toHex(value as Uint8Array))}`,
  )
  const html = `<!doctype html><meta charset="utf-8" /><link rel="icon" href="data:," />
    <script type="importmap">${JSON.stringify(await importMap())}</script><output></output>
    <script>${values.join('\n')}</script>
    <script type="module">await import('/example.js'); document.body.dataset.ran = 'yes'</script>`
  const opened = await open(html, { '/example.js': await bundled(example), ...extra })
  await opened.page.waitForSelector('body[data-ran=yes]', { state: 'attached', timeout: 60_000 })
  return opened
}

describe.skipIf(!hasChromium)('examples for a page', () => {
  it.each(modules)('$from, block $at', async (example) => {
    const { page, complaints, log } = await openModule(example)
    if (example.code.includes('export function use')) {
      await page.waitForFunction(() => document.querySelector('output')?.textContent !== '', null, {
        timeout: 60_000,
      })
      expect(await page.textContent('output')).toMatch(/"status":"valid"|^[1-9]\d*$/)
      // What a service worker does, whose examples await nothing at the top level, comes later.
    } else await expect.poll(() => log, { timeout: 60_000 }).toEqual(['true'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('in React show no verdict but that of the item they have now', async () => {
    const { page, complaints } = await openModule(
      modules.find(({ code }) => code.includes('function useVerdict'))!,
    )
    await page.waitForSelector('output:text(\'"status":"valid"\')', { timeout: 60_000 })
    const atOnce = await page.evaluate(() => {
      const { show, commitment, proof } = globalThis as unknown as Record<'commitment' | 'proof', string> & {
        show(item: object): void
      }
      show({ blob: `0x${'00'.repeat(131_072)}`, commitment, proof })
      return document.querySelector('output')!.textContent
    })
    expect(atOnce).toBe('')
    await page.waitForSelector('output:text(\'"status":"invalid"\')', { timeout: 60_000 })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(hooks)(
    '$from, block $at: nothing is thrown where the verifier cannot be loaded',
    async (example) => {
      const broken = { '/wasm/verifier_simd128.wasm': 'none', '/wasm/verifier_relaxed_simd.wasm': 'none' }
      const { page, errors } = await openModule(example, broken)
      const failed = await page.evaluate(async () => {
        const { createVerifier, unmount } = globalThis as unknown as {
          createVerifier(): Promise<unknown>
          unmount(): void
        }
        // The hook's own verifier, which began before this one, has failed by then.
        const reason: unknown = await createVerifier().then(String, (error: Error) => error.name)
        unmount()
        // What was rejected unhandled is reported after the task in which that was.
        await new Promise((resolve) => setTimeout(resolve))
        return reason
      })
      expect(failed).toBe('WasmUnavailableError')
      expect(errors).toEqual([])
      await page.context().close()
    },
  )

  it.each(components)('$from, block $at (tsx)', async (example) => {
    const { page, complaints } = await openModule(example)
    await page.evaluate(() => {
      const { show } = globalThis as unknown as { show(properties: object): void }
      show({ blobs: 2 })
      const grid = document.querySelector('output blob-grid') as HTMLElementTagNameMap['blob-grid']
      grid.select(1, 5)
    })
    await page.waitForSelector('output p:text-is("blob 1, column 5: waiting")', { timeout: 60_000 })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(hooks)('$from, block $at: a hot reload of the hook starts no other verifier', ({ code }) => {
    // A development server runs the module of the hook again after each edit, and leaves those that it imports alone.
    expect(code).not.toMatch(/^(?:export )?const .*\bcreateVerifier\(/m)
  })

  it.each(documents)('$from, block $at (html)', async (example) => {
    const { page, complaints } = await open(
      example.code.replace('<title>', '<link rel="icon" href="data:," /><title>'),
      scriptsOf(example),
      await policyOf(example),
    )
    await page.waitForFunction(() => document.querySelector('output')?.textContent !== '…', null, {
      timeout: 60_000,
    })
    expect(await page.textContent('output')).toBe(Array(6).fill('valid').join(' '))
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
