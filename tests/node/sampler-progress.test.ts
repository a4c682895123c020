/** Where a sample stands, counted from its events. */
import type { SampleProgress } from 'blobcheck/sampler'
import { expect, it } from 'vitest'
import { counting } from '../../dist/sampler/progress.js'

it('is the columns that are done, of those that were chosen so far, between the block and the report', () => {
  const told: SampleProgress[] = []
  const tell = counting((progress) => told.push(progress))
  const column = { kind: 'column', column: 7 } as never
  for (const event of [
    { kind: 'block' } as never,
    { kind: 'chosen', columns: [7, 8, 9] } as never,
    column,
    { kind: 'fetched' } as never,
    column,
    { kind: 'chosen', columns: [10] } as never,
    column,
    { kind: 'done' } as never,
  ])
    tell(event)
  expect(told.map(({ kind, stage, done, total }) => [kind, stage, done, total])).toEqual([
    ['block', 'block', 1, 1],
    ['chosen', 'columns', 0, 3],
    ['column', 'columns', 1, 3],
    ['fetched', 'columns', 1, 3],
    ['column', 'columns', 2, 3],
    ['chosen', 'columns', 2, 4],
    ['column', 'columns', 3, 4],
    ['done', 'report', 1, 1],
  ])
  // Each with what its event says.
  expect(told[1]).toMatchObject({ columns: [7, 8, 9] })
})
