/** Hashes and roots as text. */

/** Whether a value is 32 bytes as hex: `0x` and 64 digits of either case. */
export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
