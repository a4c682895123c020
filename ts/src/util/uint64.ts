/** Integers of the consensus layer, strictly: WebAssembly would wrap what does not fit. */

/** A uint64 from a decimal string, a bigint or a safe integer; throws `TypeError` for anything else. */
export function readUint64(value: unknown, name: string): bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
  const integer = isInteger
    ? BigInt(value)
    : typeof value === 'string' && /^[0-9]{1,20}$/.test(value)
      ? BigInt(value)
      : -1n
  if (integer < 0n || integer >= 1n << 64n)
    throw new TypeError(`${name} must be a uint64, as a decimal string or a number`)
  return integer
}
