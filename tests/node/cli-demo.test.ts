/** `blobcheck demo` as a process, from the package as it is installed: what it serves, and what it does not. */
import { readdir, readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobcheck, type Ended, whileServing } from '../support/cli.ts'
import { install, type Installed } from '../support/installed.ts'
import { hasChromium, launchChromium, press, states, Visitor } from '../support/site.ts'

/** The page reads the block in SSZ; the package has it as JSON. */
const BLOCK = 'holesky_1409759_blob_sidecars.ssz'

let installed: Installed
beforeAll(async () => {
  installed = await install()
})
afterAll(async () => await installed?.remove())

/** Serves while a test asks; how it ended. */
async function serving(test: (url: string) => Promise<void>): Promise<Ended> {
  const { main } = installed
  return await whileServing(
    async (onLine) => await blobcheck(['demo', '--port', '0', '--json'], { main, onLine }),
    (line) => (JSON.parse(line) as { url: string }).url,
    test,
  )
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  /** As they were sent. */
  readonly bytes: Buffer
}

/** Asks for a path as it stands, and takes the answer as it comes: `fetch` would resolve dots and decode. */
async function rawly(url: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return await new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

/** The names of all files that the page and its scripts name. */
async function named(url: string): Promise<Set<string>> {
  const names = new Set<string>()
  const read = async (path: string): Promise<void> => {
    const text = await (await fetch(`${url}${path}`)).text()
    for (const [, name = ''] of text.matchAll(/["'`/]([\w-]+-[\w-]{8}\.(?:bin|css|js|svg|wasm))\b/g)) {
      if (names.has(name)) continue
      names.add(name)
      if (name.endsWith('.js')) await read(`/assets/${name}`)
    }
  }
  await read('/')
  return names
}

const contentTypes: Readonly<Record<string, string>> = {
  bin: 'application/octet-stream',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  proofs: 'application/octet-stream',
  ssz: 'application/octet-stream',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
}

describe('the package', () => {
  it('carries the page, and nothing of it twice', () => {
    const page = installed.files.filter((path) => path.startsWith('web-demo/'))
    expect(page).toContain('web-demo/dist/index.html')
    expect(page.filter((path) => /\.(bin|wasm|ssz|json|ts)$/.test(path))).toEqual([])
    expect(installed.files).toContain('wasm/verifier_simd128.wasm')
    expect(installed.files).toContain('data/holesky_1409759_blob_sidecars.json.gzip')
  })
})

describe('blobcheck demo', () => {
  it('serves every file of the page as it was built, what the package has elsewhere included', async () => {
    const paths = (await readdir(installed.built, { recursive: true })).filter((path) => path.includes('.'))
    const modules = paths.filter((path) => path.endsWith('.wasm'))
    expect(modules.map((path) => basename(path).split('-')[0]).sort()).toEqual([
      'beacon_simd128',
      'blobcheck_relaxed_simd',
      'blobcheck_simd128',
      'light_client_relaxed_simd',
      'light_client_simd128',
      'prover_relaxed_simd',
      'prover_simd128',
      'verifier_relaxed_simd',
      'verifier_simd128',
    ])
    expect(paths.filter((path) => path.endsWith('.bin'))).toHaveLength(2)
    const { code, err } = await serving(async (url) => {
      for (const path of paths.map((path) => path.replaceAll('\\', '/'))) {
        const answer = await fetch(`${url}/${path}`)
        expect([path, answer.status]).toEqual([path, 200])
        expect(answer.headers.get('content-type')).toBe(contentTypes[path.split('.').at(-1)!])
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('cache-control')).toMatch(
          path.startsWith('assets/') ? /immutable/ : /no-cache/,
        )
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(bytes.equals(await readFile(join(installed.built, path))), path).toBe(true)
      }
    })
    expect([code, err]).toEqual([0, ''])
  })

  it('serves the page at /, and whatever it names', async () => {
    await serving(async (url) => {
      const answer = await fetch(`${url}/`)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toBe(await readFile(join(installed.built, 'index.html'), 'utf8'))
      const names = await named(url)
      expect([...names].sort()).toEqual((await readdir(join(installed.built, 'assets'))).sort())
      const wasm = [...names].find((name) => name.startsWith('verifier_simd128-'))
      const module = Buffer.from(await (await fetch(`${url}/assets/${wasm}`)).arrayBuffer())
      expect(module.equals(await readFile(join(installed.folder, 'wasm/verifier_simd128.wasm')))).toBe(true)
    })
  })

  it('has nothing else, however it is asked', async () => {
    const { version } = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8')) as {
      version: string
    }
    await serving(async (url) => {
      for (const path of [
        '/nothing',
        '/package.json',
        '/../package.json',
        '/..%2fpackage.json',
        '/..%5cpackage.json',
        '/../../package.json',
        '/assets/../../package.json',
        '/assets/../../../package.json',
        '/assets/..%2f..%2f..%2fpackage.json',
        '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
        '//package.json',
        '/web-demo/dist/index.html',
        '/dist/cli/main.js',
        '/wasm/verifier_simd128.wasm',
        '/assets/verifier_simd128-AAAAAAAA.wasm',
        '/assets/verifier_simd128.wasm',
        '/assets/',
        '/assets',
        '/%00',
        '/%ff',
        '/__proto__',
        '/constructor',
      ]) {
        const { status, bytes } = await rawly(url, path)
        expect([path, status]).toEqual([path, 404])
        expect(bytes.toString()).not.toContain(version)
      }
    })
  })

  it('answers HEAD as GET, without the body, and takes nothing', async () => {
    await serving(async (url) => {
      const headers = { 'accept-encoding': 'identity' }
      const [head, get] = [await fetch(url, { method: 'HEAD', headers }), await fetch(url, { headers })]
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      for (const name of [
        'content-type',
        'content-length',
        'cache-control',
        'etag',
        'x-content-type-options',
      ])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      expect(Number(get.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength)
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await fetch(url, { method })
        expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      }
    })
  })

  it('sends what its reader decodes, compressed once, under a tag of its own', async () => {
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }
    const block = await readFile(join(installed.built, BLOCK))
    await serving(async (url) => {
      const tags = new Set<unknown>()
      for (const [accepted, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['GZIP;q=0.5, br;q=0', 'gzip'],
        ['gzip;q=0, *', 'br'],
        ['*;q=0', 'identity'],
        ['zstd', 'identity'],
        [undefined, 'identity'],
      ] as const) {
        const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
        const answer = await rawly(url, `/${BLOCK}`, headers)
        const told = answer.headers['content-encoding'] ?? 'identity'
        expect([accepted, answer.status, told]).toEqual([accepted, 200, coding])
        expect(decode[coding](answer.bytes).equals(block)).toBe(true)
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
        expect(answer.headers.vary).toBe('Accept-Encoding')
        expect(answer.headers.etag).toMatch(/^"[\w-]+"$/)
        tags.add(answer.headers.etag)
        const again = await rawly(url, `/${BLOCK}`, headers)
        expect([again.headers.etag, again.bytes.equals(answer.bytes)]).toEqual([answer.headers.etag, true])
        if (coding !== 'identity') expect(answer.bytes.length).toBeLessThan(block.length / 3)
      }
      expect(tags.size, 'a strong tag names bytes, not a file').toBe(3)
    })
  })

  it('answers 304 to who has it already, and the whole to who has something else', async () => {
    await serving(async (url) => {
      const [module = ''] = [...(await named(url))].filter((name) => name.startsWith('verifier_simd128-'))
      for (const path of ['/', `/${BLOCK}`, `/assets/${module}`]) {
        const coded = { 'accept-encoding': 'br' }
        const { etag = '', 'cache-control': cached } = (await rawly(url, path, coded)).headers
        for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
          const answer = await rawly(url, path, { ...coded, 'if-none-match': tags })
          expect([path, tags, answer.status, answer.bytes.length]).toEqual([path, tags, 304, 0])
          expect([answer.headers.etag, answer.headers['cache-control']]).toEqual([etag, cached])
          expect(answer.headers.vary).toBe('Accept-Encoding')
        }
        expect((await rawly(url, path, { ...coded, 'if-none-match': '"other"' })).status).toBe(200)
        // The same file in another coding is another representation.
        expect((await rawly(url, path, { 'if-none-match': etag })).status).toBe(200)
      }
    })
  })

  it('tells people where it is, and ends although connections are open', async () => {
    const { code, err, out } = await blobcheck(['demo', '--port', '0'], {
      main: installed.main,
      onLine: (line, kill) => {
        const port = /^Demo page {2}http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1]
        if (port === undefined) return
        // One who never comes to the end of a request.
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write('GET / HTTP/1.1\r\nHost: a\r\n', () => kill('SIGINT'))
        })
        socket.on('error', () => {})
      },
    })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Ctrl-C ends it.')
  })

  it('ends with 3 where the port is another’s, and says what to do', async () => {
    await serving(async (url) => {
      const { port } = new URL(url)
      const { code, err, out } = await blobcheck(['demo', '--port', port], { main: installed.main })
      expect([code, out]).toEqual([3, ''])
      expect(err).toMatch(/^blobcheck: .*EADDRINUSE.*--port 0.*\n$/)
    })
  })

  it('ends with 3 where the page has not been built, and says how to', async () => {
    const { code, err, out } = await blobcheck(['demo', '--port', '0'], { main: installed.unbuiltMain })
    expect([code, out]).toEqual([3, ''])
    expect(err).toMatch(/^blobcheck: the page has not been built.*npm run demo.*\n$/)
  })

  it.each([['--port', '65536'], ['--port', 'x'], ['--open'], ['page']])(
    'ends with 2 for %s %s',
    async (...args) => {
      const { code, err } = await blobcheck(['demo', ...args], { main: installed.main })
      expect(code).toBe(2)
      expect(err).toContain('blobcheck demo --help')
    },
  )

  it.skipIf(!hasChromium)('serves a page that verifies the block in Chromium', async () => {
    const browser = await launchChromium()
    try {
      await serving(async (url) => {
        const { page, complaints } = await new Visitor(url, await browser.newContext()).open()
        expect(await states(page)).toEqual(Array(6).fill('valid'))
        await press(page, 'Tamper one byte')
        expect((await states(page)).filter((state) => state === 'rejected')).toHaveLength(1)
        expect(complaints).toEqual([])
      })
    } finally {
      await browser.close()
    }
  })
})
