/** Anchors that are a block: a copy of what the caller gave, what is asked of who decodes it, and the list that comes of it. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { CRASHED, DisposedError } from '../../dist/runtime/errors.js'
import { OnDemand } from '../../dist/runtime/on-demand.js'
import { BlockAnchors, readBlockAnchor } from '../../dist/verifier/block-anchor.js'

afterEach(() => void vi.restoreAllMocks())

const network = resolveNetwork('mainnet')
type Links = NonNullable<Parameters<typeof readBlockAnchor>[1]>['links']
const proven: Links = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'trusted' }
const root = new Uint8Array(32).fill(3)
const block = Uint8Array.of(1, 2, 3)

/** Anchors whose blocks are decoded into this. */
function make(answer: object | typeof CRASHED) {
  const read = vi.fn(async (_: Uint8Array | string, __: Uint8Array | null) => answer)
  const get = vi.spyOn(OnDemand.prototype, 'get').mockResolvedValue({ read, dispose: () => {} })
  const options = { network, worker: false, wasm: {}, onCrash: () => {}, onWarning: undefined }
  return { anchors: new BlockAnchors(options), read, get }
}
const decoded = { commitments: ['ab', 'cd'], header: new Uint8Array(112) }

describe('a block', () => {
  it('is the caller’s no more once it has been read', () => {
    const own = block.slice()
    const anchor = readBlockAnchor(own, null, network)
    own.fill(9)
    expect(anchor).toEqual({ kind: 'block', block, header: null })
    expect(readBlockAnchor('{"version":"fulu"}', null, network).block).toBe('{"version":"fulu"}')
  })

  it.each([
    ['an ArrayBuffer', block.buffer],
    ['a DataView', new DataView(block.buffer)],
    ['another array of numbers', new Uint16Array(3)],
    ['null', null],
    ['a number', 7],
    ['a Proxy that throws', new Proxy({}, { has: () => expect.unreachable() })],
  ])('is not %s', (_, given) => {
    expect(() => readBlockAnchor(given as never, null, network)).toThrow(TypeError)
  })

  it('becomes the list of its commitments, which is believed as it was given', async () => {
    const { anchors, read } = make(decoded)
    expect(await anchors.resolve(readBlockAnchor(block, null, network))).toEqual({
      kind: 'commitments',
      commitments: decoded.commitments,
      block: {
        header: decoded.header,
        links: { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent', inclusion: 'verified' },
      },
    })
    expect(read.mock.calls).toEqual([[block, null, null]])
  })

  it('is held against the header that it must have, whose links its list inherits', async () => {
    const { anchors, read } = make(decoded)
    const anchor = readBlockAnchor('text', { header: root, links: proven }, network)
    expect(await anchors.resolve(anchor)).toMatchObject({
      block: { links: { ...proven, inclusion: 'verified' } },
    })
    expect(read.mock.calls).toEqual([['text', root, null]])
  })

  it('that workers die of is no anchor', async () => {
    const { anchors } = make(CRASHED)
    expect(await anchors.resolve(readBlockAnchor(block, null, network))).toBe(CRASHED)
  })

  it('is not decoded any more once the verifier is disposed of', async () => {
    const { anchors, get } = make(decoded)
    get.mockRestore()
    anchors.dispose()
    await expect(anchors.resolve(readBlockAnchor(block, null, network))).rejects.toThrow(DisposedError)
  })
})

it('an anchor that is none is left as it is, and nothing is loaded for it', async () => {
  const { anchors, get } = make(decoded)
  for (const anchor of [
    { kind: 'none' },
    { kind: 'header', header: root, links: proven },
    { kind: 'versioned-hashes', hashes: ['ab'] },
    { kind: 'commitments', commitments: ['ab'] },
  ] as const)
    expect(await anchors.resolve(anchor)).toBe(anchor)
  expect(get).not.toHaveBeenCalled()
})
