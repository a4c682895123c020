/** What says nothing about the data: it could not be read, or what was asked for cannot be told of it. */
export class UndeterminedError extends Error {
  override readonly name = 'UndeterminedError'
}
