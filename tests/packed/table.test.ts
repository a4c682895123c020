/** The table of docs/consumers.md: each row has its test, each test its row, and each recipe a row. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { consumers } from '../support/consumer-list.ts'
import { consumersPage, pageWithTable } from '../support/consumer-table.ts'
import { recipeNames } from '../support/recipes.ts'

it('shows what the tests say (npx vitest run --project packed tests/packed/table.test.ts -u writes it)', async () => {
  await expect(await pageWithTable()).toMatchFileSnapshot(consumersPage)
})

it('has one test for each row', async () => {
  const folder = new URL('.', import.meta.url)
  const tests = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'))
  const texts = await Promise.all(tests.map((name) => readFile(new URL(name, folder), 'utf8')))
  // Each test is declared by `testConsumer`, with its name or with those of a list.
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/\btestConsumer\('([^']+)'/g)].map(([, name]) => name!),
    ...[...text.matchAll(/: ConsumerId\[\] = \[([^\]]*)\]/g)].flatMap(
      ([, list]) => list!.match(/[\w-]+/g) ?? [],
    ),
  ])
  for (const id of Object.keys(consumers))
    expect([id, named.filter((name) => name === id)]).toEqual([id, [id]])
})

it('has a row for each recipe', () => {
  const used = Object.values(consumers).map(({ recipe }) => recipe)
  for (const name of recipeNames) expect(used).toContain(name)
})
