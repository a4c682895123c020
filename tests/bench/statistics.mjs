// Medians: a mean is one interruption away from nonsense.
export function median(values) {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The value that a tenth of all are below: what a call takes when nothing comes between. */
export function quickestTenth(values) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 10)] ?? null
}

/** A number with three significant digits. */
export function digits(value) {
  if (value === null || value === undefined) return '–'
  if (value >= 1000) return Math.round(value).toLocaleString('en-GB')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
