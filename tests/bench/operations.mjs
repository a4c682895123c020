// What is measured: the specification's functions in camelCase, each with its sizes, the inputs of a size, and the answer
// that makes a measurement count. A peer that gives another answer is not fast but wrong.

import { adversarialRows } from './adversarial.mjs'

/** Column by column, as a node that has custody of them would check them. */
const cellsOf = ({ commitments, cells, cellProofs }, blobs, columns) => {
  const places = columns.flatMap((column) => blobs.map((blob) => [blob, column]))
  return [
    places.map(([blob]) => commitments[blob]),
    places.map(([, column]) => column),
    places.map(([blob, column]) => cells[blob][column]),
    places.map(([blob, column]) => cellProofs[blob][column]),
  ]
}

const upTo = (count) => Array.from({ length: count }, (_, at) => at)

/** The cells of a size: one; those of a blob; 8 columns of 21 blobs; 128 columns of 64 blobs. */
const cellBatches = {
  1: (inputs) => cellsOf(inputs, [0], [77]),
  48: (inputs) =>
    cellsOf(
      inputs,
      upTo(6),
      upTo(8).map((at) => 16 * at + 5),
    ),
  128: (inputs) => cellsOf(inputs, [0], upTo(128)),
  168: (inputs) =>
    cellsOf(
      inputs,
      upTo(21),
      upTo(8).map((at) => 16 * at + 5),
    ),
  8192: (inputs) => cellsOf(inputs, upTo(64), upTo(128)),
}

const isTrue = (answer) => answer === true
const sameBytes = (left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)) === 0
const sameLists = (left, right) =>
  left.length === right.length && left.every((entry, at) => sameBytes(entry, right[at]))
/** Every second cell: 64 of them, ascending. */
const half = upTo(64).map((at) => 2 * at + 1)
const blobItems = ({ blobs, commitments, proofs }, n, copiesOf = (at) => at) =>
  upTo(n).map((at) => ({
    blob: blobs[copiesOf(at)],
    commitment: commitments[copiesOf(at)],
    proof: proofs[copiesOf(at)],
    source: `peer-${at}`,
  }))

/**
 * `sizes`: every n. `quick`: those that a quick run measures; absent: none. `extra`: sizes that are measured only if they are
 * asked for by name; a row that has no other sizes, at all of them. `blobs`, `cellBlobs`, `committees` and `chains` say how many
 * of each the inputs of a size need. `about`: the table that a row stands in, if it is not the one of blobs. `inputs` gives the
 * arguments in the order of the specification. `accept` says whether an answer is right; it is given bytes, whatever form an
 * implementation answers in.
 */
const ordinary = {
  coldStart: {
    title: 'import → first verdict',
    sizes: [1],
    quick: [1],
    blobs: () => 1,
    cellBlobs: () => 1,
  },
  verifyBlobKzgProof: {
    sizes: [1],
    blobs: (n) => n,
    inputs: ({ blobs, commitments, proofs }) => [blobs[0], commitments[0], proofs[0]],
    accept: isTrue,
  },
  verifyBlobKzgProofBatch: {
    sizes: [1, 2, 4, 6, 8, 16, 32, 64],
    quick: [6],
    blobs: (n) => n,
    inputs: ({ blobs, commitments, proofs }, n) =>
      [blobs, commitments, proofs].map((list) => list.slice(0, n)),
    accept: isTrue,
  },
  verifyCellKzgProofBatch: {
    sizes: [1, 128, 168, 8192],
    quick: [128],
    extra: [48],
    titles: {
      1: 'one cell',
      48: '8 columns × 6 blobs',
      128: 'one blob’s cells',
      168: '8 columns × 21 blobs',
      8192: '128 columns × 64 blobs',
    },
    blobs: (n) => (n === 8192 ? 64 : n === 168 ? 21 : n === 48 ? 6 : 1),
    cellBlobs: (n) => ordinary.verifyCellKzgProofBatch.blobs(n),
    inputs: (inputs, n) => cellBatches[n](inputs),
    accept: isTrue,
  },
  computeCells: {
    sizes: [1],
    blobs: (n) => n,
    cellBlobs: () => 1,
    inputs: ({ blobs }) => [blobs[0]],
    accept: (answer, { cells }) => sameLists(answer, cells[0]),
  },
  recoverCells: {
    title: 'recoverCells, cells only',
    sizes: [64],
    blobs: () => 1,
    cellBlobs: () => 1,
    inputs: ({ cells }) => [half, half.map((at) => cells[0][at])],
    accept: (answer, { cells }) => sameLists(answer, cells[0]),
  },
  recoverCellsAndKzgProofs: {
    sizes: [64],
    blobs: () => 1,
    cellBlobs: () => 1,
    inputs: ({ cells }) => [half, half.map((at) => cells[0][at])],
    accept: (answer, { cells, cellProofs }) => sameLists(answer, [...cells[0], ...cellProofs[0]]),
  },
  blobToKzgCommitment: {
    sizes: [1],
    blobs: (n) => n,
    inputs: ({ blobs }) => [blobs[0]],
    accept: (answer, { commitments }) => sameBytes(answer, commitments[0]),
  },
  verifyBlobCommitments: {
    titles: { 1: 'blob without proof', 6: 'blobs without proofs', 21: 'blobs without proofs' },
    sizes: [1, 6, 21],
    blobs: (n) => n,
    inputs: ({ blobs, commitments }, n) => [blobs, commitments].map((list) => list.slice(0, n)),
    accept: isTrue,
  },
  computeBlobKzgProof: {
    sizes: [1],
    blobs: (n) => n,
    inputs: ({ blobs, commitments }) => [blobs[0], commitments[0]],
    accept: (answer, { proofs }) => sameBytes(answer, proofs[0]),
  },
  computeCellsAndKzgProofs: {
    sizes: [1],
    blobs: (n) => n,
    cellBlobs: () => 1,
    inputs: ({ blobs }) => [blobs[0]],
    accept: (answer, { cells, cellProofs }) => sameLists(answer, [...cells[0], ...cellProofs[0]]),
  },
  fastAggregateVerify: {
    about: 'signatures',
    sizes: [512, 459],
    titles: { 512: 'keys cached', 459: 'keys cached, 53 absent' },
    committees: () => 1,
    inputs({ committee }, n) {
      const { keys, bits, signature } = committee.signed[n]
      return [keys, committee.message, signature, bits, committee]
    },
    accept: isTrue,
  },
  syncCommitteeKeys: {
    about: 'signatures',
    sizes: [512],
    titles: { 512: 'decoded and checked' },
    committees: () => 1,
    inputs: ({ committee }) => [committee.keys, committee.aggregate],
    accept: isTrue,
  },
  processLightClientUpdate: {
    title: 'processLightClientUpdate, committee known',
    about: 'signatures',
    sizes: [1],
    chains: () => 1,
    inputs: ({ chain }) => [chain],
    accept: (store, { chain }) => Buffer.from(store).includes(chain.finalizedBodyRoot),
  },
  'processLightClientUpdate:newCommittee': {
    title: 'processLightClientUpdate, committee new',
    about: 'signatures',
    sizes: [1],
    chains: () => 1,
    inputs: ({ chain }) => [chain],
    accept: (store, { chain }) => Buffer.from(store).includes(chain.finalizedBodyRoot),
  },
  checks: {
    title: 'pipeline: cheap checks of 64 blobs',
    sizes: [64],
    blobs: (n) => n,
    inputs: (inputs, n) => [blobItems(inputs, n)],
    accept: (verdicts) => verdicts.every(({ status }) => status === 'unchecked'),
  },
  dedup: {
    title: 'pipeline: one blob from 64 peers',
    sizes: [64],
    blobs: () => 1,
    inputs: (inputs, n) => [blobItems(inputs, n, () => 0)],
    accept: (verdicts) =>
      verdicts.every(({ status }) => status === 'valid') &&
      verdicts.filter(({ via }) => via === 'kzg').length === 1,
  },
  cacheHit: {
    title: 'pipeline: 64 blobs seen before',
    sizes: [64],
    blobs: (n) => n,
    inputs: (inputs, n) => [blobItems(inputs, n)],
    accept: (verdicts) => verdicts.every(({ status, via }) => status === 'valid' && via === 'cache'),
  },
}

export const operations = { ...ordinary, ...adversarialRows(ordinary) }

/** The function of an implementation that a row calls. */
export const functionOf = (op) => operations[op].calls ?? op

/** Rows `{ op, n }` in the order of the table. `wanted`: names, or what stands before a colon, or `name/n`; none: all. */
export function chooseRows(wanted, quick) {
  const known = Object.entries(operations).flatMap(([op, { sizes, extra = [] }]) =>
    [...sizes, ...extra].map((n) => `${op}/${n}`),
  )
  for (const name of wanted ?? []) {
    if (!(name in operations) && !known.includes(name))
      throw new Error(
        `unknown operation ${name}; known are ${Object.keys(operations).join(', ')}, alone or as name/n`,
      )
  }
  return Object.entries(operations).flatMap(([op, operation]) => {
    if (wanted === undefined)
      return (quick ? (operation.quick ?? []) : operation.sizes).map((n) => ({ op, n }))
    const { sizes, extra } = operation
    if (wanted.includes(op)) return (sizes.length > 0 ? sizes : extra).map((n) => ({ op, n }))
    if (wanted.includes(op.split(':')[0])) return sizes.map((n) => ({ op, n }))
    return known
      .filter((name) => name.startsWith(`${op}/`) && wanted.includes(name))
      .map((name) => ({ op, n: Number(name.split('/')[1]) }))
  })
}

/** How many blobs, how many of them with cells, how many sync committees and how many chains the rows need. */
export function needs(rows) {
  const most = (count) => Math.max(0, ...rows.map(({ op, n }) => operations[op][count]?.(n) ?? 0))
  return {
    blobs: Math.max(most('blobs'), most('cellBlobs')),
    cellBlobs: most('cellBlobs'),
    committees: most('committees'),
    chains: most('chains'),
  }
}
