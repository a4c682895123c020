/** `blobcheck serve`: what it says, what it serves, how it ends. */
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { blobcheck, blobcheckHere, type Ended, jsonLines, whileServing } from '../support/cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-test-'))
})
afterAll(async () => await rm(folder, { recursive: true }))
afterEach(() => void vi.unstubAllEnvs())

interface Facts {
  readonly url: string
  readonly checkpoint: string
  readonly network: string
  readonly label: string
  readonly head: number
  readonly executionUrl?: string
}

/** Serves while a test asks; how it ended. As a process, or in this one. */
async function serving(
  run: typeof blobcheckHere,
  args: readonly string[],
  test: (facts: Facts) => Promise<void>,
): Promise<Ended> {
  return await whileServing(
    async (onLine) => await run(['serve', '--port', '0', '--json', ...args], { onLine }),
    (line) => JSON.parse(line) as Facts,
    test,
  )
}

const indicesAt = async (url: string, query: string): Promise<string[]> => {
  const answer = await fetch(`${url}/eth/v1/debug/beacon/data_column_sidecars/head${query}`)
  return ((await answer.json()) as { data: { index: string }[] }).data.map(({ index }) => index)
}

describe('blobcheck serve', () => {
  it('serves a chain that the light client follows with the file that it writes', async () => {
    let file = ''
    // Over the fork to Gloas.
    const args = ['--slots', '140', '--blobs', '2', '--gloas-epoch', '4']
    const { code, err } = await serving(blobcheckHere, args, async (facts) => {
      file = facts.network
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ label: facts.label })
      expect(facts.label).toMatch(/^synthetic/)
      const { url, checkpoint } = facts
      const client = ['light-client', '--once', '--json', '--no-store']
      const followed = await blobcheckHere([
        ...client,
        '--network',
        file,
        '--checkpoint',
        checkpoint,
        '--beacon',
        url,
      ])
      expect([followed.code, followed.err]).toEqual([0, ''])
      expect(jsonLines(followed.out).at(-1)).toMatchObject({
        event: 'synced',
        links: { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' },
      })
      expect(await indicesAt(url, '?indices=1,2')).toEqual(['1', '2'])
    })
    expect([code, err]).toEqual([0, ''])
    // What it wrote for others goes with it.
    expect(existsSync(file)).toBe(false)
  })

  it('keeps payloads of Gloas back, and blobcheck sample says so of these blocks alone', async () => {
    const args = ['--slots', '80', '--blobs', '1', '--gloas-epoch', '3', '--withhold-payloads', '4']
    const { code, err } = await serving(
      blobcheckHere,
      [...args, '--seconds-per-slot', '3600'],
      async ({ url, checkpoint, network }) => {
        const sample = ['sample', '--json', '--no-store', '--network', network, '--checkpoint', checkpoint]
        const verdictOf = async (slot: number): Promise<unknown[]> => {
          const ended = await blobcheckHere([...sample, '--beacon', url, '--block', String(slot)])
          const report = jsonLines(ended.out).find(({ event }) => event === 'report')
          return [ended.code, report?.['verdict'], (report?.['payload'] as { status: string } | null)?.status]
        }
        // Gloas begins with slot 96, which 4 divides; 92 is of Fulu, where a payload is in its block.
        expect(await verdictOf(92)).toEqual([0, 'available', undefined])
        expect(await verdictOf(100)).toEqual([3, 'payload-not-revealed', 'empty'])
        expect(await verdictOf(101)).toEqual([0, 'available', 'full'])
      },
    )
    expect([code, err]).toEqual([0, ''])
  })

  it('serves the real block, and its columns', async () => {
    const file = join(folder, 'network.json')
    const { code } = await serving(
      blobcheckHere,
      ['--real', '--network-file', file],
      async ({ url, checkpoint, head, network }) => {
        expect([head, network]).toEqual([1_409_759, file])
        const header = (await (await fetch(`${url}/eth/v1/beacon/headers/head`)).json()) as {
          data: { root: string }
        }
        expect(header.data.root).toBe(checkpoint)
        expect(await indicesAt(url, '?indices=127')).toEqual(['127'])
        expect((await fetch(`${url}/eth/v2/beacon/blocks/head`)).status).toBe(404)
        expect((await fetch(`${url}/eth/v1/beacon/light_client/finality_update`)).status).toBe(404)
      },
    )
    expect(code).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ forkEpochs: { fulu: 44_054 } })
  })

  it('is as bad as it is asked to be', async () => {
    const asked = async (args: readonly string[], test: (facts: Facts) => Promise<void>): Promise<void> => {
      const { code, err } = await serving(blobcheckHere, args, test)
      expect([code, err]).toEqual([0, ''])
    }
    const faults = ['--withhold', '65', '--corrupt', 'index:0', '--corrupt', 'cell', '--delay', '1']
    await asked(['--slots', '2', '--blobs', '1', ...faults], async ({ url }) => {
      expect(await indicesAt(url, '')).toHaveLength(63)
    })
    await asked(['--slots', '2', '--blobs', '1', '--withhold', '3,5', '--hide-blobs'], async ({ url }) => {
      expect(await indicesAt(url, '')).toEqual([])
    })
    // The second is a comment to a shell, unless it is quoted.
    for (const one of [':3', '#3'])
      await asked(['--slots', '2', '--blobs', '1', '--withhold', one], async ({ url }) => {
        const indices = await indicesAt(url, '')
        expect([indices.length, indices.includes('3')]).toEqual([127, false])
      })
    const unwell = ['--status', '503', '--routes', 'headers', '--withhold', '#3']
    await asked(['--blobs', '0', ...unwell], async ({ url }) => {
      expect((await fetch(`${url}/eth/v1/beacon/headers/head`)).status).toBe(503)
      expect((await fetch(`${url}/eth/v1/node/version`)).status).toBe(200)
    })
    const wire = ['--content-type', 'text/html', '--truncate', '0.999']
    await asked(['--blobs', '0', ...wire, '--rate-limit', '1000'], async ({ url }) => {
      const answer = await fetch(`${url}/eth/v1/node/version`)
      expect(answer.headers.get('content-type')).toBe('text/html')
      await expect(answer.text()).rejects.toThrow()
    })
    await asked(['--blobs', '0', '--oversized', '1000', '--rate-limit', '1'], async ({ url }) => {
      const { length } = await (await fetch(`${url}/eth/v1/node/version`)).text()
      expect(length).toBeGreaterThan(1_000)
    })
    await asked(['--blobs', '0', '--drip', '7'], async ({ url }) => {
      const answer = await fetch(`${url}/eth/v1/node/version`)
      expect(answer.body === null ? null : (await answer.body.getReader().read()).value?.length).toBe(7)
    })
    await asked(['--blobs', '0', '--redirect', 'http://127.0.0.1:1/'], async ({ url }) => {
      expect((await fetch(`${url}/eth/v1/node/version`, { redirect: 'manual' })).status).toBe(302)
    })
  })

  it('serves the execution layer beside it, as good or as bad', async () => {
    const ask = async (url: string | undefined, method: string, ...params: unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = (await (await fetch(url!, { method: 'POST', body })).json()) as { result: unknown }
      return answer.result
    }
    const args = ['--slots', '3', '--blobs', '1', '--execution-port', '0', '--seconds-per-slot', '3600']
    let honest: Record<string, string> = {}
    await serving(blobcheckHere, args, async ({ url, executionUrl }) => {
      honest = (await ask(executionUrl, 'eth_getBlockByNumber', 'latest', false)) as typeof honest
      const block = await (await fetch(`${url}/eth/v2/beacon/blocks/head`)).json()
      expect(honest['hash']).toBe(block.data.message.body.execution_payload.block_hash)
    })
    const lies = ['--lie', 'header:mixHash', '--lie', 'header']
    const { out } = await serving(blobcheckHere, [...args, ...lies], async ({ executionUrl }) => {
      const told = (await ask(executionUrl, 'eth_getBlockByNumber', 'latest', false)) as typeof honest
      const one = `0x${'01'.padStart(64, '0')}`
      // Both are zero where nobody lies.
      expect([told['mixHash'], told['stateRoot']]).toEqual([one, one])
      expect([told['number'], told['receiptsRoot']]).toEqual([honest['number'], honest['receiptsRoot']])
    })
    expect(jsonLines(out)[0]).toMatchObject({ executionUrl: expect.stringMatching(/^http:/) as unknown })
    await serving(
      blobcheckHere,
      [...args, '--status', '503', '--routes', 'eth_chainId'],
      async ({ url, executionUrl }) => {
        expect((await fetch(`${url}/eth/v1/node/version`)).status).toBe(200)
        expect(await ask(executionUrl, 'eth_syncing')).toBe(false)
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
        expect((await fetch(executionUrl!, { method: 'POST', body })).status).toBe(503)
      },
    )
    for (const lie of ['everything', 'header:nothing', 'proof:number']) {
      const refused = await blobcheckHere(['serve', '--execution-port', '0', '--lie', lie])
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--lie') as unknown])
      if (lie === 'header:nothing') expect(refused.err).toContain('one of parentHash, sha3Uncles, miner, ')
    }
  })

  it('tells people what to try', async () => {
    const { code, out } = await blobcheckHere(
      ['serve', '--port', '0', '--execution-port', '0', '--blobs', '0', '--withhold', '7'],
      {
        onLine: (line, kill) => void (line.startsWith('Ctrl-C') && kill('SIGTERM')),
      },
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^Beacon API {2}http:\/\/127\.0\.0\.1:\d+$/m)
    expect(out).toMatch(/^JSON-RPC {4}http:\/\/127\.0\.0\.1:\d+$/m)
    expect(out).toMatch(/^checkpoint {2}0x[0-9a-f]{64}$/m)
    expect(out).toContain('synthetic')
    expect(out).toContain('{"kind":"withhold","columns":7}')
    expect(out).toMatch(
      /npx blobcheck light-client .*--network \S+ --checkpoint 0x[0-9a-f]{64} --beacon http/,
    )
    expect(out).toContain('npx blobcheck sample')
  })

  it('quotes the name of a file with a space in it', async () => {
    const file = join(folder, 'a network.json')
    const { out } = await blobcheckHere(['serve', '--port', '0', '--blobs', '0', '--network-file', file], {
      onLine: (line, kill) => void (line.startsWith('Ctrl-C') && kill('SIGTERM')),
    })
    expect(out).toContain(`npx blobcheck sample --network "${file}" --checkpoint`)
  })

  it('names the file by a path that is good in another folder, too', async () => {
    const file = join(folder, 'relative.json')
    const given = ['--network-file', relative(process.cwd(), file)]
    const ended = await serving(blobcheckHere, ['--blobs', '0', ...given], async ({ network }) => {
      expect(network).toBe(file)
    })
    expect([ended.code, ended.err]).toEqual([0, ''])
  })

  it('goes on without the file where nothing can be written, and says so', async () => {
    const file = join(folder, 'no-folder')
    await writeFile(file, '')
    for (const [temporary, reason] of [
      [join(folder, 'nowhere'), 'the folder that it is to be in is not there'],
      [file, 'a part of its path is no folder'],
    ] as const) {
      for (const name of ['TMPDIR', 'TMP', 'TEMP']) vi.stubEnv(name, temporary)
      const { code, err } = await serving(blobcheckHere, ['--blobs', '0'], async (facts) => {
        expect(facts.network).toBeNull()
        expect((await fetch(`${facts.url}/eth/v1/node/version`)).status).toBe(200)
      })
      expect([code, err]).toEqual([
        0,
        `blobcheck: the network config cannot be kept in ${temporary}: ${reason}, so that other commands have none for --network (--network-file keeps it elsewhere)\n`,
      ])
    }
    const { out } = await blobcheckHere(['serve', '--port', '0', '--blobs', '0'], {
      onLine: (line, kill) => void (line.startsWith('Ctrl-C') && kill('SIGTERM')),
    })
    expect(out).toMatch(/^network {5}synthetic/m)
    // What is there to try takes no file.
    expect(out.match(/^ {2}\w+/gm)).toEqual(['  curl'])
  })

  it('ends with 3 where the port is another’s', async () => {
    await serving(blobcheckHere, ['--blobs', '0'], async ({ url }) => {
      const { port } = new URL(url)
      const { code, err } = await blobcheckHere(['serve', '--port', port, '--blobs', '0'])
      expect(code).toBe(3)
      expect(err).toMatch(/EADDRINUSE.*; --port 0 takes any that is free\n$/)
      const other = ['--port', '0', '--execution-port', port, '--blobs', '0']
      const execution = await blobcheckHere(['serve', ...other])
      expect(execution.code).toBe(3)
      expect(execution.err).toMatch(/EADDRINUSE.*; --execution-port 0 takes any that is free\n$/)
    })
  })

  // Node closes the answer that is being sent, and says nothing to the one that waits behind it.
  it.each([
    ['was reset', true],
    ['is still open', false],
  ])('ends at once when a connection with two pipelined event streams %s', async (_, isReset) => {
    const request = 'GET /eth/v1/events?topics=head HTTP/1.1\r\nhost: any\r\n\r\n'
    const ended = await serving(
      (args, running) => blobcheck(args, { ...running, limitMs: 20_000 }),
      ['--blobs', '0', '--slots', '3', '--seconds-per-slot', '3600'],
      async ({ url }) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.write(request + request)
        await once(socket, 'data')
        // Both have been begun once a request that came after them has been answered.
        expect((await fetch(`${url}/eth/v1/node/health`)).status).toBe(200)
        if (isReset) {
          socket.resetAndDestroy()
          expect((await fetch(`${url}/eth/v1/node/health`)).status).toBe(200)
        }
      },
    )
    expect([ended.signal, ended.code]).toEqual([null, 0])
  })

  it.each([
    ['--port', '65536'],
    ['--port', 'x'],
    ['--blobs', '129'],
    ['--slots', '0'],
    ['--real', '--blobs', '3'],
    ['--real', '--withhold-payloads', '3'],
    ['--withhold-payloads', '3'],
    ['--gloas-epoch', '4', '--withhold-payloads', '0'],
    ['--withhold', '129'],
    ['--withhold', '1,128'],
    ['--withhold', ':128'],
    ['--withhold', '3:'],
    ['--corrupt', 'everything'],
    ['--corrupt', 'cell:x'],
    ['--truncate', '2'],
    ['--probability', ''],
    ['--status', '200'],
    ['--redirect', 'nowhere'],
    ['--routes', 'nowhere'],
    // Without effect.
    ['--routes', 'blobs'],
    ['--probability', '0.5'],
    ['--lie', 'header'],
    ['--seconds-per-slot', '0'],
  ])('ends with 2 for %s %s', async (...args) => {
    const { code, err } = await blobcheckHere(['serve', ...args])
    expect(code).toBe(2)
    // The option that is at fault, as messages name one: with what it takes.
    expect(err).toContain(`${args.at(-2)} <`)
  })
})

describe.each(['serve', 'demo', 'proxy'])('blobcheck %s', (name) => {
  // An empty host is all interfaces to Node.js: what a script gets of a variable that is not set.
  it.each(['', ' '])('ends with 2 for the host %j', async (host) => {
    const trusted = ['--trust-endpoint', '--no-store', '--no-cache', '--beacon', 'http://127.0.0.1:9']
    const args = name === 'serve' ? ['--blobs', '0'] : name === 'proxy' ? trusted : []
    const { code, err } = await blobcheckHere([name, '--port', '0', '--host', host, ...args], {
      onLine: (_, kill) => kill('SIGTERM'),
    })
    expect([code, err]).toEqual([2, expect.stringContaining("option '--host <address>'") as unknown])
  })
})
