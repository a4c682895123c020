/** Which functions of provers compute in the calling thread. Apart from these, so that who asks loads no module. */

const functions = new WeakSet<object>()

/** Remembers the functions of a prover that was loaded into the calling thread. */
export function rememberSynchronous(prover: object): void {
  for (const value of Object.values(prover)) if (typeof value === 'function') functions.add(value)
}

/** Whether this is a function of a prover of `loadProver`, also where it was taken off it. */
export function isSynchronous(value: object): boolean {
  return functions.has(value)
}
