/** A network in the light client's words. */
import type { NetworkConfig } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { networkWords } from '../../dist/beacon/network-words.js'
import { networks } from '../../dist/beacon/networks.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'

const { mainnet } = networks
const signing = mainnet.signing
if (signing === undefined) throw new Error('mainnet can be followed')

describe('the words of a network for the light client', () => {
  it('end with those of the verifier', () => {
    for (const network of Object.values(networks)) {
      const words = lightClientWords(resolveNetwork(network))
      expect(words.slice(0, 2)).toEqual(BigUint64Array.of(512n, 256n))
      expect(words.slice(17)).toEqual(networkWords(resolveNetwork(network)))
    }
  })

  it('hold the root and the versions as big-endian numbers', () => {
    const words = lightClientWords(resolveNetwork(mainnet))
    expect(words[2]).toBe(0x4b363db94e286120n)
    expect(words[5]).toBe(0xcf5ad27f511bfe95n)
    expect([...words.slice(6, 9)]).toEqual([0n, 0x01000000n, 74240n])
  })

  it('are refused where something is missing or no hex', () => {
    const { signing: _, ...without } = mainnet
    const versions = (forkVersions: unknown): unknown => ({
      ...mainnet,
      signing: { ...signing, forkVersions },
    })
    const root = (genesisValidatorsRoot: unknown): unknown => ({
      ...mainnet,
      signing: { ...signing, genesisValidatorsRoot },
    })
    const { fulu: __, ...lacking } = signing.forkVersions
    const configs: [string, unknown][] = [
      ['no signing', without],
      ['no versions', versions(undefined)],
      ['a version missing', versions(lacking)],
      ['a version that is a number', versions({ ...signing.forkVersions, deneb: 4 })],
      ['a version of three bytes', versions({ ...signing.forkVersions, deneb: '0x040000' })],
      ['a root of 31 bytes', root(signing.genesisValidatorsRoot.slice(0, -2))],
      ['a root without 0x', root(signing.genesisValidatorsRoot.slice(2))],
      ['a root that is not hex', root(`0x${'zz'.repeat(32)}`)],
      ['a committee of a negative size', { ...mainnet, syncCommitteeSize: -1 }],
      [
        'a scheduled fork without a version',
        {
          ...mainnet,
          forkEpochs: { ...mainnet.forkEpochs, gloas: 500000 },
          signing: { ...signing, forkVersions: { ...signing.forkVersions, gloas: undefined } },
        },
      ],
    ]
    for (const [name, config] of configs) {
      expect(() => lightClientWords(resolveNetwork(config as NetworkConfig)), name).toThrow(TypeError)
    }
  })
})
