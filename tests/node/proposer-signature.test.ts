/** The proposer's signature under sidecars' headers, where the caller has the proposer's key. Another implementation signs. */
import {
  createVerifier,
  fromSource,
  DisposedError,
  type NetworkConfig,
  type Verifier,
  type VerifierOptions,
} from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import { publicKey, signHeader } from '../lodestar/proposer.mjs'
import { invented, makeSidecars, slots } from '../support/blocks.ts'
import { fromHex, toHex } from '../support/bytes.ts'
import { infinity, range } from '../support/make.ts'
import type { BlobSidecarJson, DataColumnSidecarJson } from '../support/ssz.ts'

const secret = 0x1234_5678_9abc_def0n
const genesisValidatorsRoot = new Uint8Array(32).fill(0x42)
const forkVersions = {
  genesis: '0x00000099',
  altair: '0x01000099',
  bellatrix: '0x02000099',
  capella: '0x03000099',
  deneb: '0x04000099',
  electra: '0x05000099',
  fulu: '0x06000099',
  gloas: '0x07000099',
} as const
const network: NetworkConfig = {
  ...invented,
  signing: { genesisValidatorsRoot: toHex(genesisValidatorsRoot), forkVersions },
}

let verifier: Verifier
afterEach(async () => await verifier.dispose())
const open = async (options: VerifierOptions = {}): Promise<Verifier> =>
  (verifier = await createVerifier({ network, cache: false, ...options }))

/** Sidecars of a block, signed. */
async function make(
  slot: bigint,
  fork: keyof typeof forkVersions,
): Promise<{ sidecars: BlobSidecarJson[]; columns: DataColumnSidecarJson[] }> {
  const { block, column, sidecars } = await makeSidecars(slot, [1, 2, 3])
  const terms = { secret, forkVersion: fromHex(forkVersions[fork]), genesisValidatorsRoot }
  const signature = toHex(new Uint8Array(signHeader(block.header, terms)))
  const signed_block_header = { message: block.header, signature }
  return {
    sidecars: sidecars.map((sidecar) => ({ ...sidecar, signed_block_header })),
    columns: range(3).map((index) => ({ ...column(index), signed_block_header })),
  }
}

const proposerKey = publicKey(secret)
const signed = { status: 'valid', links: { signature: 'verified', kzg: 'verified', inclusion: 'verified' } }
const forged = { status: 'invalid', stage: 'signature', reason: 'proposer-signature' }

describe.each([0, 2])('with %i workers', (workers) => {
  it('is verified by the fork of the header’s slot', async () => {
    await open({ workers })
    for (const [slot, fork, other] of [
      [slots.deneb, 'deneb', 'electra'],
      [slots.electra, 'electra', 'deneb'],
      [slots.fulu - 1n, 'electra', 'fulu'],
      [slots.fulu, 'fulu', 'electra'],
    ] as const) {
      const { sidecars } = await make(slot, fork)
      expect(await verifier.verifyBlobSidecars(sidecars, { proposerKey })).toMatchObject(
        sidecars.map(() => signed),
      )
      const wrong = await make(slot, other)
      expect(await verifier.verifyBlobSidecars(wrong.sidecars, { proposerKey })).toMatchObject(
        sidecars.map(() => forged),
      )
    }
    const { columns } = await make(slots.fulu, 'fulu')
    expect(
      await verifier.verifyDataColumnSidecars(columns, { proposerKey: toHex(new Uint8Array(proposerKey)) }),
    ).toMatchObject(columns.map(() => signed))
  })

  it('condemns who brought a forged one, and no neighbour', async () => {
    await open({ workers })
    const { columns } = await make(slots.fulu, 'fulu')
    const [first, second, third] = columns as [
      DataColumnSidecarJson,
      DataColumnSidecarJson,
      DataColumnSidecarJson,
    ]
    const { signed_block_header: header } = first
    const flipped = `${header.signature.slice(0, -1)}${header.signature.endsWith('0') ? '1' : '0'}`
    const items = [
      fromSource(first, 'honest'),
      fromSource({ ...second, signed_block_header: { ...header, signature: flipped } }, 'forger'),
      fromSource({ ...third, signed_block_header: { ...header, signature: `0x${'ab'.repeat(96)}` } }, 'fool'),
      fromSource({ ...third, index: '128' }, 'other'),
    ]
    expect(await verifier.verifyDataColumnSidecars(items, { proposerKey })).toMatchObject([
      signed,
      { ...forged, sources: ['forger'] },
      { ...forged, sources: ['fool'] },
      { status: 'malformed', reason: 'column-index', sources: ['other'] },
    ])
    // Whoever does not ask is not told.
    expect(await verifier.verifyDataColumnSidecars(items.slice(0, 2))).toMatchObject(
      range(2).map(() => ({ status: 'valid', links: { signature: 'absent' } })),
    )
    expect(verifier.stats().refusedByChecks).toBe(3)
  })
})

it('is no one’s fault where the key is no key, or the network does not say what is signed', async () => {
  await open({ workers: 1 })
  const { columns } = await make(slots.fulu, 'fulu')
  for (const bad of ['0x00', new Uint8Array(47), 48, null])
    await expect(
      verifier.verifyDataColumnSidecars(columns, { proposerKey: bad as unknown as string }),
    ).rejects.toThrow('proposerKey must be 48 bytes')
  for (const bad of [infinity, new Uint8Array(48).fill(0xff), new Uint8Array(48)])
    await expect(verifier.verifyDataColumnSidecars(columns, { proposerKey: bad })).rejects.toThrow(
      'proposerKey is not a BLS public key',
    )
  await verifier.dispose()
  await open({ network: invented })
  await expect(verifier.verifyDataColumnSidecars(columns, { proposerKey })).rejects.toThrow(TypeError)
})

it('rejects where its module cannot be had, and names the option', async () => {
  await open({ workers: 1, lightClient: { wasm: { simd128: new Uint8Array([0, 97, 115, 109]) } } })
  const { columns } = await make(slots.fulu, 'fulu')
  const verdicts = verifier.verifyDataColumnSidecars(columns, { proposerKey })
  await expect(verdicts).rejects.toThrow(/\. Say where it is with the option lightClient: \{ wasm \}$/)
})

it('ends with its verifier', async () => {
  await open({ workers: 1 })
  const { columns } = await make(slots.fulu, 'fulu')
  const [pending] = await Promise.allSettled([
    verifier.verifyDataColumnSidecars(columns, { proposerKey }),
    verifier.dispose(),
  ])
  expect(pending).toMatchObject({ status: 'rejected', reason: expect.any(DisposedError) as unknown })
})
