/** Who hashes what is long, and that it changes nothing: the platform, the module, and both of them in one call. */
import { createVerifier, type Verdict } from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import { loadKzg } from 'blobcheck/kzg'
import { hashBodies, identify } from '../../dist/verifier/checks/unit.js'
import { challengeHashes } from '../../dist/kzg/challenge-hash.js'
import { inBrowser } from '../support/files.ts'
import { startCore } from '../support/internals.ts'
import { makeBadBlob, makeBlob, makeCell, range } from '../support/make.ts'
import { sha256 } from '../support/ssz.ts'
import { concat } from '../support/bytes.ts'

const original = globalThis.crypto.subtle
const replaceSubtle = (subtle: unknown): void =>
  void Object.defineProperty(crypto, 'subtle', { configurable: true, value: subtle })

afterEach(() => void Reflect.deleteProperty(crypto, 'subtle'))

/** Bytes that look like a unit of that kind; hashing reads no more of it. */
const unitOf = (kind: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at === 0 ? kind : (at * 7 + length) % 256))

/** What of a unit is hashed by itself: all but its kind, and the commitment of a blob. */
const bodyOf = (unit: Uint8Array): Uint8Array<ArrayBuffer> => unit.slice(unit[0] === 1 ? 49 : 1)

describe('hashes of bodies', () => {
  const lengths = [50, 2_148, 16_383, 16_384, 16_385, 131_201, 150_000]
  const units = lengths.flatMap((length) => [1, 2, 3].map((kind) => unitOf(kind, length)))
  const hashed = Promise.all(units.map(async (unit) => new Uint8Array(await sha256(bodyOf(unit)))))

  it.each(inBrowser ? (['as it is', 'without', 'failing'] as const) : (['as it is'] as const))(
    'are SHA-256 of all but the head, in order, with the platform’s hash %s',
    async (platform) => {
      if (platform === 'without') replaceSubtle(undefined)
      if (platform === 'failing') replaceSubtle({ digest: () => Promise.reject(new Error('no')) })
      const core = await startCore()
      const hashes = hashBodies(core)
      units.forEach((unit) => hashes.begin(unit))
      expect(await hashes.finish()).toEqual(await hashed)
      expect(await hashBodies(core).finish()).toEqual([])
    },
  )

  const answerOf = async (bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await sha256(bytes.slice()))
  const refuse = async (): Promise<never> => await Promise.reject(new Error('no'))
  it.each([
    ['one that promises', answerOf],
    ['one that fails', refuse],
    ['none', null],
  ])('are the same with %s, which is asked for what is long alone', async (_, answer) => {
    const core = await startCore()
    for (const some of [units, units.slice(0, 1), units.slice(-1)]) {
      const asked: Uint8Array[] = []
      const sha256 = (bytes: Uint8Array): Promise<Uint8Array> => {
        asked.push(bytes.slice())
        return answer!(bytes)
      }
      const hashes = hashBodies(core, answer && { name: 'webcrypto', sha256, now: null })
      some.forEach((unit) => hashes.begin(unit))
      const expected = some.map((unit) => units.indexOf(unit))
      expect(await hashes.finish()).toEqual((await hashed).filter((_, at) => expected.includes(at)))
      const long = some.filter(({ length }) => length >= 16_384)
      expect(asked).toEqual(answer === null ? [] : long.map(bodyOf))
    }
  })
})

describe('the digest of a unit', () => {
  it('depends on its kind, each byte of its head, and the hash of its body', async () => {
    const core = await startCore()
    const hash = Uint8Array.from({ length: 32 }, (_, at) => at)
    const digests = [1, 2, 3].flatMap((kind) => {
      const length = kind === 1 ? 49 : 1
      const digestOf = (at: number, itsHash = hash): string => {
        const bytes = new Uint8Array(200)
        const unit = bytes.subarray(0, 100)
        unit.set(unitOf(kind, 100))
        if (at > 0) unit[at]! ^= 1
        const identified = identify(core, unit, itsHash)
        expect(identified.kind).toBe(kind)
        expect(identified.bytes).toEqual(concat(unit, itsHash))
        return identified.digest
      }
      const changed = range(length).map((at) => digestOf(at))
      // What follows the head is in the hash.
      expect(digestOf(length)).toBe(changed[0])
      return [...changed, digestOf(0, hash.slice().reverse())]
    })
    expect(new Set(digests).size).toBe(digests.length)
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is none without the hash, or with bytes that are none', async () => {
    const core = await startCore()
    for (const hash of [undefined, new Uint8Array(0), new Uint8Array(31), new Uint8Array(33)])
      expect(() => identify(core, new Uint8Array(200).subarray(0, 100), hash)).toThrow('was not hashed')
  })
})

describe('the specification’s functions', () => {
  const [first, second] = [makeBlob(1), makeBlob(2)] as const
  const commitments = [first, second].map(({ commitment }) => commitment as Uint8Array)
  const blobs = [first, second].map(({ blob }) => blob)
  const none = new Uint8Array(0)

  it('say who hashes: whoever answers at once', async () => {
    expect((await loadKzg()).hashing).toBe(inBrowser ? 'wasm' : 'node')
  })

  it('get what compute_challenge hashes, or leave it to the module', async () => {
    const degree = Uint8Array.from({ length: 16 }, (_, at) => (at === 14 ? 16 : 0))
    const expected = await Promise.all(
      blobs.map((blob, at) =>
        sha256(concat(new TextEncoder().encode('FSBLOBVERIFY_V1_'), degree, blob, commitments[at]!)),
      ),
    )
    expect(challengeHashes(blobs, commitments)).toEqual(inBrowser ? none : concat(...expected))
    expect(challengeHashes([], [])).toEqual(none)
  })

  it('leave it to the module where a length is wrong, or another thread could write meanwhile', () => {
    // A page that is not isolated from others has none.
    const Shared = globalThis.SharedArrayBuffer ?? ArrayBuffer
    const shared = new Uint8Array(new Shared(131_072))
    for (const [ofBlobs, ofCommitments] of [
      [blobs, commitments.slice(1)],
      [[blobs[0]!, blobs[1]!.subarray(1)], commitments],
      [blobs, [commitments[0]!, commitments[1]!.subarray(1)]],
      [[blobs[0]!, shared], commitments],
    ] as const)
      expect(challengeHashes(ofBlobs, ofCommitments)).toEqual(none)
  })
})

describe('a verifier', () => {
  const items = [...range(5).map((at) => makeBlob(at + 1)), makeBadBlob(9), makeBlob(1)]
  const ask = async (): Promise<{ hashing: string; verdicts: Verdict[] }> => {
    const verifier = await createVerifier({ workers: 0, cache: false })
    const verdicts = [
      ...(await verifier.verifyBlobs(items)),
      ...(await verifier.verifyCells([makeCell(1, 1), makeCell(2, 2)])),
    ]
    const { hashing } = verifier
    await verifier.dispose()
    return { hashing, verdicts }
  }

  it('says who hashes', async () => {
    const { hashing, verdicts } = await ask()
    expect(hashing).toBe(inBrowser ? 'webcrypto' : 'node')
    expect(verdicts.map(({ status }) => status)).toEqual([
      ...Array<string>(5).fill('valid'),
      'invalid',
      ...Array<string>(3).fill('valid'),
    ])
  })

  // Node's hash is no property of a global that could be taken away.
  if (inBrowser)
    it('comes to the same verdicts and digests where the page has no WebCrypto', async () => {
      const { verdicts } = await ask()
      replaceSubtle(undefined)
      expect(await ask()).toEqual({ hashing: 'wasm', verdicts })
      Reflect.deleteProperty(crypto, 'subtle')
      expect(crypto.subtle).toBe(original)
    })
})
