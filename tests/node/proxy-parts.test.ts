/** Parts of a proxy by themselves: its memory, its metrics, its log and its spec. */
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { proxyPrinter } from '../../dist/cli/proxy/printer.js'
import { logLine } from '../../dist/proxy/access-log.js'
import { hashOfCommitment } from '../../dist/blobs/wanted.js'
import { BlockBlobs } from '../../dist/proxy/blobs/block-blobs.js'
import { BoundedMap } from '../../dist/util/bounded-map.js'
import { Registry } from '../../dist/proxy/metrics/registry.js'
import { WasmUnavailableError } from '../../dist/runtime/errors.js'
import { specOf } from '../../dist/serve/spec.js'
import { toHex } from '../support/bytes.ts'
import { makeBlob } from '../support/make.ts'

describe('a fault', () => {
  it('is one line, with its name once and where it was thrown', () => {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const error = new WasmUnavailableError('code could not be loaded:\n  EMFILE')
    proxyPrinter(false, { stdout: out, stderr: err } as never).faulted(error)
    expect(String(err.read())).toMatch(
      /^\S+ fault WasmUnavailableError: code could not be loaded: EMFILE( \| at [^\n\ufffd|]+)+\n$/,
    )
    expect(out.read()).toBeNull()
  })
})

describe('a bounded map', () => {
  it('forgets what was used longest ago', () => {
    const forgotten: string[] = []
    const map = new BoundedMap<string, number>(
      10,
      (value) => value,
      (key) => forgotten.push(key),
    )
    map.set('a', 4)
    map.set('b', 4)
    expect(map.get('a')).toBe(4)
    map.set('c', 4)
    expect([map.get('b'), map.weight, map.size, forgotten]).toEqual([undefined, 8, 2, ['b']])
    map.set('d', 11)
    expect([map.get('d'), map.weight, forgotten]).toEqual([undefined, 8, ['b', 'd']])
    map.set('a', 6)
    expect(map.weight).toBe(10)
  })
})

describe('blobs in memory', () => {
  const header = { root: `0x${'01'.repeat(32)}`, slot: 1, finalized: false } as never
  const child = { slot: 2, root: `0x${'02'.repeat(32)}`, parentBlockHash: '' }
  const { blob, commitment } = makeBlob(3)
  const revealed = {
    ...{ verdict: 'complete', reason: 'verified', detail: null, payload: { status: 'full', child } },
    block: { commitments: [toHex(commitment as Uint8Array)] },
    blobs: [{ index: 0, blob, commitment, versionedHash: hashOfCommitment(toHex(commitment as Uint8Array)) }],
  }
  const unrevealed = {
    ...{ verdict: 'none', reason: 'payload-not-revealed', detail: null, payload: { status: 'empty' } },
    ...{ block: revealed.block, blobs: [] },
  }
  /** What was given, how often the source was asked, and what it and the source of headers say from now on. */
  const kept = () => {
    const said = { result: revealed as object, resolution: { status: 'unknown' } as object }
    const asked = { source: 0, headers: 0 }
    const blobs = new BlockBlobs({
      source: { get: async () => (asked.source++, said.result) } as never,
      headers: { resolve: async () => (asked.headers++, said.resolution) } as never,
      ...{ searchMs: 1_000, memoryBytes: 1e9, atOnce: 8, room: 8, onResult: () => {} },
    })
    const get = async (): Promise<unknown> => {
      const answer = await blobs.get(header, (entries) => entries, undefined)
      return answer.status === 'found' ? [answer.via, answer.blobs.length] : answer.status
    }
    return { said, asked, get }
  }

  it('of a block of Gloas are given while the next block is of the chain that showed its payload to be revealed', async () => {
    const { said, asked, get } = kept()
    expect(await get()).toEqual(['source', 1])
    said.resolution = { status: 'found', header: { ...child, finalized: false } }
    expect(await get()).toEqual(['memory', 1])
    for (const resolution of [
      { status: 'found', header: { ...child, root: `0x${'03'.repeat(32)}`, finalized: true } },
      { status: 'no-block' },
      { status: 'unknown' },
    ]) {
      Object.assign(said, { resolution, result: unrevealed })
      expect(await get()).toEqual(['source', 0])
    }
    expect(asked.source).toBe(4)
  })

  it('of a block of Gloas are given without a question once the next block is final', async () => {
    const { said, asked, get } = kept()
    await get()
    said.resolution = { status: 'found', header: { ...child, finalized: true } }
    for (let times = 0; times < 3; times++) expect(await get()).toEqual(['memory', 1])
    expect(asked).toEqual({ source: 1, headers: 1 })
  })
})

describe('metrics', () => {
  it('are in Prometheus’ text format, with labels escaped and buckets that add up', () => {
    const registry = new Registry()
    const counter = registry.counter('hits_total', 'Hits.')
    counter.add({ path: 'a"\\\n' })
    counter.add({ path: 'a"\\\n' }, 2)
    registry.gauge('size', 'Size.', () => [[{}, 1.5]])
    const histogram = registry.histogram('time_seconds', 'Time.', [0.1, 1])
    for (const value of [0.05, 0.5, 5]) histogram.observe({ route: 'x' }, value)
    expect(registry.text().split('\n')).toEqual([
      '# HELP hits_total Hits.',
      '# TYPE hits_total counter',
      'hits_total{path="a\\"\\\\\\n"} 3',
      '# HELP size Size.',
      '# TYPE size gauge',
      'size 1.5',
      '# HELP time_seconds Time.',
      '# TYPE time_seconds histogram',
      'time_seconds_bucket{route="x",le="0.1"} 1',
      'time_seconds_bucket{route="x",le="1"} 2',
      'time_seconds_bucket{route="x",le="+Inf"} 3',
      'time_seconds_sum{route="x"} 5.55',
      'time_seconds_count{route="x"} 3',
      '',
    ])
  })
})

describe('log lines', () => {
  it('are one line each, with words to grep for, whatever is in them', () => {
    const entry = { at: 0, method: 'GET', route: '/eth/v1/beacon/blobs/{block_id}', status: 503, block: '12' }
    const rest = { bytes: 3, ms: 1.26, via: null, reason: 'false', detail: 'a\nb\u001b[31m "c"' }
    expect(logLine({ ...entry, ...rest })).toBe(
      '1970-01-01T00:00:00.000Z 503 GET /eth/v1/beacon/blobs/{block_id} block=12 bytes=3 ms=1.3 reason=false ' +
        'detail="a\\nb\\u001b[31m \\"c\\""',
    )
  })
})

describe('the spec', () => {
  it('of a network has its forks, and leaves out one that nobody has scheduled or named', () => {
    const mainnet = specOf(resolveNetwork('mainnet'), 'mainnet')
    expect(mainnet).toMatchObject({
      ...{
        CONFIG_NAME: 'mainnet',
        PRESET_BASE: 'mainnet',
        SECONDS_PER_SLOT: '12',
        SLOT_DURATION_MS: '12000',
      },
      ...{ KZG_COMMITMENT_INCLUSION_PROOF_DEPTH: '17', KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH: '4' },
      ...{
        DENEB_FORK_EPOCH: '269568',
        FULU_FORK_VERSION: '0x06000000',
        GLOAS_FORK_EPOCH: '18446744073709551615',
      },
      BLOB_SCHEDULE: [
        { EPOCH: '412672', MAX_BLOBS_PER_BLOCK: '15' },
        { EPOCH: '419072', MAX_BLOBS_PER_BLOCK: '21' },
      ],
    })
    expect(specOf(resolveNetwork('holesky'), 'holesky')).not.toHaveProperty('GLOAS_FORK_EPOCH')
  })
})
