/** An endpoint that answers anything at all: what comes back is proven, null, or the one error that says who failed, and it always ends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExecutionSource } from '../../dist/execution/source.js'
import { transactionBytes } from '../../dist/execution/transaction.js'
import { toHex } from '../support/bytes.ts'
import { recordedBlock } from '../support/execution.ts'
import { debug, honest, makeBlock, type MadeTransaction } from '../support/execution-chain.ts'
import type { Call, Methods } from '../support/json-rpc-server.ts'

const recorded = await recordedBlock()
const some = ['0x0', '0x2', '0x3', '0x4'].map((type): MadeTransaction => {
  const json = recorded.transactions.find((one) => one['type'] === type)!
  return { json, raw: transactionBytes(json) }
})
const block = await makeBlock(some)
const proof = await block.proof(2)
const wanted = some[2]!.json.hash
const methods: Methods = {
  ...honest(block),
  ...debug(block),
  proof_getTransactionByHash: () => ({
    ...{ transaction: block.transactions[2]!.json, txProof: proof, blockHeader: toHex(block.header) },
  }),
}

/** A source whose one endpoint answers each call as `answer` says, without a network. */
function sourceOf(answer: (call: Call) => unknown): ReturnType<typeof createExecutionSource> {
  const respond = async (_url: string, init: { readonly body?: string }): Promise<Response> => {
    const call = JSON.parse(init.body ?? '') as Call
    return Response.json({ jsonrpc: '2.0', id: call.id, result: answer(call) ?? null })
  }
  return createExecutionSource([new URL('http://a.example')], {
    ...{ fetch: respond, timeoutMs: 10_000, now: Date.now, random: () => 0 },
  })
}

const terms = {
  signal: new AbortController().signal,
  tally: { requested() {}, received() {}, failed() {} },
}

async function outcome<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    expect(error).toMatchObject({
      name: 'BeaconUnavailableError',
      failures: [{ endpoint: 'http://a.example' }],
    })
    return null
  }
}

/** That whatever comes back is what the honest block says; and whether a transaction did. */
async function expectTruth(answer: (call: Call) => unknown): Promise<boolean> {
  const source = sourceOf(answer)
  const told = await outcome(source.transaction(wanted, terms))
  // That it is in no block yet may be part of the junk.
  const found = told === 'pending' ? null : told
  if (found !== null) expect(found).toMatchObject({ hash: wanted, index: 2, header: { hash: block.hash } })
  const header = await outcome(source.header(block.hash, terms))
  if (header !== null) expect(header).toMatchObject({ hash: block.hash, rlp: block.header })
  return found !== null
}

const honestly = ({ method, params }: Call): unknown => methods[method]!(...(params as string[]))

/** A value with one part of it, wherever that is, replaced. */
function replacedIn(value: unknown, at: readonly number[], by: unknown): unknown {
  const [here, ...further] = at
  if (here === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  if (keys.length === 0) return by
  const key = keys[here % keys.length]!
  const changed = replacedIn((value as Record<string, unknown>)[key], further, by)
  return Array.isArray(value)
    ? value.map((one: unknown, index) => (String(index) === key ? changed : one))
    : { ...value, [key]: changed }
}

const hex = fc.uint8Array({ maxLength: 40 }).map(toHex)
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hex,
  fc.constant(null),
  fc.constantFrom('0x', '0x0', '0x00', '0xc0'),
)

describe('junk', () => {
  it('in the place of any result is no answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(methods)), junk, async (spoilt, value) => {
        await expectTruth((call) => (call.method === spoilt ? value : honestly(call)))
        expect(await expectTruth(() => value)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('in the place of any part of a result is none either', async () => {
    const path = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 5 })
    const ways = fc.constantFrom<readonly string[]>(
      [],
      ['proof_getTransactionByHash'],
      ['proof_getTransactionByHash', 'debug_getRawBlock', 'debug_getRawHeader'],
    )
    let proven = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(methods)),
        path,
        junk,
        ways,
        async (spoilt, at, value, missing) => {
          const isProven = await expectTruth((call) => {
            if (missing.includes(call.method)) return null
            const result = honestly(call)
            return call.method !== spoilt
              ? result
              : typeof result === 'string'
                ? `${result.slice(0, at[0]! % result.length)}${String(value)}`
                : replacedIn(result, at, value)
          })
          if (isProven) proven++
        },
      ),
      { numRuns: 300 },
    )
    expect(proven).toBeGreaterThan(0)
  })
})
