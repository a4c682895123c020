/** IndexedDB without a library: what a request answers. */

/** The result of a request; rejects with its error. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error as Error))
  })
}
