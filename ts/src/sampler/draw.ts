/** Which columns: drawn from the platform's CSPRNG, so that nobody can know them before they are asked for. */

/** Fills an array with random bytes. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => void

/** Throws where there is no CSPRNG: what is not drawn at random proves nothing, and there is no second best. */
export const secureBytes: RandomBytes = (bytes) => {
  globalThis.crypto.getRandomValues(bytes)
}

/** So many distinct columns out of those given, in the order drawn: the first steps of Fisher's and Yates' shuffle. */
export function drawColumns(count: number, from: readonly number[], random: RandomBytes): number[] {
  const left = [...from]
  const uniform = uniformBelow(random)
  const drawn: number[] = []
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(uniform(left.length), 1))
  return drawn
}

/** Integers in [0, bound), bound up to 256, all equally likely: bytes that would favour the first of them are not used. */
function uniformBelow(random: RandomBytes): (bound: number) => number {
  const bytes = new Uint8Array(256)
  let at = bytes.length
  return (bound) => {
    const fair = 256 - (256 % bound)
    for (;;) {
      if (at === bytes.length) {
        random(bytes)
        at = 0
      }
      const byte = bytes[at++] ?? 0
      if (byte < fair) return byte % bound
    }
  }
}
