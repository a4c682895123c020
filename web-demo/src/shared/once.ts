/** What is made when it is wanted first, and shared with everyone who wants it later; where that failed, whoever wants it next has it made again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () =>
    (begun ??= make().catch((error: unknown) => {
      begun = undefined
      throw error
    }))
}
