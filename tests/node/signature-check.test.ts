/** The step between the checks and KZG in which headers' signatures are looked at: whose are asked about, and what becomes of each answer. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { DisposedError } from '../../dist/runtime/errors.js'
import { OnDemand } from '../../dist/runtime/on-demand.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import type { Checked } from '../../dist/verifier/checks/protocol.js'
import { SignatureCheck } from '../../dist/verifier/signatures.js'

afterEach(() => void vi.restoreAllMocks())

const key = new Uint8Array(48).fill(7)
const header = (byte: number): Uint8Array => new Uint8Array(208).fill(byte)
const links = { ...noLinks, inclusion: 'verified' } as const
const unit = { digest: '00', kind: 1, bytes: new Uint8Array(4) }
const withHeader = (byte: number): Checked => ({ links, unit, signedHeader: header(byte) })
const withoutHeader: Checked = { links, unit }
const refused: Checked = {
  links,
  refusal: { status: 'malformed', stage: 'structure', reason: 'blob-length' },
} as never
const transaction: Checked = { links, digest: '01', blobs: [withoutHeader] }

/** The step over signatures that are answered so. */
function make(answers: readonly boolean[] | null) {
  const verify = vi.fn(async (_: Uint8Array, __: readonly Uint8Array[]) => answers)
  const get = vi.spyOn(OnDemand.prototype, 'get').mockResolvedValue({ verify, dispose: () => {} })
  const network = resolveNetwork('mainnet')
  return { check: new SignatureCheck({ network, worker: false, onWarning: undefined }), verify, get }
}

const signed = (entry: Checked): object => ({ ...entry, links: { ...links, signature: 'verified' } })
const forged = {
  links,
  refusal: { status: 'invalid', stage: 'signature', reason: 'proposer-signature' },
}

describe('signatures', () => {
  it('are looked at once for each header, and show in all that came with it', async () => {
    const { check, verify } = make([true, false])
    const checked = [withHeader(1), withHeader(2), withHeader(1), withHeader(2)]
    expect(await check.of(checked, key)).toEqual([signed(checked[0]!), forged, signed(checked[2]!), forged])
    expect(verify.mock.calls).toEqual([[key, [header(1), header(2)]]])
  })

  it('are nobody’s where there is no header, or nothing is left to verify', async () => {
    const { check, verify } = make([true])
    const others = [null, withoutHeader, refused, transaction]
    expect(await check.of([...others, withHeader(1)], key)).toEqual([...others, signed(withHeader(1))])
    expect(verify.mock.calls).toEqual([[key, [header(1)]]])
  })

  it('are not asked for, nor is what verifies them loaded, where no header came', async () => {
    const { check, get } = make([])
    const checked = [null, withoutHeader, refused, transaction]
    expect(await check.of(checked, key)).toEqual(checked)
    expect(get).not.toHaveBeenCalled()
  })

  it('of which nothing could be learnt leave nothing to say, of what came with them alone', async () => {
    const { check } = make(null)
    expect(await check.of([withHeader(1), refused, withHeader(2)], key)).toEqual([null, refused, null])
  })

  it('are not looked at any more once the verifier is disposed of', async () => {
    const { check, get } = make([true])
    get.mockRestore()
    check.dispose()
    await expect(check.of([withHeader(1)], key)).rejects.toThrow(DisposedError)
  })
})
