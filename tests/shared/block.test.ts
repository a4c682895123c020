import { createVerifier, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readText } from '../support/files.ts'

describe('the real block', () => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: 'holesky', cache: false })
  })
  afterAll(async () => await verifier.dispose())

  it('has six valid blobs', async () => {
    const block = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as { data: object[] }
    const verdicts = await verifier.verifyBlobSidecars(block)
    expect(verdicts.map(({ status }) => status)).toEqual(Array(6).fill('valid'))
  })
})
