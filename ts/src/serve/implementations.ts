/**
 * What nodes do differently. `blob_sidecars` is no longer part of the Beacon API (beacon-APIs 577), and nodes keep it until Gloas; blobs
 * of Fulu have no proofs, so that some put a stub in the sidecar.
 */
import { COLUMNS, COLUMNS_TO_REBUILD } from '../beacon/constants.ts'
import { MOST_VALUES } from '../beacon/routes.ts'
import { POINT_BYTES } from '../beacon/ssz/layout.ts'
import { concatAll } from '../util/bytes.ts'
import type { ConsensusVersion } from './chain.ts'
import type { BlobSidecar } from './ssz/sidecars.ts'
import type { Type } from './ssz/types.ts'

/** The implementations that a server can be like. */
export const nodeNames = ['grandine', 'lighthouse', 'lodestar', 'prysm', 'teku'] as const

/**
 * An implementation of a beacon node, for what it answers to `blob_sidecars` of a Fulu block: `lighthouse` puts the point at infinity in the
 * place of the proof (Lighthouse 8160), `teku` zeros (Teku 9394); `grandine` (Grandine 405), `lodestar` (Lodestar 8506) and `prysm` (Prysm 15879)
 * compute the proof anew. For how it refuses blobs that it has too few columns to rebuild: `lighthouse` with 400 (Lighthouse 8595), `prysm` with 404
 * (Prysm 16091). For its SSZ of columns: that of `teku`, and of `prysm` before Prysm 17320, has no table of offsets (beacon-APIs 633). And for
 * `lodestar`, which refuses more than 20 values of one key in a query with 400 (Lodestar 9672, 9673).
 */
export type NodeName = (typeof nodeNames)[number]

const zeros = new Uint8Array(POINT_BYTES)
const infinity = new Uint8Array(POINT_BYTES).fill(0xc0, 0, 1)
const stubs: { readonly [name in NodeName]?: Uint8Array } = { lighthouse: infinity, teku: zeros }

/** A sidecar as such a node serves it. */
export function asServedBy(
  sidecar: BlobSidecar,
  version: ConsensusVersion,
  like: NodeName | undefined,
): BlobSidecar {
  const stub = like === undefined || version !== 'fulu' ? undefined : stubs[like]
  return stub === undefined ? sidecar : { ...sidecar, kzg_proof: stub }
}

const refusals: { readonly [name in NodeName]?: 400 | 404 } = { lighthouse: 400, prysm: 404 }

/**
 * The status with which such a node refuses blobs of a block, of whose columns it lacks so many; null where it has them. Any 64 columns are all
 * of a block (EIP-7594).
 */
export function refusalOfBlobs(
  version: ConsensusVersion,
  lacking: number,
  like: NodeName | undefined,
): 400 | 404 | null {
  const hasColumns = version === 'fulu' || version === 'gloas'
  if (like === undefined || !hasColumns || COLUMNS - lacking >= COLUMNS_TO_REBUILD) return null
  return refusals[like] ?? null
}

/**
 * Whether such a node refuses a query with 400, for how often one of its keys is there.
 *
 * @internal
 */
export function refusesQuery(query: URLSearchParams, like: NodeName | undefined): boolean {
  return like === 'lodestar' && [...query.keys()].some((key) => query.getAll(key).length > MOST_VALUES)
}

/**
 * The SSZ of an answer with columns as such a node serves it: a list, or the columns one after the other.
 *
 * @internal
 */
export function columnsServedBy<Column>(
  like: NodeName | undefined,
  columns: readonly Column[],
  one: Type<Column>,
  list: Type<readonly Column[]>,
): Uint8Array<ArrayBuffer> {
  if (like !== 'teku' && like !== 'prysm') return list.serialize(columns)
  return concatAll(columns.map((column) => one.serialize(column)))
}
