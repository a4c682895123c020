/** The documentation holds: README's first example prints what README says, and every link leads somewhere. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const pages = [
  ...(await readdir(root)).filter((name) => name.endsWith('.md')),
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

const read = (page: string): Promise<string> => readFile(join(root, page), 'utf8')

/** A heading's anchor, as pages of Markdown have it: lower case, words joined by hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

describe('README', () => {
  it('has at most 200 lines', async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  })

  it('has a first example that prints what it says', async () => {
    const readme = await read('README.md')
    const found = /^```js\n(?<code>[\s\S]*?)^```\n\n```\n(?<output>[\s\S]*?)^```/m.exec(readme)
    expect(found).not.toBeNull()
    const { code = '', output = '' } = found!.groups!
    // Inside this package, whose own name leads to the built files.
    const script = join(root, 'target/examples/first.mjs')
    await mkdir(dirname(script), { recursive: true })
    await writeFile(script, code)
    const { stdout } = await run(process.execPath, [script])
    expect(stdout).toBe(output)
  })
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
