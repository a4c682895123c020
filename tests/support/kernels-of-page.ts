/** What a page, of whichever engine, knows of kernels. These functions run in it. */

/** The kernels of the modules of the verifier that this page has fetched. */
export function modulesOfVerifier(): (string | undefined)[] {
  return performance
    .getEntriesByType('resource')
    .flatMap(({ name }) => /\/verifier_(simd128|relaxed_simd)-[^/]*\.wasm$/.exec(name)?.[1] ?? [])
}

/** Whether the engine knows relaxed SIMD: a function that multiplies and adds two doubles with one rounding. */
export function compilesRelaxed(): boolean {
  const add = [0xfd, 0x87, 0x02]
  const body = [0x00, 0x20, 0x00, 0x20, 0x00, 0x20, 0x00, ...add, 0x0b]
  return WebAssembly.validate(
    new Uint8Array([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...[0x01, 0x06, 0x01, 0x60, 0x01, 0x7b, 0x01, 0x7b],
      ...[0x03, 0x02, 0x01, 0x00],
      ...[0x0a, body.length + 2, 0x01, body.length, ...body],
    ]),
  )
}
