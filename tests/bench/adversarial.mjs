// Rows of the worst inputs that somebody could send in place of ordinary ones: points that are all the same, points whose sum
// vanishes, and proofs that are all false. Each has the size of a row of `operations.mjs`, to be held beside it, and is measured
// only if it is asked for by name.

const MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** The compressed opposite of a compressed point that is not the identity: the bit that tells y from −y is the third. */
const oppositePoint = (point) => Uint8Array.from(point, (byte, at) => (at === 0 ? byte ^ 0x20 : byte))

/** The field elements of a cell, each taken from the modulus. */
function oppositeCell(cell) {
  const opposite = new Uint8Array(cell.length)
  for (let at = 0; at < cell.length; at += 32) {
    const value = BigInt(`0x${Buffer.from(cell.slice(at, at + 32)).toString('hex')}`)
    const digits = ((MODULUS - value) % MODULUS).toString(16).padStart(64, '0')
    opposite.set(Buffer.from(digits, 'hex'), at)
  }
  return opposite
}

const repeated = (lists) => lists.map((list) => list.map(() => list[0]))

/** Each proof is its neighbour's, so that all are points of G1, and none is right. */
const withFalseProofs = (lists) => {
  const proofs = lists.at(-1)
  return [...lists.slice(0, -1), proofs.map((_, at) => proofs[(at + 1) % proofs.length])]
}

/** Every second cell is the opposite of the one before it, with the opposite of its commitment and of its proof: true as well. */
const cancelling = ([commitments, indices, cells, proofs]) => {
  const alternate = (list, opposite) =>
    list.map((_, at) => (at % 2 === 0 ? list[at] : opposite(list[at - 1])))
  return [
    alternate(commitments, oppositePoint),
    alternate(indices, (index) => index),
    alternate(cells, oppositeCell),
    alternate(proofs, oppositePoint),
  ]
}

const isTrue = (answer) => answer === true
const isFalse = (answer) => answer === false

/** A false cell of one of 32 blobs: its proof is that of the next cell. */
const falseCell = ({ commitments, cells, cellProofs }, at) => {
  const [blob, cellIndex] = [at % 32, Math.floor(at / 32)]
  return {
    commitment: commitments[blob],
    cellIndex,
    cell: cells[blob][cellIndex],
    proof: cellProofs[blob][(cellIndex + 1) % 128],
    source: `peer-${at}`,
  }
}

/** The rows by name, from the ordinary rows. `calls` is the function that a row calls, where it is not of the row's name. */
export function adversarialRows(operations) {
  const variant = (calls, extra, change, accept) => {
    const { blobs, cellBlobs, inputs } = operations[calls]
    return {
      calls,
      sizes: [],
      extra,
      blobs,
      cellBlobs,
      inputs: (made, n) => change(inputs(made, n)),
      accept,
    }
  }
  const [blobs, cells] = ['verifyBlobKzgProofBatch', 'verifyCellKzgProofBatch']
  return {
    [`${blobs}:repeated`]: variant(blobs, [6, 64], repeated, isTrue),
    [`${blobs}:false`]: variant(blobs, [6, 64], withFalseProofs, isFalse),
    [`${cells}:repeated`]: variant(cells, [128, 168, 8192], repeated, isTrue),
    [`${cells}:cancelling`]: variant(cells, [128, 168, 8192], cancelling, isTrue),
    [`${cells}:false`]: variant(cells, [128, 168, 8192], withFalseProofs, isFalse),
    falseCells: {
      sizes: [],
      extra: [128, 4096],
      blobs: () => 32,
      cellBlobs: () => 32,
      inputs: (made, n) => [Array.from({ length: n }, (_, at) => falseCell(made, at))],
      accept: (verdicts) => verdicts.every(({ status }) => status === 'invalid'),
    },
  }
}
