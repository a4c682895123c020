/** What `await using` ends. */

/**
 * Lets `await using` end an object by this, where the engine has `Symbol.asyncDispose`. By hand: one without the symbol could not parse a class
 * that has it as a key and no value for it, and would give an object literal a method by the name of `undefined`.
 */
export function disposeBy(object: object, end: () => Promise<void>): void {
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol }
  if (asyncDispose) Object.defineProperty(object, asyncDispose, { value: end })
}
