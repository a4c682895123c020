/** blobcheck/adapters/ox with ox itself, and beside c-kzg, which ox has compiled to WebAssembly. */
import { toOxKzg, toOxSidecars } from 'blobcheck/adapters/ox'
import { BlobCells, Blobs, Kzg, Secp256k1, TxEnvelopeEip4844 } from 'ox'
import { Setups } from 'ox/trusted-setups'
import { Kzg as WasmKzg } from 'ox/wasm'
import { afterAll, describe, expect, it } from 'vitest'
import { toHex } from '../support/bytes.ts'
import {
  blobs,
  expectValid,
  fields,
  offThread,
  parsedElsewhere,
  privateKey,
  prover,
  verifier,
} from './support.ts'

const ckzg = await WasmKzg.create({ trustedSetup: Setups.mainnet })
afterAll(async () => {
  ckzg.dispose()
  await offThread.dispose()
})

// Assignable as it is: that this compiles is part of the test.
const kzg: Kzg.Kzg = toOxKzg(prover, verifier)

type Sidecars = NonNullable<TxEnvelopeEip4844.TxEnvelopeEip4844['sidecars']>

function signed(sidecars: Sidecars): `0x${string}` {
  const blobVersionedHashes = sidecars.commitments.map((commitment) =>
    Blobs.commitmentToVersionedHash(commitment),
  )
  const envelope = TxEnvelopeEip4844.from({
    ...fields,
    nonce: 5n,
    type: 'eip4844',
    blobVersionedHashes,
    sidecars,
  })
  const signature = Secp256k1.sign({ payload: TxEnvelopeEip4844.getSignPayload(envelope), privateKey })
  return TxEnvelopeEip4844.serialize(envelope, { signature })
}

describe('ox', () => {
  it('its Kzg has these methods and no others', () => {
    expect(Object.keys(kzg).sort()).toEqual(Object.keys(Kzg.from(kzg)).sort())
  })

  it('a transaction of blobs with proofs of cells, signed and serialised, is accepted by others', async () => {
    const inHex = blobs.map(toHex)
    const network = signed({
      blobs: inHex,
      commitments: Blobs.toCommitments(inHex, { kzg }),
      cellProofs: Blobs.toCellProofs(inHex, { kzg }),
    })
    await expectValid(network, 1)
    parsedElsewhere(network)
    expect(TxEnvelopeEip4844.deserialize(network as TxEnvelopeEip4844.Serialized).sidecars?.blobs).toEqual(
      inHex,
    )
  })

  it('sidecars that were proved off the calling thread are those that ox works out', async () => {
    const inHex = blobs.map(toHex)
    let last = { done: 0, total: 0 }
    const sidecars = await toOxSidecars(offThread, inHex, { onProgress: (progress) => (last = progress) })
    expect(last).toEqual({ done: 38, total: 38 })
    expect(sidecars).toEqual({
      blobs: inHex,
      commitments: Blobs.toCommitments(inHex, { kzg }),
      cellProofs: Blobs.toCellProofs(inHex, { kzg }),
    })
    await expectValid(signed(sidecars), 1)
  })

  it('every function agrees with c-kzg', () => {
    for (const blob of [...blobs, new Uint8Array(131_072)]) {
      const commitment = kzg.blobToKzgCommitment(blob)
      expect(toHex(commitment)).toBe(toHex(ckzg.blobToKzgCommitment(blob)))
      const [ours, theirs] = [kzg, ckzg].map((one) => one.computeCellsAndKzgProofs(blob))
      expect(ours!.cells.map(toHex)).toEqual(theirs!.cells.map(toHex))
      expect(ours!.proofs.map(toHex)).toEqual(theirs!.proofs.map(toHex))
      expect(kzg.computeCells(blob).map(toHex)).toEqual(theirs!.cells.map(toHex))
      const indices = Array.from({ length: 64 }, (_, at) => 2 * at + 1)
      const known = indices.map((at) => ours!.cells[at]!)
      const recovered = BlobCells.recover(indices as BlobCells.CellIndex[], known, { kzg, as: 'Hex' })
      expect(recovered.cells).toEqual(theirs!.cells.map(toHex))
      expect(recovered.proofs).toEqual(theirs!.proofs.map(toHex))
      const commitments = indices.map(() => commitment)
      const picked = [ours!.cells, ours!.proofs].map((list) => indices.map((at) => list[at]!))
      for (const one of [kzg, ckzg])
        expect(one.verifyCellKzgProofBatch(commitments, indices, picked[0]!, picked[1]!)).toBe(true)
    }
  })
})
