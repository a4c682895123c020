// Numbers among the options of a script: a count that was misread would make a run that does nothing, and finds nothing wrong.

/** The number of the option `name`, which may have a fraction; undefined where it was not given. Throws what is wrong with it. */
export function numberOf(values, name) {
  if (values[name] === undefined) return undefined
  const value = Number(values[name])
  if (!(value > 0 && value < Infinity)) throw new Error(`--${name} must be a number above 0`)
  return value
}

/** As `numberOf`, for a count: no fraction, and no less than `least`. */
export function countOf(values, name, least = 1) {
  const value = numberOf(values, name)
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} must be a whole number`)
  if (value < least) throw new Error(`--${name} must be ${least} at least`)
  return value
}
