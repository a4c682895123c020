/** The middle one of the times; of an even number, which there is while they are taken, the greater of two. */
export function medianOf(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)]!
}
