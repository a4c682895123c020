// `npm run docs` builds the documentation's site into `docs/.vitepress/dist`, and checks its links. `--dev` serves it while it is written,
// `--preview` serves what was built, and `--base /path/` is for a host that has it under a path of its own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from './install.mjs'
import { isMain } from './is-main.mjs'
import { checkLinks } from './links.mjs'
import { run } from './run.mjs'
import { buildModulesOrExit, prepareOrExit, root } from './setup.mjs'

const docs = join(root, 'docs')
const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js')

/** Where the site is built to. */
export const dist = join(docs, '.vitepress/dist')

/** Installs what the site is built with, apart from the other packages: nothing else needs it. */
export async function prepareDocs(log) {
  await installPackages(docs, () => log('what the documentation’s site is built with'))
}

/** Writes the reference out of the docstrings, and builds the site. */
export async function buildDocs(base = '/') {
  await writeReference()
  await run(process.execPath, [vitepress, 'build', docs], { cwd: docs, env: { BLOBCHECK_DOCS_BASE: base } })
}

async function writeReference() {
  await run(process.execPath, [join(docs, '.vitepress/api.mjs')], { cwd: docs })
}

async function main() {
  const { values } = parseArgs({
    options: {
      dev: { type: 'boolean', default: false },
      preview: { type: 'boolean', default: false },
      base: { type: 'string', default: '/' },
    },
  })
  if (!/^\/(.*\/)?$/.test(values.base)) throw new Error('--base begins and ends with a slash')
  await prepareOrExit()
  await buildModulesOrExit()
  await prepareDocs((step) => console.log(`set-up: ${step}`))
  if (values.dev || values.preview) {
    await writeReference()
    const child = spawn(process.execPath, [vitepress, values.dev ? 'dev' : 'preview', docs], {
      cwd: docs,
      stdio: 'inherit',
      env: { ...process.env, BLOBCHECK_DOCS_BASE: values.base },
    })
    process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 0)))
    return
  }
  await buildDocs(values.base)
  const { pages, links, dead } = checkLinks(dist, values.base)
  for (const { page, link, reason } of dead) console.error(`${page}: ${link}: ${reason}`)
  console.log(`${pages.length} pages in docs/.vitepress/dist, ${links} links, ${dead.length} of them dead`)
  if (dead.length > 0) process.exitCode = 1
}

if (isMain(import.meta.url)) {
  await main().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
