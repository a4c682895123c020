/** `/eth/v1/beacon/blobs` and `/eth/v1/beacon/blob_sidecars`: verified blobs, or a refusal. */
import { forkOfBlock } from '../../beacon/block/fork.ts'
import { headerBytes } from '../../beacon/header.ts'
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import type { VettedNetwork } from '../../beacon/vetted-network.ts'
import { ApiError, indicesOf, listOf, readRoot } from '../../serve/routes/http.ts'
import { hexOf } from '../../serve/ssz/types.ts'
import { concatAll } from '../../util/bytes.ts'
import type { Hono } from '../../vendor/hono.ts'
import type { BlockBlob, BlockBlobs, Selection } from '../blobs/block-blobs.ts'
import type { KnownHeader, KnownHeaders } from '../headers/known-header.ts'
import type { ProxyMetrics } from '../metrics/proxy-metrics.ts'
import { NO_SIGNATURE, NO_SIGNATURE_HEX, pointOf, type SidecarParts, type Sidecars } from '../sidecars.ts'
import { DataSchedule } from '../../block-data/schedule.ts'
import {
  asciiJson,
  formAnswer,
  headerOf,
  type ProxyContext,
  type ProxyEnv,
  refusalOf,
  Refusal,
  statusOf,
} from './answers.ts'
import type { Piece } from './streamed.ts'

/** What these routes read. */
export interface DataParts {
  readonly network: VettedNetwork
  readonly headers: KnownHeaders
  readonly blobs: BlockBlobs
  readonly sidecars: Sidecars
  readonly metrics: ProxyMetrics
}

/** Named in an answer in which something stands that is not what it seems: a signature of zeros. */
export const LEFT_OUT: Readonly<Record<string, string>> = { 'blobcheck-left-out': 'signature' }

export function addDataRoutes(app: Hono<ProxyEnv>, parts: DataParts): void {
  const { network, headers, sidecars } = parts
  const schedule = new DataSchedule(network)

  app.get('/eth/v1/beacon/blobs/:block_id', async (context) => {
    const hashes = listOf(context, 'versioned_hashes')?.map((value) => readRoot(value, 'versioned_hashes'))
    const header = await headerOf(context, headers, context.req.param('block_id'))
    const blobs = await wanted(context, parts, schedule, header, selectionOf(hashes))
    return formAnswer(context, {
      json: () => [
        { kind: 'text', text: opening(asciiJson(statusOf(header))) },
        ...blobs.flatMap(({ blob }, at): Piece[] => [
          { kind: 'text', text: at === 0 ? '"0x' : '","0x' },
          { kind: 'hex', bytes: blob },
        ]),
        { kind: 'text', text: blobs.length === 0 ? ']}' : '"]}' },
      ],
      ssz: () => blobs.map(({ blob }) => ({ kind: 'bytes', bytes: blob })),
    })
  })

  app.get('/eth/v1/beacon/blob_sidecars/:block_id', async (context) => {
    const indices = indicesOf(context, MAX_BLOB_COMMITMENTS_PER_BLOCK)
    const header = await headerOf(context, headers, context.req.param('block_id'))
    if (schedule.form(header.slot) === 'bid-columns')
      throw new ApiError(400, 'there are no blob sidecars from Gloas on: ask for /eth/v1/beacon/blobs')
    const select: Selection = (entries) =>
      indices === null ? entries : entries.filter(({ index }) => indices.includes(index))
    const blobs = await wanted(context, parts, schedule, header, select)
    const made = await sidecars.of(header, blobs, context.var.signal)
    const version = forkOfBlock(network, BigInt(header.slot), undefined, undefined)
    return formAnswer(
      context,
      {
        json: () => sidecarsJson(version, header, blobs, made),
        ssz: () => sidecarsSsz(header, blobs, made),
      },
      { 'eth-consensus-version': version, ...LEFT_OUT },
    )
  })
}

/** Throws `Refusal` where one of them cannot be had. */
async function wanted(
  context: ProxyContext,
  { blobs, metrics }: DataParts,
  schedule: DataSchedule,
  header: KnownHeader,
  select: Selection,
): Promise<readonly BlockBlob[]> {
  if (schedule.form(header.slot) === 'none')
    throw new Refusal(
      404,
      'before-deneb',
      `slot ${header.slot} is from before Deneb: there were no blobs yet`,
    )
  const answer = await blobs.get(header, select, context.var.signal)
  if (answer.status === 'refused') throw refusalOf(answer, header)
  context.var.note.via = answer.via
  metrics.gaveBlobs(answer.via, answer.blobs.length)
  return answer.blobs
}

/**
 * Blobs by versioned hashes, each as often as it is named, and no oftener: a block may have the same blob several times, and clients count
 * what they get. All blobs where no hash is named.
 */
function selectionOf(hashes: readonly string[] | undefined): Selection {
  if (hashes === undefined) return (entries) => entries
  return (entries) => {
    const left = new Map<string, number>()
    for (const hash of hashes) left.set(hash, (left.get(hash) ?? 0) + 1)
    return entries.filter(({ versionedHash }) => {
      const count = left.get(versionedHash) ?? 0
      left.set(versionedHash, count - 1)
      return count > 0
    })
  }
}

/** The beginning of an object, up to its list `data`. */
const opening = (json: string): string => `${json.slice(0, -1)},"data":[`

function sidecarsJson(
  version: string,
  header: KnownHeader,
  blobs: readonly BlockBlob[],
  parts: readonly SidecarParts[],
): Piece[] {
  const { slot, proposer_index, parent_root, state_root, body_root } = header
  const message = { slot: String(slot), proposer_index, parent_root, state_root, body_root }
  const signed = asciiJson({ message, signature: NO_SIGNATURE_HEX })
  const each = blobs.flatMap(({ index, blob, commitment }, at): Piece[] => {
    const { proof, branch } = parts[at]!
    const rest = [
      `"kzg_commitment":"${commitment}"`,
      `"kzg_proof":"${hexOf(proof)}"`,
      `"signed_block_header":${signed}`,
      `"kzg_commitment_inclusion_proof":${asciiJson(branch.map(hexOf))}`,
    ]
    return [
      { kind: 'text', text: `${at === 0 ? '' : ','}{"index":"${index}","blob":"0x` },
      { kind: 'hex', bytes: blob },
      { kind: 'text', text: `",${rest.join(',')}}` },
    ]
  })
  return [
    { kind: 'text', text: opening(asciiJson({ version, ...statusOf(header) })) },
    ...each,
    { kind: 'text', text: ']}' },
  ]
}

/** A list of `BlobSidecar`, which are of fixed size. */
function sidecarsSsz(
  header: KnownHeader,
  blobs: readonly BlockBlob[],
  parts: readonly SidecarParts[],
): Piece[] {
  const signed = concatAll([headerBytes(header), NO_SIGNATURE])
  return blobs.flatMap(({ index, blob, commitment }, at): Piece[] => {
    const { proof, branch } = parts[at]!
    const number = new Uint8Array(8)
    new DataView(number.buffer).setUint32(0, index, true)
    return [
      { kind: 'bytes', bytes: number },
      { kind: 'bytes', bytes: blob },
      { kind: 'bytes', bytes: concatAll([pointOf(commitment), proof, signed, ...branch]) },
    ]
  })
}
