/** What the libraries call at once has no promise for an answer: they would take it for bytes. */
import { toEthereumjsKzg } from 'blobcheck/adapters/ethereumjs'
import { toEthersKzg } from 'blobcheck/adapters/ethers'
import { toOxKzg } from 'blobcheck/adapters/ox'
import { toViemKzg } from 'blobcheck/adapters/viem'
import { afterAll, describe, expect, it } from 'vitest'
import { callsAtOnce, offThread, prover, verifier } from './support.ts'

afterAll(() => offThread.dispose())

/** A prover of which each function answers with a promise, as one that wraps another may; one of them rejects. */
const later = {
  blobToKzgCommitment: async () => new Uint8Array(48),
  computeBlobKzgProof: async () => new Uint8Array(48),
  computeCells: async () => [],
  computeCellsAndKzgProofs: async () => ({ cells: [], proofs: [] }),
  recoverCellsAndKzgProofs: async () => await Promise.reject(new Error('nobody hears of it')),
}

const makers = [
  ['toViemSidecars', (from: unknown): object => toViemKzg(from as never)],
  ['toEthersBlobs', (from: unknown): object => toEthersKzg(from as never, 0)],
  ['toEthersBlobs', (from: unknown): object => toEthersKzg(from as never, 1)],
  ['toOxSidecars', (from: unknown): object => toOxKzg(from as never, verifier)],
  ['toEthereumjsBlobFields', (from: unknown): object => toEthereumjsKzg(from as never, verifier)],
] as const

describe.each(makers)('beside %s', (other, make) => {
  it('each function of a kzg throws for a promise', () => {
    const functions = Object.entries(make(later)).filter(([name]) => !/^verify/.test(name))
    expect(functions.length).toBeGreaterThan(1)
    for (const [, call] of functions) expect(() => (call as () => unknown)()).toThrow(callsAtOnce(other))
  })

  it('a prover that lacks one is none', () => {
    const { blobToKzgCommitment } = prover
    expect(() => make({ blobToKzgCommitment })).toThrow(callsAtOnce(other))
  })
})
