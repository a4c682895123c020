/** Numbers as people read them. */

/** With commas: 1,073,741,824. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 0 })
}

/** `1 column`, `2 columns`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** Bytes in three digits or so, by powers of 1,000: `0.54 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${short(bytes / 1_000)} KB` : `${short(bytes / 1_000_000)} MB`
}

/** Milliseconds, as seconds from one second on. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${short(ms / 1_000)} s`
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : grouped(value)
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The digits of a non-negative integer, raised. */
export function raised(value: number): string {
  return Array.from(String(value), (digit) => DIGITS[Number(digit)] ?? digit).join('')
}

/** A probability as `1 in …`, rounded to the side of the greater one. */
export function oneIn(probability: number): string {
  const times = Math.floor(1 / probability)
  if (times <= Number.MAX_SAFE_INTEGER) return `1 in ${grouped(times)}`
  const exponent = Math.floor(Math.log10(1 / probability))
  // Truncated, not rounded: no more certain than it is.
  const mantissa = Math.floor((1 / probability / 10 ** exponent) * 10) / 10
  return `1 in ${mantissa.toFixed(1)} × 10${raised(exponent)}`
}
