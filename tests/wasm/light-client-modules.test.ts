/** The light client's modules as they are built: what their numbers mean, and signatures alone, in both. */
import { describe, expect, it } from 'vitest'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { networks } from '../../dist/beacon/networks.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { concat, flip, fromHex } from '../support/bytes.ts'
import { listVectors, readValue } from '../support/files.ts'
import { lightClientModules } from '../support/light-client.ts'
import { mainnet, sepolia, thrown } from '../support/module-calls.ts'

const modules = await lightClientModules()

describe.each(modules)('the light client’s module $name', ({ module }) => {
  it('computes as its variant must', () => {
    expect(module.fused()).toBe(true)
  })

  it('gives each code a name and a stage', () => {
    const codes = Array.from(module.reasonCodes())
    const names = codes.map((code) => module.reasonName(code))
    expect(codes.every((code) => code >= 192 && code <= 254)).toBe(true)
    expect(new Set(names).size).toBe(codes.length)
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    const stages = new Set(codes.map((code) => module.reasonStage(code)))
    expect([...stages].sort()).toEqual([
      'anchor',
      'encoding',
      'inclusion',
      'protocol',
      'signature',
      'structure',
    ])
    expect([module.reasonName(0), module.reasonStage(1), module.reasonName(255)]).toEqual(['', '', ''])
  })

  it('knows digests and forks of the networks by name', () => {
    // Seen in recorded streams, or computed by another program.
    const digests = {
      mainnet: ['bba4da96', '6a95a1a9', 'ad532ceb', 'cc2c5cdb', 'cb0d1acc', '8c9f62fe', 'ce2153ed'],
      sepolia: ['', 'd31f6191', '14045b5a', '7e0d3447', 'fd32b622', '74d01459', '669e6c11'],
      hoodi: ['', 'd2f1997f', '82556a32', 'e2abcca4', 'ae9f70a0', 'c6ecb76c', '5ad30129'],
      plataberget: ['', '', '', '', '', '5c943807', '98c910cf'],
    } as const
    for (const [name, list] of Object.entries(digests) as [keyof typeof digests, readonly string[]][]) {
      // As if Gloas had a date everywhere: a fork without one has no digest yet.
      const forkEpochs = { gloas: 900_000, ...networks[name].forkEpochs }
      const words = lightClientWords(resolveNetwork({ ...networks[name], forkEpochs }))
      const forks = [1, 2, 3, 4, 4, 4, 5]
      const found = list.map((digest, at) =>
        digest === '' ? forks[at] : module.forkOfDigest(words, fromHex(digest)),
      )
      expect(found).toEqual(forks)
      expect(module.forkOfDigest(words, new Uint8Array(4))).toBeUndefined()
      expect(module.forkOfDigest(words, new Uint8Array(5))).toBeUndefined()
    }
    expect(module.forkOfDigest(mainnet, fromHex('ce2153ed'))).toBeUndefined()
    expect(module.forkAtSlot(mainnet, 74239n * 32n)).toBeUndefined()
    const epochs = [74240n, 144896n, 194048n, 269568n, 364032n, 411392n]
    expect(epochs.map((epoch) => module.forkAtSlot(mainnet, epoch * 32n))).toEqual([0, 0, 1, 2, 3, 4])
    expect([11_296_767n, 11_296_768n].map((slot) => module.forkAtSlot(sepolia, slot))).toEqual([4, 5])
    const heze = { ...networks.sepolia, forkEpochs: { ...networks.sepolia.forkEpochs, heze: 400_000 } }
    const words = lightClientWords(resolveNetwork(heze))
    const around = [12_799_999n, 12_800_000n, 2n ** 64n - 1n]
    expect(around.map((slot) => module.forkAtSlot(words, slot))).toEqual([5, undefined, undefined])
    const undated = { ...networks.mainnet, forkEpochs: { ...networks.mainnet.forkEpochs, heze: 500_000 } }
    const itsWords = lightClientWords(resolveNetwork(undated))
    expect([15_999_999n, 16_000_000n].map((slot) => module.forkAtSlot(itsWords, slot))).toEqual([
      4,
      undefined,
    ])
  })

  it('throws codes for what is no network, store, fork or object', () => {
    const store = new Uint8Array(100)
    expect(thrown(module, () => module.storeView(mainnet.slice(1), store))).toEqual(['network-config', 0])
    expect(thrown(module, () => module.storeView(mainnet, store))).toEqual(['store-encoding', 0])
    expect(thrown(module, () => module.forceUpdate(mainnet, store, 0n))).toEqual(['store-encoding', 0])
    const initialize = (fork: number, root: number): unknown =>
      module.initializeStore(mainnet, fork, new Uint8Array(root), new Uint8Array(9))
    expect(thrown(module, () => initialize(6, 32))).toEqual(['unsupported-fork', 0])
    expect(thrown(module, () => initialize(5, 32))).toEqual(['object-length', 0])
    expect(thrown(module, () => initialize(3, 32))).toEqual(['object-length', 0])
    expect(thrown(module, () => initialize(3, 31))).toEqual(['trusted-root-mismatch', 0])
    expect(thrown(module, () => module.isBetterUpdate(mainnet, 3, store, 3, store))).toEqual([
      'object-length',
      0,
    ])
    for (const kind of [0, 1, 2])
      expect(thrown(module, () => module.updateView(mainnet, kind, 3, store))).toEqual(['object-length', 0])
    expect(thrown(module, () => module.updateView(mainnet, 3, 3, store))).toEqual(['unsupported-fork', 0])
  })

  it('follows parents', () => {
    const parent = new Uint8Array(112).fill(3)
    const child = new Uint8Array(112).fill(4)
    child.set(module.headerRoot(parent), 16)
    const trusted = new Uint8Array(112)
    trusted.set(module.headerRoot(child), 16)
    const roots = concat(module.headerRoot(child), module.headerRoot(parent))
    expect(module.parentChain(trusted, concat(child, parent))).toEqual(roots)
    expect(thrown(module, () => module.parentChain(trusted, concat(child, flip(parent, 80))))).toEqual([
      'parent-mismatch',
      1,
    ])
    expect(thrown(module, () => module.parentChain(trusted, child.slice(1)))).toEqual(['object-length', 0])
    for (const length of [0, 111, 113])
      expect(thrown(module, () => module.headerRoot(new Uint8Array(length)))).toEqual(['object-length', 0])
  })

  it('answers the BLS vectors', async () => {
    const cases = async <Output = boolean>(
      name: string,
    ): Promise<{ input: Record<string, string>; output: Output }[]> =>
      await Promise.all(
        (await listVectors(`bls/${name}`)).map(
          async (file) => await readValue<never>(`vectors/bls/${name}/${file}`),
        ),
      )
    for (const { input, output } of await cases('verify')) {
      const { pubkey = '', message = '', signature = '' } = input
      expect(module.verifySignature(fromHex(pubkey), fromHex(message), fromHex(signature))).toBe(output)
    }
    for (const { input, output } of await cases('fast_aggregate_verify')) {
      const { pubkeys, message = '', signature = '' } = input
      const keys = concat(...(pubkeys as unknown as string[]).map(fromHex))
      expect(module.fastAggregateVerify(keys, fromHex(message), fromHex(signature))).toBe(output)
      expect(module.fastAggregateVerify(keys.slice(1), fromHex(message), fromHex(signature))).toBe(false)
    }
    expect(module.verifySignature(new Uint8Array(47), new Uint8Array(32), new Uint8Array(96))).toBe(false)
    for (const { input, output } of await cases('deserialization_G1'))
      expect(module.isPointOfG1(fromHex(input['pubkey'] ?? ''))).toBe(output)
    for (const { input, output } of await cases('deserialization_G2'))
      expect(module.isPointOfG2(fromHex(input['signature'] ?? ''))).toBe(output)
    const tag = new TextEncoder().encode('QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_')
    for (const { input, output } of await cases<{ x: string }>('hash_to_G2')) {
      const point = module.hashToG2(new TextEncoder().encode(input['msg'] ?? ''), tag)
      expect(module.isPointOfG2(point)).toBe(true)
      // Compressed: x as c1 ‖ c0, with flags in the first three bits. The vectors have "c0,c1".
      const [c0 = '', c1 = ''] = output.x.split(',')
      point[0]! &= 0x1f
      expect(point).toEqual(concat(fromHex(c1), fromHex(c0)))
    }
  })

  it('verifies proposers’ signatures', async () => {
    interface Block {
      proposer_pubkey: string
      signed_block_header: { message: Record<string, string>; signature: string }
    }
    const file = 'vectors/real/sepolia_fulu_headers_commitments_proofs.json'
    const blocks = await readValue<Block[]>(file)
    expect(blocks.length).toBeGreaterThan(0)
    for (const { proposer_pubkey, signed_block_header } of blocks) {
      const { message, signature } = signed_block_header
      const roots = ['parent_root', 'state_root', 'body_root'].map((key) => fromHex(message[key] ?? ''))
      const numbers = BigUint64Array.of(BigInt(message['slot'] ?? 0), BigInt(message['proposer_index'] ?? 0))
      const header = concat(new Uint8Array(numbers.buffer), ...roots, fromHex(signature))
      const key = fromHex(proposer_pubkey)
      expect(module.verifyProposerSignature(sepolia, key, header)).toBe(true)
      expect(module.verifyProposerSignature(mainnet, key, header)).toBe(false)
      expect(module.verifyProposerSignature(sepolia, key, flip(header, 8))).toBe(false)
      expect(module.verifyProposerSignature(sepolia, key, header.slice(1))).toBe(false)
    }
  })
})
