/** What endpoints put into answers, and users into URLs, as far as it comes back in messages and reports. */
import { BeaconUnavailableError, type LightClientOptions } from 'blobcheck/light-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { BeaconFailure } from '../../dist/beacon/failure.js'
import { failureOf } from '../../dist/light-client/errors.js'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { startClient } from '../support/clients.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 1 })
})

const answering = (body: string, type = 'application/json'): NonNullable<LightClientOptions['fetch']> => {
  return async () => new Response(body, { headers: { 'content-type': type } })
}

async function messageOf(fetch: NonNullable<LightClientOptions['fetch']>): Promise<string> {
  const beacon = 'http://a.example/v2/secret/?token=hush'
  const error: unknown = await startClient(chain, beacon, { fetch }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(BeaconUnavailableError)
  return JSON.stringify([(error as Error).message, (error as { failures: unknown }).failures])
}

describe('an endpoint’s words', () => {
  it.each([
    ['a version', answering('{"version":"\\u001b]0;x\\u0007\\u001b[2J\\u009b\\u202e","data":{}}')],
    ['a body', answering('\u001b[2Jx\u009b5m')],
    ['a content type', answering('', `x/${'y'.repeat(5_000)}`)],
    ['an error', () => Promise.reject(new Error(`\u001b[31m${'z'.repeat(5_000)}`))],
  ])('cannot steer a terminal, nor fill it: %s', async (_name, fetch) => {
    const message = await messageOf(fetch)
    // JSON shows control characters of C0 as escapes, and leaves the others as they are.
    expect(message).not.toMatch(/\\u00|\\[bfnrt]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(message.length).toBeLessThan(1_000)
  })

  it('are bounded wherever a failure is made', () => {
    const all = String.fromCharCode(...Array.from({ length: 160 }, (_, code) => code))
    const { message } = new BeaconFailure('malformed', all.repeat(3))
    expect(message).toHaveLength(200)
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    expect(message).toContain('ABC')
  })
})

describe('a URL’s path and query', () => {
  it.each([
    (url: string) => new Error(`cannot fetch ${url}`),
    (url: string) => new Error('failed', { cause: new Error(`GET ${url.replace('http://a.example', '')}`) }),
    (url: string) => `nothing at ${url}`,
  ])('stay out of messages: %#', async (failing) => {
    const message = await messageOf((url) => Promise.reject(failing(url) as Error))
    expect(message).toContain('a.example')
    expect(message).not.toMatch(/secret|hush/)
  })
})

describe('our own faults', () => {
  it('accuse no endpoint', () => {
    for (const reason of ['network-config', 'store-encoding', 'store-network'] as const)
      expect(failureOf(reason)).toBe('crashed')
  })
})
