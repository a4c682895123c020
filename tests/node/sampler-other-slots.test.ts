/** Headers on trust that name another slot than their block's: found out by whatever of the block brings its slot, in each form of before Gloas. */
import type { SidecarFile } from 'blobcheck/sampler'
import { expect, it } from 'vitest'
import { sampleColumns } from '../../dist/sampler/columns.js'
import type { SampleContext } from '../../dist/sampler/context.js'
import type { Finding } from '../../dist/sampler/finding.js'
import { completeWithFiles } from '../../dist/sampler/whole/files.js'
import { fallBack } from '../../dist/sampler/whole/fallbacks.js'
import { wholeSidecars } from '../../dist/sampler/whole/sidecars.js'
import {
  column,
  commitments,
  giving,
  lacking,
  type Node,
  readsBlock,
  sceneOf,
  sidecar,
  type World,
} from '../support/sample-context.ts'
import { listSsz } from '../support/ssz.ts'

const blockAlone: Node = ({ what }) => (what === 'block' ? new Uint8Array(9) : 404)
const inFile = (kind: SidecarFile['kind'], bytes: Uint8Array): World => ({
  files: [{ name: 'file', kind, bytes }],
})

it.each<[string, World, (context: SampleContext) => Promise<Finding>]>([
  ['a column', { nodes: { a: giving('columns', 1, () => 'true') } }, sampleColumns],
  ['a blob sidecar', { nodes: { a: giving('sidecars', 1, () => 'true') } }, wholeSidecars],
  [
    'a column in a file',
    inFile('data-column-sidecars', listSsz([column(0, 1)])),
    (context) => completeWithFiles(lacking(), context),
  ],
  [
    'a blob sidecar in a file',
    inFile('blob-sidecars', sidecar(0, 1)),
    (context) => completeWithFiles(lacking(), context),
  ],
  [
    'the block, where its commitments are wanted',
    { nodes: { a: blockAlone }, blobs: true, readBlock: readsBlock(commitments(1)) },
    (context) => fallBack(lacking(), context),
  ],
])('%s shows it', async (_, world, sample) => {
  const { context } = sceneOf(world)
  await expect(sample(context)).resolves.toBeDefined()
  const { root, slot } = context.header
  const other = sceneOf(world).context
  const sampled = sample({ ...other, header: { root, slot: slot + 1 } })
  await expect(sampled).rejects.toThrow(`a header of slot ${slot + 1}, whose block is of slot ${slot}`)
  await expect(sampled).rejects.toThrow(TypeError)
})
