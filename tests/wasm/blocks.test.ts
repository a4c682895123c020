/** `readBlock`: the official blocks in every form, what is malformed and where, which fork, and bytes of whoever wishes ill. */
import { networks, type NetworkConfig } from 'blobcheck'
import { type BlockFork, loadBeacon, SszError } from 'blobcheck/beacon'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockType, schemaOf } from '../support/block-module.ts'
import { sszToJson } from '../support/block-json.ts'
import { concat, fromHex, toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText, readValue } from '../support/files.ts'
import { throwingProxy } from '../support/hostile.ts'

const beacon = await loadBeacon()

/** A network of the minimal preset, all of whose forks are in force somewhere. */
const minimal: NetworkConfig = {
  genesisTime: 0,
  slotsPerEpoch: 8,
  syncCommitteeSize: 32,
  forkEpochs: { deneb: 1, electra: 2, fulu: 3, gloas: 4 },
}

interface Case {
  readonly name: string
  readonly preset: 'mainnet' | 'minimal'
  readonly fork: BlockFork
  readonly kind: 'BeaconBlock' | 'SignedBeaconBlock'
  readonly ssz: Uint8Array<ArrayBuffer>
  readonly root: string
}

const cases: Case[] = []
for (const preset of ['mainnet', 'minimal'] as const)
  for (const fork of ['deneb', 'electra', 'fulu', 'gloas'] as const)
    for (const kind of ['BeaconBlock', 'SignedBeaconBlock'] as const) {
      const folder = `blocks/${preset}-${fork}/ssz_static/${kind}`
      for (const suite of await listVectors(folder))
        for (const name of await listVectors(`${folder}/${suite}`)) {
          const path = `vectors/${folder}/${suite}/${name}`
          const ssz = await readTestFile(`${path}/serialized.ssz`)
          const root = /0x[0-9a-f]{64}/.exec(await readText(`${path}/roots.yaml`))![0]
          cases.push({ name: path, preset, fork, kind, ssz, root })
        }
    }

const optionsOf = ({ preset, fork }: Case) =>
  ({ network: preset === 'mainnet' ? 'mainnet' : minimal, fork }) as const

/** Hands a block in, and says what is thrown about it. */
function refusal(block: unknown, options: Parameters<typeof beacon.readBlock>[1]): [string, string] {
  try {
    beacon.readBlock(block as object, options)
  } catch (error) {
    if (error instanceof SszError) return [error.reason, error.path]
    throw error
  }
  throw new Error('read')
}

const plain = cases.find(
  ({ fork, kind, name }) =>
    fork === 'gloas' && kind === 'BeaconBlock' && name.includes('mainnet') && name.includes('ssz_random/'),
)!
const signed = cases.find(
  ({ fork, kind, name }) =>
    fork === 'gloas' &&
    kind === 'SignedBeaconBlock' &&
    name.includes('mainnet') &&
    name.includes('ssz_random/'),
)!
const json = (of: Case): any => {
  const type = blockType(of.fork, of.preset)
  if (of.kind === 'BeaconBlock') return sszToJson(type, of.ssz)
  return { message: sszToJson(type, of.ssz.subarray(100)), signature: toHex(of.ssz.subarray(4, 100)) }
}

describe('a child', () => {
  it('tells whether its parent’s payload was revealed (get_parent_payload_status)', async () => {
    const folder = 'gloas/mainnet-gloas/fork_choice/get_parent_payload_status/extra'
    const found = new Set<string>()
    for (const name of await listVectors(folder)) {
      const path = `vectors/${folder}/${name}`
      const [parent, child] = await Promise.all(
        ['parent', 'child'].map(async (file) =>
          beacon.readBlock(await readTestFile(`${path}/${file}.ssz`), { network: 'mainnet', fork: 'gloas' }),
        ),
      )
      const meta = await readText(`${path}/meta.yaml`)
      expect(meta).toContain(`parent_root: '${parent!.root}'`)
      expect(meta).toContain(`child_root: '${child!.root}'`)
      expect(child!.parentRoot).toBe(parent!.root)
      const status = child!.bid?.parentBlockHash === parent!.bid?.blockHash ? 'full' : 'empty'
      expect(meta, name).toContain(`parent_payload_status: ${status}`)
      found.add(status)
    }
    expect(found.size).toBe(2)
  })
})

describe('the official blocks', () => {
  it('are many', () => expect(cases.length).toBeGreaterThanOrEqual(100))

  it.each(cases)('$name', (of) => {
    const { kind, fork, ssz, root } = of
    const block = beacon.readBlock(ssz, optionsOf(of))
    if (kind === 'BeaconBlock') expect(block.root).toBe(root)
    // As text of its hex, as JSON, as text of JSON, and as an answer.
    expect(beacon.readBlock(toHex(ssz), optionsOf(of))).toEqual(block)
    const value = json(of)
    expect(beacon.readBlock(value, optionsOf(of))).toEqual(block)
    expect(beacon.readBlock(JSON.stringify(value), optionsOf(of))).toEqual(block)
    expect(beacon.readBlock({ version: fork, finalized: true, data: value }, optionsOf(of))).toEqual(block)
    const message = kind === 'BeaconBlock' ? value : value.message
    expect(beacon.readBlock(message, optionsOf(of))).toEqual(block)
    const { body } = message
    const bid = body.signed_execution_payload_bid?.message
    expect(block.commitments).toEqual((bid ?? body).blob_kzg_commitments)
    expect([block.parentRoot, block.stateRoot]).toEqual([message.parent_root, message.state_root])
    expect(block.slot).toBe(Number(message.slot))
    expect(block.bid === undefined).toBe(fork !== 'gloas')
    expect(block.executionBlockHash).toBe(body.execution_payload?.block_hash)
    expect(block.executionBlockHash === undefined).toBe(fork === 'gloas')
    if (bid !== undefined)
      expect(block.bid).toEqual({
        parentBlockHash: bid.parent_block_hash,
        parentBlockRoot: bid.parent_block_root,
        blockHash: bid.block_hash,
        prevRandao: bid.prev_randao,
        feeRecipient: bid.fee_recipient,
        gasLimit: BigInt(bid.gas_limit),
        builderIndex: BigInt(bid.builder_index),
        slot: Number(bid.slot),
        value: BigInt(bid.value),
        executionPayment: BigInt(bid.execution_payment),
        executionRequestsRoot: bid.execution_requests_root,
      })
  })

  it.each(['deneb', 'electra', 'gloas'].flatMap((fork) => [`mainnet-${fork}`, `minimal-${fork}`]))(
    'as the JSON that the specification’s own code wrote: %s',
    async (folder) => {
      const path = `vectors/blocks/${folder}/ssz_static/BeaconBlock/ssz_random/case_0`
      const of = cases.find(({ name }) => name === path)!
      const value = await readValue<object>(`${path}/value.json`)
      expect(json(of)).toEqual(value)
      expect(beacon.readBlock(value, optionsOf(of)).root).toBe(of.root)
    },
  )
})

describe('which fork', () => {
  /** The block with another slot, and no other change. */
  const at = (slot: number, of: Case): Uint8Array<ArrayBuffer> => {
    const ssz = of.ssz.slice()
    new DataView(ssz.buffer).setBigUint64(of.kind === 'BeaconBlock' ? 0 : 100, BigInt(slot), true)
    return ssz
  }
  const electra = cases.find(
    ({ fork, preset, kind }) => fork === 'electra' && preset === 'mainnet' && kind === 'SignedBeaconBlock',
  )!
  const { deneb, electra: electraEpoch, fulu } = networks.mainnet.forkEpochs

  it('is that of its slot', () => {
    const read = (slot: number) => beacon.readBlock(at(slot, electra)).fork
    expect(read(32 * electraEpoch)).toBe('electra')
    expect(read(32 * fulu - 1)).toBe('electra')
    expect(read(32 * fulu)).toBe('fulu')
    // Deneb's containers are others.
    expect(() => read(32 * electraEpoch - 1)).toThrow(SszError)
    expect(refusal(at(32 * deneb - 1, electra), {})).toEqual(['unsupported-fork', 'slot'])
  })

  it('is that of the network', () => {
    const forkEpochs = { deneb: 0, electra: 0, fulu: 1, gloas: 2 }
    const network = { ...networks.mainnet, forkEpochs }
    expect(beacon.readBlock(at(64, signed), { network }).fork).toBe('gloas')
    expect(beacon.readBlock(at(63, electra), { network }).fork).toBe('fulu')
    expect(() => beacon.readBlock(at(63, signed), { network })).toThrow(SszError)
    expect(beacon.readBlock(at(63, signed), { network, fork: 'gloas' }).fork).toBe('gloas')
  })

  it('is what the answer says, which may not contradict the slot nor the caller', () => {
    const data = { ...json(electra) }
    data.message = { ...data.message, slot: String(32 * electraEpoch) }
    expect(beacon.readBlock({ version: 'electra', data }).fork).toBe('electra')
    expect(beacon.readBlock({ version: 'Electra', data }).fork).toBe('electra')
    for (const older of ['deneb', 'capella', 'phase0'])
      expect(refusal({ version: older, data }, {})).toEqual(['fork-mismatch', 'version'])
    // That the slot is before Fulu is what the config says, which may be old.
    expect(refusal({ version: 'fulu', data }, {})).toEqual(['unsupported-fork', 'version'])
    expect(refusal({ version: 'electra', data }, { fork: 'fulu' })).toEqual(['fork-mismatch', 'version'])
    expect(refusal({ version: 'heze', data }, {})).toEqual(['unsupported-fork', 'version'])
    expect(refusal({ version: 7, data }, {})).toEqual(['unsupported-fork', 'version'])
    expect(beacon.readBlock({ version: 'fulu', data }, { fork: 'fulu' }).fork).toBe('fulu')
  })

  it('has to be one, and the network, too', () => {
    expect(() => beacon.readBlock(signed.ssz, { fork: 'heze' as 'gloas' })).toThrow(TypeError)
    expect(() => beacon.readBlock(signed.ssz, { network: 'other' as 'mainnet' })).toThrow(TypeError)
    const network = { ...networks.mainnet, syncCommitteeSize: 64 }
    expect(() => beacon.readBlock(signed.ssz, { network })).toThrow(TypeError)
  })

  it('is none of another where the module does not know its number', () => {
    expect(() => schemaOf(2, 1)).not.toThrow()
    for (const [fork, preset] of [
      [3, 0],
      [0, 2],
    ] as const)
      expect(() => schemaOf(fork, preset)).toThrow('unsupported-fork')
  })
})

describe('what is malformed', () => {
  const options = { fork: 'gloas' } as const

  it('in SSZ', () => {
    const { ssz } = signed
    expect(refusal(new Uint8Array(0), options)).toEqual(['length', ''])
    expect(refusal(ssz.subarray(0, 83), options)).toEqual(['length', ''])
    expect(refusal(ssz.subarray(0, -1), options)[0]).toMatch(/^(length|offset)$/)
    expect(refusal(concat(ssz, Uint8Array.of(0)), options)[1]).toMatch(/^body\.parent_execution_requests/)
    expect(refusal(new Uint8Array(10 * 2 ** 20 + 1), options)).toEqual(['limit', ''])
    expect(refusal('0x1', options)).toEqual(['type', ''])
    const altered = ssz.slice()
    altered[184 + 200]! ^= 1 // the offset of the proposer slashings: reveal, eth1 data and graffiti come before it
    expect(refusal(altered, options)).toEqual(['offset', 'body'])
  })

  it('in JSON', () => {
    const base = json(plain)
    /** The block with one value replaced: `undefined` takes it away. */
    const withValue = (path: string, value: unknown): object => {
      const copy = structuredClone(base)
      const steps = path.split('.')
      const last = steps.pop()!
      let target: any = copy
      for (const step of steps) target = target[step]
      if (value === undefined) delete target[last]
      else target[last] = value
      return copy
    }
    const bid = 'body.signed_execution_payload_bid.message'
    const all: [path: string, value: unknown, reason: string, where?: string][] = [
      ['slot', undefined, 'missing-field'],
      ['slot', 7, 'type'],
      ['slot', '07', 'type'],
      ['slot', '-1', 'type'],
      ['slot', '0x7', 'type'],
      ['slot', String(2n ** 64n), 'limit'],
      ['parent_root', `0x${'00'.repeat(31)}`, 'length'],
      ['parent_root', `0x${'00'.repeat(33)}`, 'length'],
      ['parent_root', `0x${'0g'.repeat(32)}`, 'type'],
      ['parent_root', '00'.repeat(33), 'type'],
      ['parent_root', null, 'type'],
      ['body', undefined, 'missing-field'],
      ['body', [], 'type'],
      ['body', 'x', 'type'],
      ['extra', '1', 'unknown-field'],
      ['body.extra', '1', 'unknown-field'],
      ['body.execution_payload', {}, 'unknown-field'],
      ['body.deposits', {}, 'type'],
      ['body.deposits', [{}], 'missing-field', 'body.deposits[0].proof'],
      ['body.deposits', Array.from({ length: 2 ** 16 + 1 }, () => 1), 'limit'],
      ['body.sync_aggregate.sync_committee_bits', '0x00', 'length'],
      [`${bid}.blob_kzg_commitments`, ['0x00'], 'length', `${bid}.blob_kzg_commitments[0]`],
      [`${bid}.blob_kzg_commitments`, Array.from({ length: 4097 }, () => '0x'), 'limit'],
      [`${bid}.value`, 1.5, 'type'],
    ]
    for (const [path, value, reason, where] of all)
      expect(refusal(withValue(path, value), options), `${path} ${String(value).slice(0, 40)}`).toEqual([
        reason,
        where ?? path,
      ])
    expect(refusal({ message: base }, options)).toEqual(['missing-field', 'signature'])
    expect(refusal({ message: base, signature: '0x00' }, options)).toEqual(['length', 'signature'])
    expect(refusal({ message: base, signature: json(signed).signature, x: 1 }, options)).toEqual([
      'unknown-field',
      'x',
    ])
    // What an endpoint calls a field is its own words: 64 units of them, fit for a log, of which the last may be the half of a pair.
    const name = `\u001b[2J\n\u202e\ud800${'x'.repeat(56)}\u{1f600}y`
    const shown = `\ufffd[2J\ufffd\ufffd\ufffd${'x'.repeat(56)}\ufffd`
    for (const [at, path] of [
      ['', shown],
      ['body.', `body.${shown}`],
    ] as const)
      expect(refusal(withValue(at + name, 1), options)).toEqual(['unknown-field', path])
    expect(refusal({ data: [] }, options)[0]).toBe('missing-field')
    expect(refusal('{"code":404,"message":"NOT_FOUND: no block"}', options)).toEqual(['type', 'message'])
    expect(refusal({ code: 404, message: 'NOT_FOUND: no block' }, options)).toEqual(['type', 'message'])
    expect(refusal('{', options)).toEqual(['json', ''])
    expect(refusal('['.repeat(100_000), options)).toEqual(['json', ''])
    expect(refusal('7', options)).toEqual(['type', ''])
  })

  it('as booleans and bits', () => {
    const value = json(plain)
    const attestation = {
      aggregation_bits: `0x${'00'.repeat(64)}`,
      data: {
        beacon_block_root: value.parent_root,
        slot: '1',
        payload_present: true,
        blob_data_available: false,
      },
      signature: value.body.randao_reveal,
    }
    value.body.payload_attestations = [attestation]
    expect(beacon.readBlock(value, options).fork).toBe('gloas')
    attestation.data.payload_present = 'true' as never
    const path = 'body.payload_attestations[0].data.payload_present'
    expect(refusal(value, options)).toEqual(['type', path])
    value.body.payload_attestations = []
    value.body.attestations = [
      {
        aggregation_bits: '0x00',
        data: json(plain).body.attestations[0]?.data ?? {
          slot: '1',
          index: '0',
          beacon_block_root: value.parent_root,
          source: { epoch: '0', root: value.parent_root },
          target: { epoch: '0', root: value.parent_root },
        },
        signature: value.body.randao_reveal,
        committee_bits: '0x0000000000000000',
      },
    ]
    expect(refusal(value, options)).toEqual(['bits', 'body.attestations[0].aggregation_bits'])
  })

  it('and what is no block in any form is misuse', () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    for (const block of [null, undefined, 7, true, () => {}, cyclic, throwingProxy({}), { slot: 7n }])
      expect(() => beacon.readBlock(block as object, options)).toThrow(TypeError)
    expect(() => beacon.readBlock(signed.ssz, null as never)).toThrow(TypeError)
  })
})

describe('hostile input', () => {
  const options = { fork: 'gloas' } as const
  const isAnswered = (block: unknown): void => {
    try {
      expect(beacon.readBlock(block as object, options).root).toMatch(/^0x[0-9a-f]{64}$/)
    } catch (error) {
      if (!(error instanceof SszError)) throw error
      expect(error.message).toContain(error.reason)
    }
  }

  it('never does more than throw an SszError: bytes', () => {
    const edit = fc.tuple(fc.nat(signed.ssz.length - 1), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), fc.nat(300), (edits, cut) => {
        const ssz = signed.ssz.slice(0, signed.ssz.length - (cut > 200 ? cut - 200 : 0))
        for (const [at, byte] of edits) if (at < ssz.length) ssz[at] = byte
        isAnswered(ssz)
      }),
      { numRuns: 300 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 800 }), isAnswered), { numRuns: 300 })
  })

  it('never does more than throw an SszError: JSON', () => {
    const names = ['slot', 'body', 'parent_root', 'proposer_index', 'state_root']
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        isAnswered({ ...json(plain), [name]: value })
      }),
      { numRuns: 200 },
    )
    const body = Object.keys(json(plain).body)
    fc.assert(
      fc.property(fc.constantFrom(...body), fc.jsonValue(), (name, value) => {
        const block = json(plain)
        isAnswered({ ...block, body: { ...block.body, [name]: value } })
      }),
      { numRuns: 200 },
    )
    fc.assert(
      fc.property(fc.string(), (text) => isAnswered(`{${text}`)),
      { numRuns: 100 },
    )
  })

  it('costs what it weighs: ten megabytes of the smallest transactions', () => {
    // The most work for its bytes: an empty transaction has an offset, and a leaf of its own.
    const of = cases.find(
      ({ fork, kind, name }) =>
        fork === 'deneb' && kind === 'BeaconBlock' && name.includes('mainnet') && name.includes('nil'),
    )!
    const value = json(of)
    value.body.execution_payload.transactions = Array.from({ length: 2 ** 15 }, () => '0x')
    expect(beacon.readBlock(value, optionsOf(of)).commitments).toEqual([])
    // By their type there may be 2 ** 20; so many are more values than any JSON may have.
    for (const [length, reason] of [
      [2 ** 15 + 1, 'limit'],
      [2 ** 18, 'limit'],
      [2 ** 20 + 1, 'json'],
    ] as const) {
      value.body.execution_payload.transactions = Array.from({ length }, () => '0x')
      expect(() => beacon.readBlock(value, optionsOf(of))).toThrow(expect.objectContaining({ reason }))
    }
    // Memory that a module once took it keeps: what comes next is read all the same.
    expect(beacon.readBlock(of.ssz, optionsOf(of)).root).toBe(of.root)
  })
})

describe('loading', () => {
  it('takes the module that the caller brings', async () => {
    const { readFile } = await import('node:fs/promises')
    const bytes = await readFile(new URL('../../wasm/beacon_simd128.wasm', import.meta.url))
    const other = await loadBeacon({ wasm: { simd128: new Uint8Array(bytes) } })
    expect(other.readBlock(signed.ssz, { fork: 'gloas' })).toEqual(
      beacon.readBlock(signed.ssz, { fork: 'gloas' }),
    )
    expect(fromHex(other.readBlock(signed.ssz, { fork: 'gloas' }).root)).toHaveLength(32)
  })

  it('refuses options that are none', async () => {
    await expect(loadBeacon(null as never)).rejects.toThrow(TypeError)
    await expect(loadBeacon({ wasm: 7 as never })).rejects.toThrow(TypeError)
  })
})
