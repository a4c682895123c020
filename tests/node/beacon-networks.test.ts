/** Configs of networks: those that make sense pass, and any other is a `TypeError` that names the field, wherever it is handed in. */
import { createVerifier, type NetworkConfig, networks } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { describe, expect, it } from 'vitest'
import { forkOfBlock } from '../../dist/beacon/block/fork.js'
import { isForkToCome } from '../../dist/beacon/consensus-version.js'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { networkWords } from '../../dist/beacon/network-words.js'
import { forkAtTimestamp } from '../../dist/beacon/execution-forks.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { DataSchedule } from '../../dist/block-data/schedule.js'
import { madeNetwork } from '../../dist/serve/networks.js'
import { minimal } from '../support/minimal.ts'

const good = { ...networks.mainnet, blobSchedule: [{ epoch: 500_000, maxBlobsPerBlock: 15 }] }
const { forkEpochs } = good
const signing = good.signing!
const entry = { epoch: 1, maxBlobsPerBlock: 9 }

const bad: Readonly<Record<string, readonly [field: RegExp, change: object]>> = {
  'no genesis time': [/genesisTime/, { genesisTime: undefined }],
  'a genesis before 1970': [/genesisTime/, { genesisTime: -1 }],
  'a genesis time that is no integer': [/genesisTime/, { genesisTime: 1.5 }],
  'a genesis that never comes': [/genesisTime/, { genesisTime: Infinity }],
  'slots of no length': [/length 0/, { secondsPerSlot: 0 }],
  'slots without end': [/secondsPerSlot/, { secondsPerSlot: Infinity }],
  'epochs of no length': [/length 0/, { slotsPerEpoch: 0 }],
  'epochs without end': [/slotsPerEpoch/, { slotsPerEpoch: Infinity }],
  'epochs of a length that is text': [/slotsPerEpoch/, { slotsPerEpoch: '32' }],
  'a genesis in a time that no clock has': [/genesisTime/, { genesisTime: 2 ** 38 + 1 }],
  'slots of eight thousand years': [/secondsPerSlot/, { secondsPerSlot: 2 ** 38 + 1 }],
  'epochs of more than a million slots': [/slotsPerEpoch/, { slotsPerEpoch: 2 ** 20 + 1 }],
  'no forks': [/forkEpochs, an object/, { forkEpochs: undefined }],
  'forks as a list': [/forkEpochs, an object/, { forkEpochs: [] }],
  'forks that are a number': [/forkEpochs, an object/, { forkEpochs: 5 }],
  'a fork that is missing': [/forkEpochs.electra/, { forkEpochs: { deneb: 0, fulu: 0 } }],
  'a fork at a negative epoch': [/forkEpochs.capella/, { forkEpochs: { ...forkEpochs, capella: -1 } }],
  'a fork at no number': [/forkEpochs.deneb/, { forkEpochs: { ...forkEpochs, deneb: NaN } }],
  'a fork before the one before it': [/fulu.*electra/, { forkEpochs: { ...forkEpochs, fulu: 364_031 } }],
  'no limits': [/maxBlobsPerBlock/, { maxBlobsPerBlock: null }],
  'limits that are none': [/maxBlobsPerBlock/, { maxBlobsPerBlock: 6 }],
  'a limit that is text': [/maxBlobsPerBlock.deneb/, { maxBlobsPerBlock: { deneb: '6', electra: 9 } }],
  'a limit that is missing': [/maxBlobsPerBlock.electra/, { maxBlobsPerBlock: { deneb: 6 } }],
  'more blobs than a list holds': [
    /maxBlobsPerBlock/,
    { blobSchedule: [{ epoch: 1, maxBlobsPerBlock: 4_097 }] },
  ],
  'blobs without limit': [/maxBlobsPerBlock/, { blobSchedule: [{ epoch: 1, maxBlobsPerBlock: Infinity }] }],
  'a schedule that is no list': [/blobSchedule/, { blobSchedule: {} }],
  'a hole in the schedule': [/blobSchedule\[0\]/, { blobSchedule: Array.from({ length: 1 }) }],
  'an entry without an epoch': [
    /blobSchedule\[1\].epoch/,
    { blobSchedule: [entry, { maxBlobsPerBlock: 9 }] },
  ],
  'two entries of one epoch': [
    /two entries of epoch 1/,
    { blobSchedule: [entry, { ...entry, maxBlobsPerBlock: 6 }] },
  ],
  'one entry twice': [/two entries of epoch 1/, { blobSchedule: [entry, entry] }],
  'two entries that never come': [
    /two entries of epoch Infinity/,
    {
      blobSchedule: [
        { ...entry, epoch: Infinity },
        { ...entry, epoch: Infinity },
      ],
    },
  ],
  'a genesis root that is too short': [
    /genesisValidatorsRoot/,
    { signing: { ...signing, genesisValidatorsRoot: '0x12' } },
  ],
  'signing that is none': [/needs signing, an object/, { signing: 5 }],
  'no versions': [
    /signing.forkVersions, an object/,
    { signing: { genesisValidatorsRoot: signing.genesisValidatorsRoot } },
  ],
  'a version of five bytes': [
    /forkVersions.deneb/,
    { signing: { ...signing, forkVersions: { ...signing.forkVersions, deneb: '0x0400000000' } } },
  ],
  'a version of a fork to come that is none': [
    /forkVersions.gloas/,
    { signing: { ...signing, forkVersions: { ...signing.forkVersions, gloas: '0x12' } } },
  ],
  'a fork that is scheduled without a version': [
    /forkVersions.gloas/,
    {
      forkEpochs: { ...forkEpochs, gloas: 600_000 },
      signing: { ...signing, forkVersions: { ...signing.forkVersions, gloas: undefined } },
    },
  ],
  'a fork to come at no epoch': [/forkEpochs.heze/, { forkEpochs: { ...forkEpochs, heze: -1 } }],
  'a fork to come before Gloas': [
    /forkEpochs.heze cannot be before gloas/,
    { forkEpochs: { ...forkEpochs, gloas: 600_000, heze: 500_000 } },
  ],
  'a fork to come before Fulu, where Gloas has no date': [
    /forkEpochs.heze cannot be before fulu/,
    { forkEpochs: { ...forkEpochs, heze: 411_391 } },
  ],
  'a committee of nobody': [/syncCommitteeSize/, { syncCommitteeSize: 0 }],
  'a committee that no bits are for': [/syncCommitteeSize/, { syncCommitteeSize: 33 }],
  'periods of more than a million epochs': [
    /epochsPerSyncCommitteePeriod/,
    { epochsPerSyncCommitteePeriod: 2 ** 20 + 1 },
  ],
  'periods of no length': [/epochsPerSyncCommitteePeriod/, { epochsPerSyncCommitteePeriod: 0 }],
  'data that is kept for less than no time': [/dataRetentionEpochs/, { dataRetentionEpochs: -1 }],
  'data that is kept for half an epoch': [/dataRetentionEpochs/, { dataRetentionEpochs: 0.5 }],
  'data that is kept for ever': [/dataRetentionEpochs/, { dataRetentionEpochs: Infinity }],
  'data that is kept for a time in words': [/dataRetentionEpochs/, { dataRetentionEpochs: '4096' }],
}

describe('a config of a network', () => {
  it.each(Object.entries(bad))(
    'that has %s is refused, and the field named',
    async (_name, [field, change]) => {
      const network = { ...good, ...change } as NetworkConfig
      expect(() => resolveNetwork(network)).toThrow(TypeError)
      expect(() => resolveNetwork(network)).toThrow(field)
    },
  )

  it('is refused by the entries, before anything is started or asked', async () => {
    const network = { ...good, blobSchedule: [entry, entry] }
    await expect(createVerifier({ network, workers: 0 })).rejects.toThrow('two entries of epoch 1')
    const fetch = (): never => expect.unreachable()
    const options = { network, checkpoint: `0x${'11'.repeat(32)}`, beacon: 'http://a.example', fetch }
    await expect(LightClient.fromCheckpoint(options)).rejects.toThrow('two entries of epoch 1')
  })

  it('that makes sense is read as it is', () => {
    const made = madeNetwork({
      ...{ genesisTime: 1, secondsPerSlot: 2, slotsPerEpoch: 8, epochsPerSyncCommitteePeriod: 8 },
      ...{ syncCommitteeSize: 32, maxBlobsPerBlock: 4_096 },
    })
    const never = minimal({}, `0x${'00'.repeat(32)}`)
    const unordered = [{ ...entry, epoch: Infinity }, { ...entry, epoch: 7 }, entry]
    const few = { genesisTime: 0, forkEpochs: { deneb: 0, electra: 0, fulu: Infinity } }
    const configs = [...Object.values(networks), made, never, few, { ...good, blobSchedule: unordered }]
    for (const config of configs) {
      const resolved = resolveNetwork(config)
      expect(resolved).toMatchObject(config)
      expect(resolveNetwork(resolved)).toEqual(resolved)
    }
  })

  it('has each field that has a default', () => {
    const forkEpochs = { altair: undefined, deneb: 5, electra: 6, fulu: Infinity } as never
    expect(resolveNetwork({ genesisTime: 1, forkEpochs })).toEqual({
      genesisTime: 1,
      ...{ secondsPerSlot: 12, slotsPerEpoch: 32, syncCommitteeSize: 512, epochsPerSyncCommitteePeriod: 256 },
      dataRetentionEpochs: 4_096,
      forkEpochs: {
        ...{ altair: 0, bellatrix: 0, capella: 0, deneb: 5, electra: 6 },
        ...{ fulu: Infinity, gloas: Infinity },
      },
      unsupportedForkEpoch: Infinity,
      maxBlobsPerBlock: { deneb: 6, electra: 9 },
      blobSchedule: [],
    })
  })

  it('keeps the forks that are not known, and the earliest epoch of one', () => {
    const epochs = { ...forkEpochs, gloas: 600_000, lstar: 800_000, heze: 700_000 }
    const resolved = resolveNetwork({ ...good, forkEpochs: epochs })
    expect(resolved.unsupportedForkEpoch).toBe(700_000)
    expect(resolveNetwork(resolved)).toEqual(resolved)
    expect(networkWords(resolved)[5]).toBe(700_000n)
    expect(lightClientWords(resolved)[17 + 5]).toBe(700_000n)
    // Also where Gloas, which comes before them, has no date yet.
    for (const heze of [500_000, forkEpochs.fulu]) {
      const undated = resolveNetwork({ ...good, forkEpochs: { ...forkEpochs, heze } })
      expect([undated.forkEpochs.gloas, undated.unsupportedForkEpoch]).toEqual([Infinity, heze])
      expect(resolveNetwork(undated)).toEqual(undated)
      expect(networkWords(undated).slice(4, 6)).toEqual(BigUint64Array.of(2n ** 64n - 1n, BigInt(heze)))
    }
    const never = resolveNetwork({ ...good, forkEpochs: { ...forkEpochs, heze: Infinity } })
    expect([never.unsupportedForkEpoch, networkWords(never)[5]]).toEqual([Infinity, 2n ** 64n - 1n])
  })

  it('says of no slot from such a fork on that it is of Fulu, where Gloas has no date', () => {
    const network = resolveNetwork({
      ...networks.hoodi,
      forkEpochs: { ...networks.hoodi.forkEpochs, heze: 500_000 },
    })
    const [before, first] = [500_000 * 32 - 1, 500_000 * 32]
    const schedule = new DataSchedule(network)
    expect([before, first].map((slot) => schedule.form(slot))).toEqual(['columns', 'unsupported'])
    const timeOf = (slot: number): number => network.genesisTime + 12 * slot
    expect([before, first].map((slot) => forkAtTimestamp(network, timeOf(slot)))).toEqual([2, null])
    const forkOf = (slot: number) => forkOfBlock(network, BigInt(slot), undefined, undefined)
    expect(forkOf(before)).toBe('fulu')
    expect(() => forkOf(first)).toThrow('unsupported-fork')
    expect(isForkToCome('gloas', network, first)).toBe(true)
  })

  it.each([
    [undefined, 4_096],
    [0, 0],
    [2, 2],
    [16_384, 16_384],
  ])('of which data is kept for %s epochs lets nodes forget what is older', (dataRetentionEpochs, kept) => {
    const config = { ...good, ...(dataRetentionEpochs !== undefined && { dataRetentionEpochs }) }
    const schedule = new DataSchedule(resolveNetwork(config))
    // The last moment of an epoch: `current_epoch - dataRetentionEpochs` is the earliest of which nodes must have the data.
    const now = 1000 * (good.genesisTime + 12 * (32 * 500_001)) - 1
    const first = 32 * (500_000 - kept)
    expect([first - 1, first].map((slot) => schedule.isExpired(slot, now))).toEqual([true, false])
  })

  it('knows Gloas where it is scheduled', () => {
    const epochs = Object.entries(networks).map(([name, { forkEpochs }]) => [name, forkEpochs.gloas])
    expect(epochs).toEqual([
      ...[
        ['mainnet', undefined],
        ['sepolia', 353_024],
        ['hoodi', undefined],
        ['holesky', undefined],
      ],
      ['plataberget', 1_536],
    ])
    const versions = Object.values(networks).map(({ signing }) => signing?.forkVersions.gloas)
    expect(versions).toEqual(['0x07000000', '0x90000076', '0x80000910', undefined, '0x80733183'])
  })

  it('stays what it was when it was vetted', () => {
    const blobSchedule = [{ ...entry }]
    const forkVersions = { ...signing.forkVersions }
    const resolved = resolveNetwork({ ...good, blobSchedule, signing: { ...signing, forkVersions } })
    blobSchedule[0]!.epoch = -1
    blobSchedule.push(entry)
    forkVersions.deneb = 'none'
    expect(resolved.blobSchedule).toEqual([entry])
    expect(resolved.signing).toEqual(signing)
  })
})
