/** Sync committees in the light client's modules: keys checked once, signatures of any part of them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Committee, committeeOf, sign } from '../lodestar/committee.mjs'
import { concat, flip } from '../support/bytes.ts'
import { lightClientModules, type Module } from '../support/light-client.ts'

const SIZE = 512
const modules = await lightClientModules()
const root = crypto.getRandomValues(new Uint8Array(32))
const members = Array.from({ length: SIZE }, (_, at) => at)

let committee: Committee
let ssz: Uint8Array
beforeAll(() => {
  committee = committeeOf(10)
  ssz = encode(committee.pubkeys, committee.aggregatePubkey)
})

const encode = (keys: readonly Uint8Array[], aggregate: Uint8Array): Uint8Array => concat(...keys, aggregate)

function aggregateOf(absentees: readonly number[]): Uint8Array {
  const { syncCommitteeBits, syncCommitteeSignature } = sign(committee, root, absentees)
  return concat(syncCommitteeBits.uint8Array, syncCommitteeSignature)
}

/** The name of the code that a call throws. */
function refusal(module: Module, task: () => unknown): string {
  try {
    task()
  } catch (error) {
    return module.reasonName(error as number)
  }
  return 'nothing was thrown'
}

describe.each(modules)('sync committees in the module $name', ({ module }) => {
  it('verifies whoever signed, as all their keys would be verified one by one', () => {
    const some = new Set(crypto.getRandomValues(new Uint16Array(40)).map((random) => random % SIZE))
    const absences = [
      [],
      [0],
      [SIZE - 1],
      [...some],
      members.filter((at) => !some.has(at)),
      members.slice(SIZE / 2),
      members.slice(SIZE / 2 - 1),
      members.slice(1),
    ]
    for (const absentees of absences) {
      const aggregate = aggregateOf(absentees)
      const signature = aggregate.slice(SIZE / 8)
      const present = committee.pubkeys.filter((_, at) => !absentees.includes(at))
      expect(module.verifySyncAggregate(ssz, aggregate, root)).toBe(true)
      expect(module.fastAggregateVerify(concat(...present), root, signature)).toBe(true)
      // Somebody who did not sign, or is not named.
      expect(module.verifySyncAggregate(ssz, flip(aggregate, 17, 3), root)).toBe(false)
    }
  })

  it('finds signatures of other messages and no signatures at all false', () => {
    const aggregate = aggregateOf([])
    expect(module.verifySyncAggregate(ssz, aggregate, flip(root, 31))).toBe(false)
    expect(module.verifySyncAggregate(ssz, flip(aggregate, SIZE / 8 + 50), root)).toBe(false)
    const none = concat(aggregate.slice(0, SIZE / 8), new Uint8Array(96))
    expect(module.verifySyncAggregate(ssz, none, root)).toBe(false)
  })

  it('remembers a committee by all of its bytes', () => {
    const aggregate = aggregateOf([])
    module.checkSyncCommittee(ssz)
    expect(module.verifySyncAggregate(ssz, aggregate, root)).toBe(true)
    const [first, second, ...rest] = committee.pubkeys as [Uint8Array, Uint8Array, ...Uint8Array[]]
    const swapped = encode([second, first, ...rest], committee.aggregatePubkey)
    expect(module.verifySyncAggregate(swapped, aggregateOf([0]), root)).toBe(false)
    const flipped = flip(ssz, 48 * 300 + 47)
    expect(refusal(module, () => module.verifySyncAggregate(flipped, aggregate, root))).toBe('committee-keys')
  })

  it('refuses what is no committee', () => {
    const check = (bytes: Uint8Array): string => refusal(module, () => module.checkSyncCommittee(bytes))
    expect(check(ssz)).toBe('nothing was thrown')
    const { pubkeys, aggregatePubkey } = committee
    const infinity = new Uint8Array(48)
    infinity[0] = 0xc0
    expect(check(encode(pubkeys, pubkeys[0] ?? infinity))).toBe('committee-keys')
    expect(check(encode(pubkeys.slice(1), aggregatePubkey))).toBe('committee-keys')
    // Infinity adds nothing, so that the sum is right all the same.
    expect(check(encode([...pubkeys, infinity], aggregatePubkey))).toBe('committee-keys')
    for (const length of [0, 47, 48, 48 * (SIZE + 1) - 1, 48 * (4096 + 2)])
      expect(check(new Uint8Array(length))).toBe('object-length')
  })

  it('refuses participants that are none of the committee', () => {
    const verify = (aggregate: Uint8Array, message = root): string =>
      refusal(module, () => module.verifySyncAggregate(ssz, aggregate, message))
    const aggregate = aggregateOf([])
    expect(verify(aggregate.fill(0, 0, SIZE / 8))).toBe('no-participants')
    for (const bits of [0, SIZE / 8 - 1, SIZE / 8 + 1])
      expect(verify(concat(new Uint8Array(bits).fill(255), aggregate.slice(SIZE / 8)))).toBe(
        'no-participants',
      )
    expect(verify(new Uint8Array(95))).toBe('object-length')
    expect(verify(aggregateOf([]), new Uint8Array(31))).toBe('object-length')
  })
})
