/** Blob sidecars, blobs and columns, as true as the faults of the request let them be. */
import type { Hono } from '../../vendor/hono.ts'
import { COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { versionedHash } from '../../beacon/hashes.ts'
import type { Chain, ChainBlock } from '../chain.ts'
import {
  corruptBlob,
  corruptBlobSidecar,
  corruptColumn,
  corruptGloasColumn,
  isHiding,
  withheldColumns,
} from '../faults/data.ts'
import { type Fault, faultsOf } from '../faults/faults.ts'
import { asServedBy, columnsServedBy, type NodeName, refusalOfBlobs } from '../implementations.ts'
import { hexOf } from '../ssz/types.ts'
import { GloasDataColumnSidecar, GloasDataColumnSidecars } from '../ssz/gloas.ts'
import { Blobs, BlobSidecar, BlobSidecars, DataColumnSidecar, DataColumnSidecars } from '../ssz/sidecars.ts'
import { answer, ApiError, blockOf, indicesOf, listOf, readRoot } from './http.ts'
import { statusOf } from './blocks.ts'

/** What a JSON answer may hold: a string can be no longer than half a gigabyte. */
const MAX_JSON_BLOBS = 128

export function addDataRoutes(app: Hono, chain: Chain, nodesLike: NodeName | undefined): void {
  app.get('/eth/v1/beacon/blob_sidecars/:block_id', async (context) => {
    const block = blockOf(chain, context.req.param('block_id'))
    if (block.version === 'gloas') throw new ApiError(400, 'there are no blob sidecars from Gloas on')
    const faults = faultsOf(context)
    refuseBlobs(block, faults, nodesLike)
    const indices = indicesOf(context, MAX_BLOB_COMMITMENTS_PER_BLOCK) ?? block.blobs.map((_blob, at) => at)
    const sidecars: BlobSidecar[] = []
    for (const index of isHiding(faults) ? [] : indices)
      if (index < block.blobs.length)
        sidecars.push(
          corruptBlobSidecar(asServedBy(await block.blobSidecar(index), block.version, nodesLike), faults),
        )
    return answer(context, {
      version: block.version,
      json: () => ({
        version: block.version,
        ...statusOf(chain, block),
        data: sidecars.map((sidecar) => BlobSidecar.json(sidecar)),
      }),
      ssz: () => BlobSidecars.serialize(sidecars),
    })
  })

  app.get('/eth/v1/beacon/blobs/:block_id', (context) => {
    const block = blockOf(chain, context.req.param('block_id'))
    const faults = faultsOf(context)
    refuseBlobs(block, faults, nodesLike)
    const wanted = listOf(context, 'versioned_hashes')?.map((value) => readRoot(value, 'versioned_hashes'))
    const blobs = (isHiding(faults) || isWithheld(block) ? [] : block.blobs)
      .map(({ blob, commitment }, index) => ({ blob: corruptBlob(blob, index, faults), commitment }))
      .filter(({ commitment }) => wanted === undefined || wanted.includes(hexOf(versionedHash(commitment))))
      .map(({ blob }) => blob)
      .slice(0, MAX_JSON_BLOBS)
    return answer(context, {
      json: () => ({ ...statusOf(chain, block), data: blobs.map(hexOf) }),
      ssz: () => Blobs.serialize(blobs),
    })
  })

  app.get('/eth/v1/debug/beacon/data_column_sidecars/:block_id', (context) => {
    const block = blockOf(chain, context.req.param('block_id'))
    if (block.version !== 'fulu' && block.version !== 'gloas')
      throw new ApiError(400, `there are no columns before Fulu: ${block.version}`)
    const faults = faultsOf(context)
    const indices = indicesOf(context, COLUMNS) ?? Array.from({ length: COLUMNS }, (_, at) => at)
    const withheld = withheldColumns(faults, block.root)
    const isEmpty = isHiding(faults) || isWithheld(block) || block.blobs.length === 0
    const served = isEmpty ? [] : indices.filter((index) => !withheld.has(index))
    const { gloas } = block
    if (gloas) {
      const columns = served.map((index) => corruptGloasColumn(gloas.column(index), faults))
      return answer(context, {
        version: block.version,
        json: () => ({
          version: block.version,
          ...statusOf(chain, block),
          data: columns.map((column) => GloasDataColumnSidecar.json(column)),
        }),
        ssz: () => columnsServedBy(nodesLike, columns, GloasDataColumnSidecar, GloasDataColumnSidecars),
      })
    }
    const columns = served.map((index) => corruptColumn(block.column(index), faults))
    return answer(context, {
      version: block.version,
      json: () => ({
        version: block.version,
        ...statusOf(chain, block),
        data: columns.map((column) => DataColumnSidecar.json(column)),
      }),
      ssz: () => columnsServedBy(nodesLike, columns, DataColumnSidecar, DataColumnSidecars),
    })
  })
}

/** Ends a handler where a node of that kind would not have the columns that a block's blobs are rebuilt from. */
function refuseBlobs(block: ChainBlock, faults: readonly Fault[], like: NodeName | undefined): void {
  const lacking = block.blobs.length === 0 ? 0 : withheldColumns(faults, block.root).size
  const status = refusalOfBlobs(block.version, lacking, like)
  if (status !== null) throw new ApiError(status, `${COLUMNS - lacking} columns are too few to rebuild blobs`)
}

/** Whether its payload was never revealed: nobody has to keep data of it then. */
const isWithheld = ({ gloas }: ChainBlock): boolean => gloas?.envelope === null
