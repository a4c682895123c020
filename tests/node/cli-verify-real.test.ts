/** `blobcheck verify` on real chain data, as it lies on people's disks. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from 'snappyjs'
import { describe, expect, it } from 'vitest'
import { blobcheck, blobcheckHere, jsonLines } from '../support/cli.ts'
import { listVectors, readTestFile, readValue } from '../support/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

describe('real data', () => {
  const folder = scratchFolder()

  /** A file as it lies on a disk: answers as JSON, transactions as hex digits, SSZ as it is. */
  async function real(path: string): Promise<string> {
    const file = join(folder.path, path.replaceAll('/', '-'))
    const read = `vectors/real/${path}`
    await writeFile(
      file,
      path.endsWith('.json')
        ? JSON.stringify(await readValue(read))
        : path.endsWith('.rlp')
          ? Buffer.from(await readTestFile(read)).toString('hex')
          : await readTestFile(read),
    )
    return file
  }

  /** Fulu from the first slot: for a devnet whose schedule is not known, and for columns of an older block. */
  async function alwaysFulu(maxBlobsPerBlock: number): Promise<string> {
    const path = join(folder.path, `fulu-${maxBlobsPerBlock}.json`)
    const config = {
      label: 'synthetic: Fulu from the first slot',
      genesisTime: 0,
      forkEpochs: { deneb: 0, electra: 0, fulu: 0, gloas: null },
      blobSchedule: [{ epoch: 0, maxBlobsPerBlock }],
    }
    await writeFile(path, JSON.stringify(config))
    return path
  }

  it('a mainnet blob sidecar: compressed it is not looked into, decompressed it is valid', async () => {
    const input = await readTestFile('vectors/real/mainnet_12035999_blob_sidecar_0.ssz')
    const file = join(folder.path, 'blob_sidecar.ssz_snappy')
    await writeFile(file, compress(input))
    const compressed = await blobcheckHere(['verify', file])
    expect(compressed.code).toBe(3)
    expect(compressed.out).toContain('it is compressed with snappy: decompress it first')
    const { code, out } = await blobcheck(['verify', '-'], { input })
    expect(code).toBe(0)
    expect(out).toContain('slot 12035999, blob 0: valid')
  })

  it('a devnet column, by a schedule that allows its ten blobs, and by none other', async () => {
    const column = await real('devnet_fulu_data_column_sidecar_41.ssz')
    const { code, out } = await blobcheckHere(['verify', '--network', await alwaysFulu(10), column])
    expect(code).toBe(0)
    expect(out).toContain('slot 20, column 41: valid')
    expect(out).toContain('(network: synthetic: Fulu from the first slot)')
    const few = await blobcheckHere(['verify', '--network', await alwaysFulu(9), column])
    expect(few.code).toBe(1)
    expect(few.out).toContain('malformed at structure: too-many-blobs')
    expect((await blobcheckHere(['verify', column])).out).toContain(
      'malformed at structure: unsupported-fork',
    )
  })

  it('columns computed from the Holesky block', async () => {
    const args = [
      'verify',
      '--json',
      '-n',
      await alwaysFulu(6),
      await real('holesky_1409759_data_column_sidecars_sample.json'),
    ]
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(0)
    expect(jsonLines(out).at(-1)).toMatchObject({ event: 'summary', items: 10, valid: 10 })
  })

  it.each(['txs-4844', 'txs-7594'])('all of %s', async (name) => {
    const files = await Promise.all(
      (await listVectors(`real/${name}`)).map(async (file) => await real(`${name}/${file}`)),
    )
    const { code, out } = await blobcheckHere(['verify', '--json', ...files])
    expect(code).toBe(0)
    expect(jsonLines(out).at(-1)).toMatchObject({ files: files.length, valid: files.length })
  })

  it.each([
    ['commitment', 'invalid at versioned-hash: versioned-hash-mismatch'],
    ['proof', 'malformed at encoding: proof-not-in-subgroup'],
  ])('a transaction with a false %s', async (name, words) => {
    const { code, out } = await blobcheckHere(['verify', await real(`txs-7594-invalid/${name}.rlp`)])
    expect(code).toBe(1)
    expect(out).toContain(`transaction, by the rules of osaka: ${words}`)
    expect(out).toMatch(/^ {4}blob 2: valid$/m)
  })

  it.each(['shape_only_blob_sidecars.json', 'shape_only_data_column_sidecars_fulu.json'])(
    'nothing of %s, which has the right shape alone',
    async (name) => {
      const { code, out } = await blobcheckHere(['verify', '--json', await real(name)])
      expect(code).toBe(1)
      expect(jsonLines(out).at(-1)).toMatchObject({ valid: 0, undetermined: 0 })
    },
  )
})
