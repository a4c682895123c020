/** How headers hang together, and which beacon block a payload belongs to. */
import { describe, expect, it } from 'vitest'
import { headerFromRlp } from '../../dist/execution/header.js'
import { headerFromJson } from '../../dist/execution/header-json.js'
import { beaconBlockOfParent, isParentOf, slotOfHeader } from '../../dist/execution/relation.js'
import { fromHex } from '../support/bytes.ts'
import { headerNames, makeHeader, recordedBlock } from '../support/execution.ts'
import { knownHeaders, sepoliaAmsterdam } from '../support/execution-headers.ts'

const mainnet = { genesisTime: 1_606_824_023, secondsPerSlot: 12 }
const sepolia = { genesisTime: 1_655_733_600, secondsPerSlot: 12 }
const cancun = headerNames.slice(0, 20)

const number = (value: number): Uint8Array =>
  fromHex(`0x${value.toString(16).padStart(8, '0')}`).subarray(value < 2 ** 24 ? 1 : 0)
const header = (values: Record<string, Uint8Array>, names = headerNames): ReturnType<typeof headerFromRlp> =>
  headerFromRlp(makeHeader({ number: number(2 ** 23), ...values }, names).rlp)
const childOf = (
  parent: ReturnType<typeof headerFromRlp>,
  values: Record<string, Uint8Array> = {},
  names = headerNames,
) => header({ parentHash: fromHex(parent.hash), number: number(parent.number + 1), ...values }, names)

describe('the slot of a header', () => {
  it('is that of its time, on real chains', async () => {
    const block = await recordedBlock()
    expect(slotOfHeader(headerFromJson(block, block.hash), mainnet)).toBe(
      (0x699444ef - mainnet.genesisTime) / 12,
    )
    const rlps = knownHeaders.map(({ rlp }) => headerFromRlp(fromHex(`0x${rlp}`)))
    // A miner's time is any. Deneb began on mainnet at epoch 269568, and Capella at 194048, two slots before its first block.
    expect(rlps.map((one) => slotOfHeader(one, mainnet))).toEqual([
      null,
      null,
      194_048 * 32 + 2,
      269_568 * 32,
    ])
  })

  it('is what it says itself from Amsterdam on, and that agrees with its time', () => {
    const first = headerFromJson(sepoliaAmsterdam, sepoliaAmsterdam['hash']!)
    expect(slotOfHeader(first, sepolia)).toBe(353_024 * 32)
    expect(slotOfHeader({ ...first, slotNumber: null }, sepolia)).toBe(353_024 * 32)
    expect(slotOfHeader({ ...first, timestamp: first.timestamp + 1 }, sepolia)).toBe(353_024 * 32)
  })

  it('is none, where the time is that of no slot', () => {
    const first = { ...headerFromJson(sepoliaAmsterdam, sepoliaAmsterdam['hash']!), slotNumber: null }
    expect(slotOfHeader({ ...first, timestamp: first.timestamp + 1 }, sepolia)).toBeNull()
    expect(slotOfHeader({ ...first, timestamp: sepolia.genesisTime - 12 }, sepolia)).toBeNull()
    expect(slotOfHeader({ ...first, timestamp: sepolia.genesisTime }, sepolia)).toBe(0)
  })
})

describe('a parent', () => {
  const parent = header({
    timestamp: number(mainnet.genesisTime + 12 * 77),
    slotNumber: number(2 ** 23 + 77),
  })

  it('is known by the hash that its child names, and by its number', () => {
    expect(isParentOf(parent, childOf(parent))).toBe(true)
    expect(
      isParentOf(parent, header({ parentHash: new Uint8Array(32), number: number(parent.number + 1) })),
    ).toBe(false)
    expect(isParentOf(parent, childOf(parent, { number: number(parent.number + 2) }))).toBe(false)
    expect(isParentOf(childOf(parent), parent)).toBe(false)
  })

  it('has its beacon block named by its child, with the slot that tells whether the one named is its own', () => {
    const root = `0x${'5a'.repeat(32)}`
    const child = childOf(parent, { parentBeaconBlockRoot: fromHex(root) })
    expect(beaconBlockOfParent(parent, child, mainnet)).toEqual({ root, slot: 2 ** 23 + 77 })
  })

  it('has its slot by its time before Amsterdam, also where its child is of Amsterdam', () => {
    const before = header({ timestamp: number(mainnet.genesisTime + 12 * 77) }, cancun)
    for (const names of [cancun, headerNames])
      expect(beaconBlockOfParent(before, childOf(before, {}, names), mainnet)).toMatchObject({ slot: 77 })
  })

  it('has none named by another block, by one of before Cancun, or where its time is that of no slot', () => {
    const stranger = header({ number: number(parent.number + 1) })
    expect(beaconBlockOfParent(parent, stranger, mainnet)).toBeNull()
    const early = header({ timestamp: number(mainnet.genesisTime + 12) }, headerNames.slice(0, 17))
    expect(beaconBlockOfParent(early, childOf(early, {}, headerNames.slice(0, 17)), mainnet)).toBeNull()
    const timeless = header({ timestamp: number(mainnet.genesisTime + 13) }, cancun)
    expect(beaconBlockOfParent(timeless, childOf(timeless, {}, cancun), mainnet)).toBeNull()
  })
})
