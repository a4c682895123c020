/** `blobcheck proxy`: what it prints, how it stops, what it goes on from, and how it stands a load. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Chain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { blobcheck, blobcheckHere, type Ended, jsonLines, whileServing } from '../support/cli.ts'
import { copyPackage } from '../support/copied-package.ts'
import { freePort } from '../support/free-port.ts'
import { later } from '../support/make.ts'
import {
  blobsAt,
  digestOf,
  type Endpoint,
  endpointOf,
  type Json,
  pause,
  proxiedChain,
  scratch,
} from '../support/proxies.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let chain: Chain
let endpoint: Endpoint
let network: string
beforeAll(async () => {
  chain = await proxiedChain()
  endpoint = await endpointOf(chain)
  network = join(await scratch(), 'network.json')
  await writeFile(network, writeNetwork(chain.network))
})

/** Runs the command until a test is done with it, and tells how it ended. */
async function proxying(
  args: readonly string[],
  test: (url: string, kill: (signal: NodeJS.Signals) => void) => Promise<void>,
  run: typeof blobcheck = blobcheck,
): Promise<Ended> {
  const base = ['proxy', '--port', '0', '--network', network, '--beacon', endpoint.url]
  return await whileServing(
    async (onLine) => await run([...base, ...args], { onLine }),
    (line) => (/listening|"started"/.test(line) ? /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] : undefined),
    test,
    'SIGTERM',
  )
}

async function inStep(url: string): Promise<void> {
  while (!(await fetch(`${url}/health`)).ok) await pause(20)
}

/** From now on the endpoint answers nothing, until what is returned is called; what it was asked before is forgotten. */
function hold(): () => void {
  const { promise, resolve } = later()
  endpoint.gate = promise
  endpoint.asked.length = 0
  return () => {
    endpoint.gate = null
    resolve()
  }
}

/** Waits until the endpoint is asked for what is in a block, or belongs to it. */
async function endpointIsAsked(slot: number): Promise<void> {
  const { root } = chain.at(slot)!
  const isAsked = (): boolean =>
    endpoint.asked.some((path) => path.endsWith(root) && !path.includes('/headers/'))
  await expect.poll(isAsked, PATIENCE).toBe(true)
}

/** For what takes a process on a loaded machine long. */
const PATIENCE = { timeout: 20_000 }

const verified = (): string[] => ['--checkpoint', chain.checkpoint]

describe('blobcheck proxy', () => {
  it('prints a line for each request that can be grepped, without keys or queries', async () => {
    const { code, out, err } = await proxying([...verified(), '--no-store', '--no-cache'], async (url) => {
      await inStep(url)
      await fetch(`${url}/eth/v1/beacon/blobs/95?key=secret`, { headers: { 'x-key': 'secret' } })
      await fetch(`${url}/eth/v1/beacon/blobs/87`)
      await fetch(`${url}/eth/v1/%0a%1b[31m`)
    })
    expect([code, err]).toEqual([0, ''])
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'
    const route = '/eth/v1/beacon/blobs/\\{block_id\\}'
    expect(out).toMatch(
      new RegExp(
        `^${time} listening on http://127.0.0.1:\\d+, .*, headers from your checkpoint, no cache on disk; asks `,
      ),
    )
    expect(out).toMatch(new RegExp(`^${time} news in step with the chain$`, 'm'))
    expect(out).toMatch(
      new RegExp(`^${time} 200 GET ${route} block=95 bytes=\\d+ ms=[\\d.]+ via=source$`, 'm'),
    )
    expect(out).toMatch(
      new RegExp(
        `^${time} 404 GET ${route} block=87 bytes=\\d+ ms=[\\d.]+ reason=empty-slot detail=".*"$`,
        'm',
      ),
    )
    expect(out).toMatch(new RegExp(`^${time} 404 GET none bytes=\\d+ ms=[\\d.]+$`, 'm'))
    expect(out).toMatch(new RegExp(`^${time} stopped all is answered\n$`, 'm'))
    expect(out).not.toContain('secret')
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it('prints JSON', async () => {
    const args = [...verified(), '--no-store', '--no-cache', '--json']
    const { code, out } = await proxying(args, async (url) => {
      await inStep(url)
      await fetch(`${url}/eth/v1/beacon/headers/95`)
    })
    expect(code).toBe(0)
    const events = jsonLines(out)
    expect(events[0]).toMatchObject({
      event: 'started',
      headers: 'verified',
      beacon: [endpoint.url],
      cached: null,
    })
    expect(events.find(({ block }) => block === '95')).toMatchObject({
      ...{ event: 'request', status: 200, route: '/eth/v1/beacon/headers/{block_id}', method: 'GET' },
    })
    expect(events.at(-1)).toMatchObject({ event: 'stopped', cut: 0 })
  })

  it('answers what is under way when it is stopped, and nothing more', async () => {
    const { code, out } = await proxying([...verified(), '--no-store', '--no-cache'], async (url, kill) => {
      await inStep(url)
      await fetch(`${url}/eth/v1/beacon/headers/95`)
      const release = hold()
      const underWay = fetch(`${url}/eth/v1/beacon/blobs/95`)
      try {
        await endpointIsAsked(95)
        kill('SIGTERM')
        // A connection that was idle is closed, too: only a new one shows that nobody listens.
        const refusal = (): Promise<unknown> =>
          fetch(`${url}/health`).catch(({ cause }: Error) => (cause as NodeJS.ErrnoException).code)
        await expect.poll(refusal, PATIENCE).toBe('ECONNREFUSED')
      } finally {
        release()
      }
      const answer = (await (await underWay).json()) as Json
      expect(digestOf(answer['data'])).toBe(digestOf(blobsAt(chain, 95)))
    })
    expect([code, out.includes('stopped all is answered')]).toEqual([0, true])
  })

  it('cuts off what takes too long when it is stopped', async () => {
    const args = [...verified(), '--no-store', '--no-cache', '--grace', '0']
    const { code, out } = await proxying(args, async (url, kill) => {
      await inStep(url)
      await fetch(`${url}/eth/v1/beacon/headers/94`)
      const release = hold()
      const underWay = fetch(`${url}/eth/v1/beacon/blobs/94`).then(
        () => 'answered',
        () => 'cut',
      )
      try {
        await endpointIsAsked(94)
        kill('SIGTERM')
        expect(await underWay).toBe('cut')
      } finally {
        release()
      }
    })
    expect([code, out.includes('stopped 1 answer cut off')]).toEqual([0, true])
    // The last but one is the answer that was cut off, with the reason that it has.
    const [cut, stopped] = out.trimEnd().split('\n').slice(-2)
    expect(cut).toMatch(/ 503 GET .* block=94 .* reason=stopping detail="the proxy stops, /)
    expect(stopped).toMatch(/ stopped 1 answer cut off$/)
  })

  it('needs no file of its code once it listens', async () => {
    const { main, loseCode } = await copyPackage(await scratch())
    const args = [...verified(), '--no-store', '--no-cache']
    const { code, err } = await proxying(
      args,
      async (url) => {
        await loseCode()
        await inStep(url)
        for (const path of ['blobs/95', 'blob_sidecars/94', 'headers/93'])
          expect([path, (await fetch(`${url}/eth/v1/beacon/${path}`)).status]).toEqual([path, 200])
        expect((await fetch(`${url}/eth/v2/beacon/blocks/92`)).status).toBe(200)
      },
      async (given, running) => await blobcheck(given, { ...running, main }),
    )
    expect([code, err]).toEqual([0, ''])
  })

  it('goes on from what it had: headers from its store, blobs from its cache', async () => {
    const folder = await scratch()
    const args = [...verified(), '--store', join(folder, 'store'), '--cache', join(folder, 'blobs'), '--json']
    await proxying(args, async (url) => {
      await inStep(url)
      expect((await fetch(`${url}/eth/v1/beacon/blobs/95`)).status).toBe(200)
    })
    expect(await readdir(folder)).toEqual(['blobs', 'store'])
    // No bootstrap, no data: only what is new, and the block.
    endpoint.faults.rules = [
      {
        fault: { kind: 'status', code: 503 },
        routes: ['bootstrap', 'blobs', 'blob_sidecars', 'data_column_sidecars'],
      },
    ]
    const { out } = await proxying(args, async (url) => {
      await inStep(url)
      const answer = (await (await fetch(`${url}/eth/v1/beacon/blobs/95`)).json()) as Json
      expect(digestOf(answer['data'])).toBe(digestOf(blobsAt(chain, 95)))
      endpoint.faults.rules = []
    })
    expect(jsonLines(out)[0]).toMatchObject({ cached: 3 })
  })

  it('goes on without a store that cannot be written, and says so; it needs the cache that it was told of', async () => {
    const file = join(await scratch(), 'file')
    await writeFile(file, '')
    const below = join(file, 'below')
    const { code, err } = await proxying(
      [...verified(), '--store', below, '--no-cache'],
      async (url) => await inStep(url),
      blobcheckHere,
    )
    expect(code).toBe(0)
    expect(err).toContain(`warning --store ${below}: ${file} is no folder, so that nothing is kept`)
    const args = ['proxy', '--network', network, '--beacon', endpoint.url, ...verified(), '--no-store']
    const refused = await blobcheckHere([...args, '--cache', below])
    expect(refused.err).toContain(`--cache ${below}: ${file} is no folder (--no-cache keeps`)
    expect(refused.code).toBe(2)
  })

  it('says once that its store cannot be written, where that shows later, and counts it', async () => {
    const store = await scratch()
    // In the place of the record, which cannot take it then, although the folder could be written.
    const { genesisValidatorsRoot } = chain.network.signing!
    const record = join(store, `${genesisValidatorsRoot.slice(2, 18)}-${chain.checkpoint.slice(2)}.bin`)
    await mkdir(join(record, 'taken'), { recursive: true })
    const args = [...verified(), '--store', store, '--no-cache']
    const { code, out, err } = await proxying(
      args,
      async (url) => {
        await inStep(url)
        const metrics = async (): Promise<string> => await (await fetch(`${url}/metrics`)).text()
        // One of them is that what is there is no record.
        await expect.poll(metrics, PATIENCE).toMatch(/^blobcheck_proxy_store_failures_total [2-9]$/m)
      },
      blobcheckHere,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out.match(/(?:trouble|news) --store .*/g)).toEqual([
      expect.stringMatching(
        /^trouble --store .*: what was verified cannot be kept for the next start: E[A-Z]+: /,
      ),
    ])
  })

  it('goes on where nothing can be written to the user’s cache folder, and says so once of each', async () => {
    const file = join(await scratch(), 'file')
    await writeFile(file, '')
    vi.stubEnv('XDG_CACHE_HOME', join(file, 'below'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, out, err } = await proxying(
      verified(),
      async (url) => {
        await inStep(url)
        expect((await fetch(`${url}/eth/v1/beacon/blobs/95`)).status).toBe(200)
      },
      blobcheckHere,
    )
    expect(code).toBe(0)
    expect(err.match(/(?<= warning )--\w+/g)).toEqual(['--store', '--cache'])
    expect(err).toContain(`${file} is no folder, so that no blobs are kept on disk`)
    expect(out).toContain('no cache on disk')
    expect(out).not.toContain('cannot be written')
  })

  it.skipIf(!existsSync('/dev/full'))('goes on serving where its lines cannot be written', async () => {
    const main = join(root, 'dist/cli/main.js')
    const port = await freePort()
    const args = [main, 'proxy', '--port', String(port), '--network', network, '--beacon', endpoint.url]
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [...args, ...verified(), '--no-store', '--no-cache'], {
      stdio: ['ignore', full, 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    closeSync(full)
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text))
    const health = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null))?.ok ?? false
    await expect.poll(health, PATIENCE).toBe(true)
    expect((await fetch(`http://127.0.0.1:${port}/eth/v1/beacon/blobs/95`)).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'close')) as [number | null]
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^blobcheck: standard output cannot be written: ENOSPC.*; lines are left out until it can be\n$/,
      ),
    ])
  })

  it('says loudly whose word headers are', async () => {
    const args = ['--trust-endpoint', '--no-store', '--no-cache']
    const { code, out, err } = await proxying(args, async (url) => await inStep(url), blobcheckHere)
    expect(code).toBe(0)
    expect(out).toContain(', headers on the endpoints’ word, ')
    expect(err).toContain('HEADERS ARE ON TRUST')
  })

  it('refuses what makes no sense, and ends where it cannot start', async () => {
    const run = async (...args: string[]): Promise<Ended> =>
      await blobcheckHere(['proxy', '--network', network, '--no-cache', '--no-store', ...args])
    const beacon = ['--beacon', endpoint.url]
    const without = await run(...beacon)
    expect([without.code, without.err]).toEqual([
      2,
      expect.stringContaining('where does your trust in the chain begin?'),
    ])
    expect((await run(...beacon, ...verified(), '--trust-endpoint')).code).toBe(2)
    expect((await run(...verified())).code).toBe(2)
    expect((await run('--beacon', 'ftp://a.example', ...verified())).code).toBe(2)
    expect((await run(...beacon, ...verified(), '--port', '70000')).code).toBe(2)
    const taken = await run(...beacon, ...verified(), '--port', new URL(endpoint.url).port)
    expect([taken.code, taken.err]).toEqual([3, expect.stringContaining('EADDRINUSE')])
    const json = await run(...beacon, ...verified(), '--port', new URL(endpoint.url).port, '--json')
    expect([json.code, json.err]).toEqual([3, ''])
    expect(jsonLines(json.out)).toMatchObject([
      { event: 'failed', error: 'Error', message: expect.stringContaining('EADDRINUSE') as unknown },
    ])
  })
})

describe('a load', () => {
  it('of clients of all kinds, in front of liars: each byte is right, and each request is answered', async () => {
    const script = join(root, 'scripts/load-proxy.mjs')
    const args = ['--requests', '300', '--clients', '30', '--slots', '40', '--blobs', '3', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args])
    const report = JSON.parse(stdout) as Record<string, unknown>
    expect(report).toMatchObject({ requests: 300, wrong: 0, refused: 0, stopCode: 0 })
    expect(report['blobs']).toBeGreaterThan(100)
  })

  it.each([
    ['--requests', '1e4x'],
    ['--requests', '0'],
    ['--clients', '1.5'],
    ['--slots', '1'],
    ['--blobs', 'Infinity'],
    ['--seed', ''],
    ['--hours', '1'],
  ])('is refused where it is asked for what there is not: %s %j', async (...args) => {
    const started = promisify(execFile)(process.execPath, [join(root, 'scripts/load-proxy.mjs'), ...args])
    await expect(started).rejects.toMatchObject({ code: 2 })
  })
})
