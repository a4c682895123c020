/**
 * What a worker does before its first task, while nobody waits for anything: it verifies a blob and a cell, step by step. Engines compile a
 * function when it is called for the first time, and well when it has run for a while: of the time of a first blob that is most.
 */
import { BLOB_BYTES, CELL_BYTES } from '../../beacon/ssz/layout.ts'
import { has } from '../../util/has.ts'
import type { UncheckedItem } from '../checks/protocol.ts'
import type { VerifierApi } from './protocol.ts'

/** The generator of G1: well formed wherever a point is wanted. That it is not the commitment that is wanted shows in the last step. */
const POINT =
  '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

/** The steps, of some milliseconds each: they go the way of any other data. */
export async function* rehearse({
  check,
  collect,
  close,
}: Pick<VerifierApi, 'check' | 'collect' | 'close'>): AsyncGenerator<void> {
  const blob = new Uint8Array(BLOB_BYTES).fill(1)
  const item = { blob, cell: blob.subarray(0, CELL_BYTES), cellIndex: 0, commitment: POINT, proof: POINT }
  const { checked } = await check({
    items: (['blob', 'cell'] as const).map((kind): UncheckedItem => ({ kind, at: 0, item })),
    buffer: null,
    taken: [],
    unitBuffer: new ArrayBuffer(0),
    anchor: { kind: 'none' },
    count: 2,
    network: new BigUint64Array(),
    fork: null,
    wantsHeaders: false,
  })
  for (const entry of checked) {
    if (!has(entry, 'unit')) return
    yield
    const { sums } = collect([entry.unit.bytes], 1)
    yield
    close([sums], 0, 1)
  }
}
