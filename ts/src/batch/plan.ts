/**
 * How a batch is split over workers. With fewer units than workers each goes alone, in parallel; with more, into one
 * group a worker, since what a group shares (one multi-scalar multiplication, decompressed commitments) grows with its
 * size. The pairing is shared by all groups in any case.
 */

/** Bytes of units in one group: bounds the memory of a worker, and how long it can be silent. */
const MAX_GROUP_BYTES = 6 << 20

/**
 * Splits consecutive units of the given lengths into groups of about the same number of bytes; the answer is the number
 * of units in each. At least one group a worker if there are units enough, and none above the limit but for a unit
 * that is above it by itself.
 */
export function plan(
  lengths: readonly number[],
  workers: number,
  maxGroupBytes: number = MAX_GROUP_BYTES,
): number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  // Whole rounds: three groups on two workers would leave one of them idle for half of the time.
  const runners = Math.max(workers, 1)
  const rounds = Math.max(Math.ceil(total / maxGroupBytes / runners), 1)
  const wanted = Math.min(lengths.length, rounds * runners)
  const groups: number[] = []
  let taken = 0
  let bytesBefore = 0
  let bytes = 0
  let count = 0
  lengths.forEach((length, at) => {
    const left = lengths.length - at // units not yet taken, this one included
    const groupsLeft = wanted - groups.length
    const isFull =
      count > 0 &&
      (bytes + length > maxGroupBytes || bytes + length / 2 > (total - bytesBefore) / Math.max(groupsLeft, 1))
    const mustLeave = count > 0 && left < groupsLeft
    if (isFull || mustLeave) {
      groups.push(count)
      taken += count
      bytesBefore += bytes
      bytes = 0
      count = 0
    }
    bytes += length
    count++
  })
  if (lengths.length > taken) groups.push(lengths.length - taken)
  return groups
}
