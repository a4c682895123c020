/** Samplers of made blocks, and what belongs to them, gone when the test file ends. */
import { createVerifier, type Verifier } from 'blobcheck'
import type { Sampler, SamplerOptions, SampleReport } from 'blobcheck/sampler'
import { afterAll, beforeAll, expect } from 'vitest'
import { samplerOf } from '../../dist/sampler/create.js'
import type { RandomBytes } from '../../dist/sampler/plan.js'
import { invented } from './blocks.ts'
import { type ColumnBlock, headersOf } from './column-oracle.ts'
import { seeded } from './make.ts'

const { random } = Math
let verifier: Verifier
beforeAll(async () => {
  // Who is asked for which column is drawn, too: what is improbable happens in a run of thousands, and then it is no bug.
  Math.random = seeded(1)
  verifier = await createVerifier({ network: invented, workers: 1, cache: false })
})
afterAll(async () => {
  Math.random = random
  await verifier.dispose()
})

/** Bytes from a seed, so that what happens in a test happens again. */
export function bytesFrom(seed: number): RandomBytes {
  const random = seeded(seed)
  return (bytes) => bytes.forEach((_, at) => (bytes[at] = Math.floor(random() * 256)))
}
let samplers = 0

/** A sampler of a made block, in its own time, that is trusted to be of the chain. Each has draws of its own, the same in each run. */
export function samplerFor(
  block: ColumnBlock,
  beacon: SamplerOptions['beacon'],
  options: Partial<SamplerOptions> = {},
  random: RandomBytes = bytesFrom(++samplers),
): Sampler {
  const now = (): number => (invented.genesisTime + 12 * (block.slot + 2)) * 1000
  return samplerOf({ verifier, headers: headersOf(block), beacon, now, ...options }, random)
}

/** That a report is of one piece: whatever it says, it says everywhere. */
export function expectSound(report: SampleReport): void {
  const { columns, confidence, endpoints, verdict } = report
  const indices = columns.map(({ index }) => index)
  expect(new Set(indices).size).toBe(indices.length)
  expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index < 128)).toBe(true)
  expect(confidence.assumption).not.toBe('')
  if (report.reason === 'no-header' || report.reason === 'no-commitments')
    expect(report.detail).not.toBeNull()
  // Where the number of blobs alone shows it, there is none.
  else if (report.detail !== null && report.reason !== 'unsupported-fork')
    expect(report.detail).toMatch(/^whole blobs could not be verified: /)
  if (verdict === 'available') expect(report.detail).toBeNull()
  expect(confidence.maxErrorIfOneLies).toBeGreaterThanOrEqual(confidence.maxError)
  if (confidence.servers < 2) expect(confidence.maxErrorIfOneLies).toBe(1)
  if (confidence.independent) {
    expect(confidence.maxErrorIfOneLies).toBeLessThan(1)
    expect(confidence.contested).toEqual([])
  }
  expect(report.notVerified.includes('independence-of-endpoints')).toBe(!confidence.independent)
  expect(confidence.certain).toBe(confidence.maxError === 0)
  const { fallback, via } = report
  if (via === 'header') expect(fallback).toBeNull()
  if (via === 'blobs' || via === 'blob-sidecars') expect(fallback).not.toBeNull()
  if (fallback !== null && verdict === 'available') expect(fallback.sources).not.toEqual([])
  if (verdict !== 'available') expect(confidence.maxError).toBe(1)
  if (verdict === 'available' && report.via === 'data-columns') {
    const drawn = columns.slice(0, confidence.samples)
    expect(drawn).toHaveLength(confidence.samples)
    expect(confidence.missing).toBe(drawn.filter(({ status }) => status === 'missing').length)
    // Beyond the sample columns are asked for only where it failed.
    if (columns.length > drawn.length) expect(report.reason).toBe('reconstructible')
    expect(columns.slice(confidence.samples).every(({ added }) => added)).toBe(true)
    expect(confidence.maxError).toBeLessThan(1)
    expect(report.links.kzg).toBe('verified')
    expect(report.links.inclusion).toBe('verified')
  }
  // Nothing is asked for that was not drawn, and all that was drawn is reported on.
  if (report.via === 'data-columns')
    for (const { asked } of endpoints) expect(asked.every((index) => indices.includes(index))).toBe(true)
  for (const { attempts, index, reason, source, status } of columns) {
    expect(reason === null).toBe(status === 'verified')
    expect(source === null).toBe(status === 'missing')
    const share = endpoints.find(({ endpoint }) => endpoint === source)
    if (source !== null) expect(share?.verified).toContain(index)
    if (source !== null) expect(attempts.at(-1)).toEqual({ endpoint: source, outcome: 'verified' })
  }
  expect(JSON.parse(JSON.stringify({ ...report, blobs: null }))).toEqual({ ...report, blobs: null })
}
