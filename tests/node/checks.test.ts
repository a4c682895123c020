/** The cheap checks by themselves: what of their answers a message holds once. */
import { expect, it } from 'vitest'
import { kzgFiles } from '../../dist/kzg/files.js'
import { instantiate } from '../../dist/kzg/module.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { check } from '../../dist/verifier/checks/check.js'
import type { UncheckedItem } from '../../dist/verifier/checks/protocol.js'
import { makeBlob, makeCell } from '../support/make.ts'
import { commitmentOf, versionedHashOf } from '../support/blocks.ts'

it('links that are equal are one object, and others are not', async () => {
  const core = instantiate('simd128', await compileKernel('simd128', {}, kzgFiles))
  const blob = makeBlob(1)
  const named = { ...blob, versionedHash: await versionedHashOf(commitmentOf(1)) }
  const items = [
    { kind: 'cell', at: 0, item: { ...makeCell(1, 1) } },
    { kind: 'cell', at: 1, item: { ...makeCell(2, 2) } },
    { kind: 'blob', at: 2, item: named },
    { kind: 'cell', at: 3, item: { ...makeCell(3, 3), cellIndex: 128 } },
    { kind: 'blob', at: 4, item: named },
  ] as unknown as readonly UncheckedItem[]
  const [first, second, third, refused, last] = await check(core, {
    ...{ items, count: items.length, buffer: null, taken: [], unitBuffer: new ArrayBuffer(1 << 14) },
    ...{ anchor: { kind: 'none' }, network: new BigUint64Array(0), fork: 1, wantsHeaders: false },
  })
  expect(second!.links).toBe(first!.links)
  expect(refused).toMatchObject({ refusal: { status: 'malformed', reason: 'cell-index' } })
  expect(refused!.links).toBe(first!.links)
  expect(third!.links).toEqual({ ...first!.links, 'versioned-hash': 'verified' })
  expect(last!.links).toBe(third!.links)
})
