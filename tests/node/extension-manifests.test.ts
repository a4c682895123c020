/** The manifests of the guide and of the example are ones that Firefox takes, too; in Chromium, tests/packed runs the example. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findFirefox } from '../../scripts/engines.mjs'
import { fences } from '../../scripts/examples.mjs'
import { engines } from '../support/engines/engines.ts'
import { FirefoxDriver } from '../support/engines/firefox.ts'

const read = async (path: string): Promise<string> =>
  await readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

it.skipIf(!engines.some(({ name, isHere }) => name === 'Firefox' && isHere))(
  'are installed by Firefox',
  async () => {
    const guide = fences(await read('docs/guides/extension.md')).find(({ lang }) => lang === 'json')!.code
    const example = await read('examples/extension-mv3/extension/manifest.json')
    const firefox = await FirefoxDriver.start(findFirefox()!)
    try {
      for (const manifest of [guide, example]) {
        const folder = await mkdtemp(join(tmpdir(), 'blobcheck-extension-'))
        await writeFile(join(folder, 'manifest.json'), manifest)
        for (const name of ['background.js', 'popup.html']) await writeFile(join(folder, name), '')
        await expect(firefox.install(folder)).resolves.toBeUndefined()
        await rm(folder, { recursive: true })
      }
    } finally {
      await firefox.close()
    }
  },
)
