/**
 * Two tiny modules that show what an engine can do. The first uses one SIMD instruction. The second computes
 * (1 + 2⁻³⁰)(1 − 2⁻³⁰) − 1 with `f64x2.relaxed_madd` in both lanes: −2⁻⁶⁰ where the engine fuses, 0 where it rounds
 * twice, and invalid where relaxed SIMD is unknown. Its export `fused` answers with 1 where both lanes are fused.
 */

// (module (func (result v128) i32.const 0 i8x16.splat))
const SIMD = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
])

const f64 = (value: number): number[] => [...new Uint8Array(Float64Array.of(value).buffer)]

/** v128.const with the same double in both lanes. */
const splat = (value: number): number[] => [0xfd, 0x0c, ...f64(value), ...f64(value)]

const section = (id: number, content: number[]): number[] => [id, content.length, ...content]

function fusedModule(): Uint8Array<ArrayBuffer> {
  // f64x2.eq gives all ones in each lane that is exactly −2⁻⁶⁰; i64x2.all_true wants both.
  const body = [
    ...splat(1 + 2 ** -30),
    ...splat(1 - 2 ** -30),
    ...splat(-1),
    ...[0xfd, 0x87, 0x02], // f64x2.relaxed_madd
    ...splat(-(2 ** -60)),
    ...[0xfd, 0x47], // f64x2.eq
    ...[0xfd, 0xc3, 0x01], // i64x2.all_true
    0x0b,
  ]
  const code = [0, ...body]
  return Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(3, [1, 0]),
    ...section(7, [1, 5, ...new TextEncoder().encode('fused'), 0, 0]),
    ...section(10, [1, code.length, ...code]),
  ])
}

/** Whether the engine has 128-bit SIMD. */
export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(SIMD)
}

/** Whether the host lets WebAssembly be compiled at all: a page's Content-Security-Policy may not, and some hosts never do. */
export function mayCompile(): boolean {
  try {
    // Small enough to be compiled at once in any thread.
    new WebAssembly.Module(SIMD)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the engine has relaxed SIMD that fuses multiplication and addition, and if not, why not. Hosts that forbid
 * compilation, and are handed compiled modules, cannot be probed.
 */
export async function relaxedSimd(): Promise<
  'fused' | 'unknown to this engine' | 'not fused by this engine' | 'something that could not be probed here'
> {
  const bytes = fusedModule()
  if (!hasSimd() || !WebAssembly.validate(bytes)) return 'unknown to this engine'
  try {
    const { instance } = await WebAssembly.instantiate(bytes)
    const fused = instance.exports['fused'] as () => number
    return fused() === 1 ? 'fused' : 'not fused by this engine'
  } catch {
    return 'something that could not be probed here'
  }
}
