/** What the prover throws besides `KzgInputError`, `WasmUnavailableError`, `DisposedError` and a signal's reason. */

/** The prover's setup could not be loaded, or what was loaded is not Ethereum's. */
export class SetupUnavailableError extends Error {
  override readonly name = 'SetupUnavailableError'
  constructor(detail: string, options?: ErrorOptions) {
    super(`the prover's setup is not to be had: ${detail}`, options)
  }
}
