/**
 * The specs' cases of gossiped data column sidecars of Gloas, as far as a sidecar and its block decide them, on each kernel. The others are
 * named, with what deciding them takes: their sidecars are as good as their blocks.
 */
import { createVerifier, type KernelName, type NetworkConfig, type Verdict } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText } from '../support/files.ts'
import { kernelsHere } from '../support/kernels.ts'

const FOLDER = 'gloas/minimal-gloas/networking/gossip_data_column_sidecar/pyspec_tests'

/** Gloas from genesis on: the cases have no config of their own. */
const network: NetworkConfig = {
  ...{ genesisTime: 0, slotsPerEpoch: 8, syncCommitteeSize: 32, blobSchedule: [] },
  forkEpochs: { deneb: 0, electra: 0, fulu: 0, gloas: 0 },
}

/** By the specs' reason: what a verifier says, which is given the newest of the case's blocks. */
const OURS: Readonly<Record<string, Partial<Verdict> | string>> = {
  valid: { status: 'valid' },
  'sidecar’s slot does not match block’s slot': {
    ...{ status: 'invalid', stage: 'anchor', reason: 'header-mismatch' },
  },
  // Of these nothing is wrong with the sidecar, or there is nothing to hold it against.
  'already seen sidecar for this block root and index': 'a memory of what was seen',
  'block for sidecar’s beacon block root has not been seen': 'the block',
  'block for sidecar’s beacon block root failed validation': 'the state transition',
}

interface Message {
  readonly message: string
  readonly reason?: string
}

const cases = await Promise.all(
  (await listVectors(FOLDER)).map(async (name) => {
    const path = `vectors/${FOLDER}/${name}`
    const { blocks, messages } = parse(await readText(`${path}/meta.yaml`)) as {
      blocks: { block: string }[]
      messages: Message[]
    }
    const read = async (file: string): Promise<Uint8Array<ArrayBuffer>> =>
      await readTestFile(`${path}/${file.trim()}.ssz`)
    return {
      name: name.replace('gossip_data_column_sidecar__', ''),
      blocks: await Promise.all(blocks.map(async ({ block }) => await read(block))),
      messages: await Promise.all(
        messages.map(async ({ message, reason = 'valid' }) => ({
          reason: reason.replaceAll("'", '’'),
          sidecar: await read(message),
        })),
      ),
    }
  }),
)

const kernels = (await kernelsHere()).map(({ name }) => name).filter((name) => !name.includes(' '))

describe('the specs’ cases of gossip in Gloas', () => {
  it('have no reason that is neither decided nor named', () => {
    const reasons = new Set(cases.flatMap(({ messages }) => messages.map(({ reason }) => reason)))
    expect(reasons).toEqual(new Set(Object.keys(OURS)))
  })

  it.each(kernels)('end as they must, with %s', async (kernel) => {
    const verifier = await createVerifier({ network, kernel: kernel as KernelName, workers: 0, cache: false })
    for (const { name, blocks, messages } of cases)
      for (const { reason, sidecar } of messages) {
        const expected = OURS[reason]
        const root = toHex(sidecar.subarray(24, 56))
        const block = blocks.at(-1)!
        const [verdict] = await verifier.verifyDataColumnSidecars([sidecar], { anchor: { block } })
        if (typeof expected === 'object') expect(verdict, name).toMatchObject(expected)
        else if (expected === 'the block')
          // Held against another block than its own, which has another number of blobs, and against none.
          for (const [anchor, why] of [
            [{ block }, 'column-lengths'],
            [{ header: root }, 'commitment-missing'],
          ] as const)
            expect(await verifier.verifyDataColumnSidecars([sidecar], { anchor }), name).toMatchObject([
              { status: 'malformed', stage: 'structure', reason: why },
            ])
        else expect(verdict, name).toMatchObject({ status: 'valid' })
      }
    await verifier.dispose()
  })
})
