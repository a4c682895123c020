/**
 * Consumers of the package: projects in folders of their own, which have it from its tarball and the tools of `tests/consumers`, and what
 * their pages, servers and programs say of the verifier that they made.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { type Consumer, type ConsumerId, consumers } from './consumer-list.ts'
import { installPacked } from './packed.ts'

/** Where the tools are installed. Projects lie below it, so that their tools find themselves. */
export const consumersFolder: string = fileURLToPath(new URL('../consumers', import.meta.url))

/** What a page says of the verifier that it made. */
export interface Outcome {
  readonly workers: number
  readonly workersReason: string
  readonly kernel: string
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly statuses: readonly string[]
}

/** How the package is imported by those that need no recipe. */
const PLAIN_IMPORT = "import { createVerifier } from 'blobcheck'"

/**
 * A module that exports `check`, which verifies a blob of zeros, whose proof is the point at infinity, and the same blob with one bit
 * flipped. `options` is the text of the verifier's options; `importing` is how the module gets `createVerifier`, and what it needs besides.
 */
export const checkModule = (options = '{ workers: 2 }', importing = PLAIN_IMPORT): string => `${importing}
export async function check() {
  const warnings = []
  const onWarning = (warning) => warnings.push(warning)
  const verifier = await createVerifier({ cache: false, onWarning, ...${options} })
  const infinity = new Uint8Array(48).fill(0xc0, 0, 1)
  const spoiled = new Uint8Array(131_072).fill(1, 31, 32)
  const item = { commitment: infinity, proof: infinity }
  const verdicts = await verifier.verifyBlobs([{ ...item, blob: new Uint8Array(131_072) }, { ...item, blob: spoiled }])
  const { workers, workersReason, kernel } = verifier
  await verifier.dispose()
  return { workers, workersReason, kernel, warnings, statuses: verdicts.map(({ status }) => status) }
}
`

/** That module where a recipe's `files.js` names the files. */
export const checkWithFiles = (options = '{ workers: 2, ...files }'): string =>
  checkModule(options, `${PLAIN_IMPORT}\nimport { files } from './files.js'`)

/** Declares the test of a consumer, of which the table has a row: whatever it runs, the outcome has to be what the row says. */
export function testConsumer(id: ConsumerId, run: (consumer: Consumer) => Promise<Visited>): void {
  const consumer: Consumer = consumers[id]
  it(consumer.name, async () => {
    const { outcome, complaints } = await run(consumer)
    expect(outcome).toMatchObject({
      statuses: ['valid', 'invalid'],
      workers: consumer.workers,
      workersReason: 'asked for',
      warnings: [],
    })
    expect(complaints).toEqual([])
  })
}

/** A page's script: its outcome, or what was thrown, becomes the text of the page's title. */
const pageScript = `import { check } from './check.js'
check().then(
  (outcome) => (document.title = JSON.stringify(outcome)),
  (error) => (document.title = String(error)),
)
`

/** The page of that script. */
export const pageHtml =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title><link rel="icon" href="data:,"></head><body><script type="module" src="./main.js"></script></body></html>\n'

/** The files of a page that imports `check.js`, for a bundler that begins with `index.html` or with `main.js`. */
export const pageFiles = (check = checkModule()): Readonly<Record<string, string>> => ({
  'index.html': pageHtml,
  'main.js': pageScript,
  'check.js': check,
})

/** What a program says that prints its outcome. */
export async function outcomeOf(program: string, args: readonly string[], cwd: string): Promise<Visited> {
  const { stdout, stderr } = await runTool(program, args, { cwd })
  return { outcome: JSON.parse(stdout) as Outcome, complaints: stderr === '' ? [] : [stderr] }
}

/** A program that imports `check.js`, and prints its outcome. */
export const printingScript =
  "import { check } from './check.js'\nconsole.log(JSON.stringify(await check()))\n"

/** A new project with these files, by path, that has the package installed. Whoever makes it removes it. */
export async function newProject(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const projects = join(consumersFolder, 'projects')
  await mkdir(projects, { recursive: true })
  const folder = await mkdtemp(join(projects, `${name}-`))
  await installPacked(folder)
  const manifest = { private: true, type: 'module', dependencies: { blobcheck: '*' } }
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

/** Removes a project, which a program that has just been ended may still write to. */
export async function removeProject(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** A new project, which is removed after the test. */
export async function makeProject(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newProject(name, files)
  onTestFinished(async () => await removeProject(folder))
  return folder
}

/** A program of a tool: `bin` is its path below `tests/consumers/node_modules`. */
export const toolPath = (bin: string): string => join(consumersFolder, 'node_modules', bin)

/** What a program said. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
}

/** A user's terminal has none of what Vitest sets. */
const quiet = {
  NEXT_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  NODE_ENV: undefined,
  VITEST: undefined,
}

/** Runs a program to its end, with 240 s of time. Rejects with all that it said where it fails. */
export async function runTool(
  program: string,
  args: readonly string[],
  { cwd }: { cwd: string },
): Promise<Ran> {
  const child = start(program, args, cwd)
  let [stdout, stderr] = ['', '']
  child.stdout!.on('data', (text: string) => (stdout += text))
  child.stderr!.on('data', (text: string) => (stderr += text))
  const timer = setTimeout(() => child.kill('SIGKILL'), 240_000)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  return { stdout, stderr }
}

/** A program that serves. */
export interface Serving {
  readonly origin: string
  /** Ends it, and resolves with what it has written to its error stream. */
  readonly end: () => Promise<readonly string[]>
}

/** Starts a program that serves, and resolves when its port is in its output. It is ended after the test. */
export async function serveBy(
  program: string,
  args: readonly string[],
  { cwd }: { cwd: string },
  pattern = /https?:\/\/(?:localhost|127\.0\.0\.1):(\d+)/,
): Promise<Serving> {
  const child = start(program, args, cwd)
  const ended = new Promise((resolve) => child.once('close', resolve))
  const complaints: string[] = []
  const end = async (): Promise<readonly string[]> => {
    child.kill()
    await ended
    return complaints
  }
  onTestFinished(async () => void (await end()))
  let output = ''
  child.stderr!.on('data', (text: string) => complaints.push(text))
  return await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${program} serves nothing after a minute\n${output}`)), 60_000).unref()
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text: string) => {
        output += text
        const port = pattern.exec(output)?.[1]
        if (port !== undefined) resolve({ origin: `http://127.0.0.1:${port}`, end })
      })
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`${program} ended with ${code}\n${output}`)))
  })
}

function start(program: string, args: readonly string[], cwd: string): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  return child
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** The type that a plain host gives a file, by its name. */
export const typeOf = (path: string): string => TYPES[extname(path)] ?? 'application/octet-stream'

/** Serves a folder as a plain host does: files and their types, and nothing in the place of what is not there. */
export async function serveFolder(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    readFile(join(folder, path)).then(
      (bytes) => {
        response.writeHead(200, { 'content-type': typeOf(path), ...headers }).end(bytes)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves a folder to pages of any other origin, as a CDN does. */
export async function serveCdn(folder: string): Promise<string> {
  return await serveFolder(folder, { 'access-control-allow-origin': '*' })
}

export interface Visited {
  readonly outcome: Outcome
  /** What the browser complained about, or a program wrote to its error stream. */
  readonly complaints: readonly string[]
}

/** Opens a page in a new profile, and waits until it has its outcome as its title. Rejects with what it says where that is an error. */
export async function visit(browser: Browser, url: string): Promise<Visited> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('requestfailed', (request) =>
      complaints.push(`${request.url()}: ${request.failure()?.errorText}`),
    )
    await page.goto(url)
    const title = await page
      .waitForFunction(() => document.title, undefined, { timeout: 60_000 })
      .then(async (handle) => String(await handle.jsonValue()))
      .catch((error: unknown) => `${String(error)}: ${complaints.join('\n')}`)
    if (!title.startsWith('{')) throw new Error(`the page says ${title}\n${complaints.join('\n')}`)
    return { outcome: JSON.parse(title) as Outcome, complaints }
  } finally {
    await context.close()
  }
}
