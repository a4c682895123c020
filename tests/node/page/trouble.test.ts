/** Why a chain cannot be followed, where several endpoints were asked. */
import { networks } from 'blobcheck'
import { BeaconUnavailableError } from 'blobcheck/light-client'
import { afterEach, expect, it, vi } from 'vitest'
import { troubleOf } from '../../../web-demo/src/follow/trouble.ts'

afterEach(() => vi.unstubAllGlobals())

it('is told of the first endpoint by its own failure, in whatever order they are named', async () => {
  const beacon = ['https://a.example', 'https://b.example']
  const genesis = { data: { genesis_validators_root: networks.mainnet.signing!.genesisValidatorsRoot } }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(genesis)))
  const failures = [
    { endpoint: 'https://b.example', kind: 'network', detail: 'nobody answers' },
    { endpoint: 'https://a.example', kind: 'not-found', detail: 'status 404' },
  ] as const
  const { signal } = new AbortController()
  for (const order of [failures, failures.toReversed()]) {
    const found = await troubleOf(new BeaconUnavailableError(order), { network: 'mainnet', beacon, signal })
    expect(found.kind).toBe('unknown-checkpoint')
    expect(found.text).toMatch(/^https:\/\/a\.example has nothing for light clients/)
  }
})

it('is told of the endpoint that failed where nothing is known of the first', async () => {
  const beacon = ['https://a.example/path', 'https://b.example', 'https://b.example/other']
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return Promise.reject(new TypeError('nobody answers'))
  })
  const error = new BeaconUnavailableError([
    { endpoint: 'https://b.example#2', kind: 'network', detail: 'nobody answers' },
  ])
  const { signal } = new AbortController()
  const found = await troubleOf(error, { network: 'mainnet', beacon, signal })
  expect(found).toMatchObject({
    ...{
      kind: 'silent',
      text: expect.stringMatching(/^Nobody answers at https:\/\/b\.example\/other /) as string,
    },
  })
  expect(asked).toEqual(['https://b.example/other/eth/v1/beacon/genesis'])
})

it('is told of a device without a network, unless the endpoint is on it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('nobody answers')))
  const { signal } = new AbortController()
  const kindOf = async (onLine: boolean, endpoint: string): Promise<string> => {
    vi.stubGlobal('navigator', { onLine })
    const { origin } = new URL(endpoint)
    const error = new BeaconUnavailableError([{ endpoint: origin, kind: 'network', detail: 'failed' }])
    const { kind, text } = await troubleOf(error, { network: 'mainnet', beacon: [endpoint], signal })
    expect(text).toMatch(kind === 'offline' ? /^There is no network: .* offline/ : /^Nobody answers at/)
    return kind
  }
  expect(await kindOf(false, 'https://a.example/key')).toBe('offline')
  expect(await kindOf(true, 'https://a.example/key')).toBe('silent')
  for (const here of ['http://127.0.0.1:5052', 'http://localhost:5052', 'https://[::1]:5052'])
    expect(await kindOf(false, here)).toBe('silent')
})

it.each([401, 402, 403])('is told of a node that refuses with status %i', async (status) => {
  const endpoint = 'https://a.example/key'
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ message: 'invalid key' }, { status })))
  const error = new BeaconUnavailableError([
    { endpoint: 'https://a.example', kind: 'refused', detail: `status ${status}` },
  ])
  const { signal } = new AbortController()
  const found = await troubleOf(error, { network: 'mainnet', beacon: [endpoint], signal })
  expect(found).toMatchObject({
    ...{ kind: 'refusing', command: null },
    text: expect.stringMatching(new RegExp(`^${endpoint} refuses .* \\(status ${status}\\)`)) as string,
  })
})
