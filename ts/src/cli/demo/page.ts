/**
 * The built demo page: all that is served, read before anyone asks, and a Hono app that answers with it. The package does not
 * carry twice what the page shares with it: the page's modules and setup are those in `wasm`, its block is the one in `data`.
 */
import { Hono } from '../../vendor/hono.ts'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sszOf } from './block.ts'
import { codingFor, hasAlready, representationsOf } from './representation.ts'

/** What lies at a path. */
interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  /** Its name changes with its content. */
  readonly immutable: boolean
}

/** By path, from the slash on. */
export type Page = ReadonlyMap<string, PageFile>

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** How the page's scripts name a module or a setup beside them: its name in `wasm`, and a hash of eight characters. */
const MODULE = /(?<=["'`/])([\w-]+)-[\w-]{8}\.(wasm|bin)\b/g

const inPackage = (path: string): URL => new URL(`../../../${path}`, import.meta.url)

/** Reads the page of this package; rejects where it has not been built. */
export async function readPage(): Promise<Page> {
  const [built, wasm, data] = [inPackage('web-demo/dist/'), inPackage('wasm/'), inPackage('data/')]
  if (!existsSync(new URL('index.html', built)))
    throw new Error('the page has not been built: in a clone, “npm run demo” builds it and serves it')
  const page = new Map<string, PageFile>()
  for (const path of await filesIn(built)) page.set(`/${path}`, await read(path, built))
  // Where a build has left its copy, it is what the page was built with.
  for (const path of await filesIn(data)) {
    const block = path.replace(/\.json\.gzip$/, '.ssz')
    if (block !== path && !page.has(`/${block}`)) page.set(`/${block}`, await readBlock(path, data))
  }
  const modules = new Set(await filesIn(wasm))
  for (const [path, name] of modulesNamedIn(page))
    if (!page.has(path) && modules.has(name)) page.set(path, { ...(await read(name, wasm)), immutable: true })
  page.set('/', page.get('/index.html')!)
  return page
}

/** Paths of files in a folder and below, with slashes; what has no extension is a folder here. */
async function filesIn(folder: URL): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true })
  return paths.filter((path) => extname(path) !== '').map((path) => path.replaceAll('\\', '/'))
}

async function read(path: string, folder: URL): Promise<PageFile> {
  return {
    bytes: new Uint8Array(await readFile(new URL(path, folder))),
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    immutable: path.startsWith('assets/'),
  }
}

/** The recorded block as the page reads it, out of the compressed JSON that the package has. */
async function readBlock(path: string, folder: URL): Promise<PageFile> {
  const { bytes } = await read(path, folder)
  return {
    bytes: sszOf(gunzipSync(bytes).toString()),
    contentType: 'application/octet-stream',
    immutable: false,
  }
}

/** The path of each module or setup that a script of the page loads, and its file. */
function modulesNamedIn(page: Page): Map<string, string> {
  const modules = new Map<string, string>()
  for (const [path, { bytes }] of page)
    if (path.endsWith('.js'))
      for (const [named, name, ending] of new TextDecoder().decode(bytes).matchAll(MODULE))
        modules.set(`/assets/${named}`, `${name}.${ending}`)
  return modules
}

/** A Hono app that answers with a page. Paths are looked up in what was read, and never lead to a file. */
export function pageApp(page: Page): Hono {
  const representable = new Map(
    [...page].map(([path, file]) => [path, { ...file, as: representationsOf(file.bytes) }]),
  )
  const app = new Hono()
  app.use(async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff')
    await next()
  })
  // HEAD, too: Hono answers it as it does GET, without the body.
  app.get('*', async (c) => {
    const file = representable.get(c.req.path)
    if (file === undefined) return c.text('Not Found', 404)
    const { body, coding, etag } = await file.as(codingFor(c.req.header('Accept-Encoding')))
    c.header('ETag', etag)
    c.header('Vary', 'Accept-Encoding')
    c.header('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (hasAlready(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    if (coding !== 'identity') c.header('Content-Encoding', coding)
    return c.body(body, 200, { 'Content-Type': file.contentType, 'Content-Length': String(body.length) })
  })
  app.all('*', (c) => c.text('Method Not Allowed', 405, { Allow: 'GET, HEAD' }))
  return app
}
