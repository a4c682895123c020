/** The documentation holds: README's first example prints what README says, and every link leads somewhere. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { fences } from '../../scripts/examples.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

async function pagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true })
  const isOurs = (name: string): boolean => name.endsWith('.md') && !/node_modules|^api/.test(name)
  return names.filter(isOurs).map((name) => join(folder, name))
}

const pages = [
  ...(await readdir(root)).filter((name) => name.endsWith('.md')),
  ...(await pagesIn('docs')),
  ...(await pagesIn('examples')),
]

const read = (page: string): Promise<string> => readFile(join(root, page), 'utf8')

/** A heading's anchor, as pages of Markdown have it: lower case, words joined by hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Runs code inside this package, whose own name leads to the built files. */
async function outputOf(name: string, code: string): Promise<string> {
  const script = join(root, 'target/examples', name)
  await mkdir(dirname(script), { recursive: true })
  await writeFile(script, code)
  return (await run(process.execPath, [script])).stdout
}

describe('README', () => {
  it('has at most 200 lines', async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  })

  /** An example by the comment that it begins with, and what it is said to print. */
  async function example(
    page: string,
    name: string,
  ): Promise<{ readonly code: string; readonly output: string }> {
    const text = await read(page)
    const found = new RegExp(
      `^\`\`\`js\\n(?<code>// ${name}\\n[\\s\\S]*?)^\`\`\`\\n\\n\`\`\`\\n(?<output>[\\s\\S]*?)^\`\`\``,
      'm',
    ).exec(text)
    expect(found).not.toBeNull()
    const { code = '', output = '' } = found!.groups!
    return { code, output }
  }

  describe('has a first example that', () => {
    let chain: MadeChain
    let server: BeaconServer
    beforeAll(async () => {
      chain = await makeChain({ slots: 160, blobsPerBlock: 3 })
      server = await serveBeacon({ chain })
    })
    afterAll(async () => await server.close())

    /** What the example prints about that chain, from a checkpoint, and what the page says that it prints. */
    async function printed(checkpoint: string): Promise<{ readonly actual: string; readonly said: string }> {
      const { code, output } = await example('README.md', 'check.mjs')
      const constants = {
        network: `JSON.parse(${JSON.stringify(writeNetwork(chain.network))}, (_, value) => value ?? Infinity)`,
        beacon: JSON.stringify(server.url),
        checkpoint: JSON.stringify(checkpoint),
      }
      const [changed, count] = Object.entries(constants).reduce(
        ([text, found], [name, value]) => {
          const line = new RegExp(`^const ${name} = .*$`, 'm')
          return [text.replace(line, () => `const ${name} = ${value}`), found + Number(line.test(text))]
        },
        [code, 0],
      )
      expect(count).toBe(3)
      return { actual: await outputOf('check.mjs', changed), said: output }
    }

    it('prints what it says, against a server with a chain of its own', async () => {
      const { actual, said } = await printed(chain.checkpoint)
      expect(actual).toBe(said)
    })

    it('prints what it says of a checkpoint that is the newest final block', async () => {
      const answer = await fetch(`${server.url}/eth/v1/beacon/headers/finalized`)
      const { actual, said } = await printed(((await answer.json()) as { data: { root: string } }).data.root)
      expect(actual).toBe(said.replaceAll('sync committee verified', 'sync committee absent'))
      const sentence =
        /Where the newest final block is the checkpoint itself, `sync-committee`[^.]* is `absent`: (?:it|that header) rests/
      for (const page of ['README.md', 'docs/concepts/anchor.md', 'docs/reference/light-client.md'])
        expect([page, sentence.test(await read(page))]).toEqual([page, true])
    })
  })

  it('leads to an example on bundled data that prints what it says', async () => {
    const { code, output } = await example('docs/reference/verifier.md', 'first.mjs')
    expect(await outputOf('first.mjs', code)).toBe(output)
  })
})

it('docs/guides/wallet.md takes a blob to be proved by 128 proofs, no fewer and no more', async () => {
  const { code = '' } =
    fences(await read('docs/guides/wallet.md')).find(({ code }) => code.includes('isProved')) ?? {}
  // A blob of zeros is committed to by the point at infinity, which is each of its proofs, too.
  const { outputText } = ts.transpileModule(
    `${code}
    const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47))
    const isProvedBy = (count) => isProved(new Uint8Array(131_072), infinity, Array(count).fill(infinity))
    for (const count of [127, 128, 129]) console.log(count, await isProvedBy(count))
    await verifier.dispose()`,
    { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } },
  )
  expect(await outputOf('proved.mjs', outputText)).toBe('127 false\n128 true\n129 false\n')
})

it('docs/reference/verifier.md has every reason', async () => {
  const codesIn = (text: string, code: RegExp): string[] =>
    [...new Set([...text.matchAll(code)].map(([, name]) => name!))].sort()
  const source = await read('ts/src/verdict/reasons.ts')
  const [, section = ''] = /^## Reasons$(.*?)^## /ms.exec(await read('docs/reference/verifier.md')) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const named = codesIn(rows.join('\n').replaceAll(/mode: '\w+'/g, ''), /`([a-z]+(?:-[a-z]+)+|rlp)`/g)
  const known = codesIn(source.replaceAll(/^ \*.*$|\/\*\*.*/gm, ''), /'([a-z-]+)'/g)
  expect(named).toEqual(known)
})

describe('docs/reference names', async () => {
  const pages = await Promise.all((await pagesIn('docs/reference')).map(read))
  const { exports } = JSON.parse(await read('package.json')) as {
    readonly exports: Record<string, { readonly default?: string }>
  }
  const modules = Object.entries(exports).flatMap(([path, { default: file }]) =>
    file === undefined || path.endsWith('worker')
      ? []
      : [[path.replace('.', 'blobcheck'), pathToFileURL(join(root, file)).href] as const],
  )

  /** What is code in a page: a name may be a word of prose elsewhere. */
  const code = pages.flatMap((text) => text.match(/^```[\s\S]*?^```|`[^`\n]+`/gm)).join('\n')

  it.each(modules)('all that %s exports', async (_, address) => {
    const names = Object.keys((await import(address)) as object)
    expect(names.length).toBeGreaterThan(0)
    const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code)
    expect(names.filter((name) => !isNamed(name))).toEqual([])
  })
})

/** Which options the reference of an entry has to name: those of these interfaces. */
const OPTIONS: readonly (readonly [page: string, file: string, interfaces: readonly string[]])[] = [
  ['verifier', 'verifier/options.ts', ['VerifierOptions']],
  ['prover', 'prover/options.ts', ['ProverOptions', 'LoadProverOptions', 'CreateProverOptions']],
  ['light-client', 'light-client/options.ts', ['LightClientOptions']],
  ['sampler', 'sampler/options.ts', ['SamplerOptions', 'SampleOptions', 'FollowSlotsOptions']],
  ['blobs', 'blobs/options.ts', ['BlobSourceOptions']],
  ['networks', 'beacon/networks.ts', ['NetworkConfig']],
  ['serve', 'serve/synthetic/options.ts', ['MakeChainOptions']],
  ['serve', 'serve/real-chain.ts', ['RealChainOptions']],
  ['serve', 'serve/app.ts', ['BeaconAppOptions']],
  ['serve', 'serve/node.ts', ['ServeBeaconOptions']],
]

it.each(OPTIONS)('docs/reference/%s.md has a row for each option of %s', async (page, file, interfaces) => {
  const source = await read(`ts/src/${file}`)
  const options = interfaces.flatMap((name) => {
    const [, body = ''] = new RegExp(`^export interface ${name} [^{]*{\n([\\s\\S]*?)^}`, 'm').exec(source)!
    return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option]) => option!)
  })
  expect(options.length).toBeGreaterThan(0)
  const firstCells = [...(await read(`docs/reference/${page}.md`)).matchAll(/^\| ([^|]*) \|/gm)].map(
    ([, cell]) => cell!,
  )
  expect(options.filter((option) => !firstCells.some((cell) => cell.includes(`\`${option}\``)))).toEqual([])
})

it('docs/reference/serve.md has a row for each fault, with all of its fields', async () => {
  const source = await read('ts/src/serve/faults/faults.ts')
  const faults = [...source.matchAll(/readonly kind: '([\w-]+)'((?:[^}/]|\/\*\*.*\*\/)*)\}/g)].map(
    ([, kind, rest]) => [kind!, ...[...rest!.matchAll(/readonly (\w+)\??:/g)].map(([, field]) => field!)],
  )
  expect(faults.length).toBe(source.match(/readonly kind: /g)!.length)
  const rows = [...(await read('docs/reference/serve.md')).matchAll(/^\| `(\{ kind: [^|]*\})` \|/gm)].map(
    ([, cell]) => cell!,
  )
  for (const [kind, ...fields] of faults) {
    const row = rows.find((cell) => cell.includes(`kind: '${kind}'`))
    expect([kind, ...fields.filter((field) => row?.includes(`${field}:`))]).toEqual([kind, ...fields])
    expect([kind, row]).not.toEqual([kind, undefined])
  }
})

describe.each(pages)('%s', (page) => {
  it('has no link that leads nowhere', async () => {
    const text = (await read(page)).replace(/^```[\s\S]*?^```/gm, '')
    const dead: string[] = []
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, page) : join(root, dirname(page), path)
      if (!existsSync(target)) dead.push(link)
      else if (anchor !== undefined) {
        const headings = [...(await readFile(target, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(
          ([, heading = '']) => heading,
        )
        if (!headings.map(anchorOf).includes(anchor)) dead.push(link)
      }
    }
    expect(dead).toEqual([])
  })
})
