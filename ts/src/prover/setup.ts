/** The prover's setup: two halves, each of which is loaded when it is needed first. */
import { commitmentSetupFile, type SetupFile, SetupHalf } from '../kzg/setup.ts'
import { readSetupSource, type SetupSource } from '../kzg/setup-source.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'

export { SetupUnavailableError } from '../kzg/setup.ts'
export type { SetupSource } from '../kzg/setup-source.ts'

/** The caller's halves of the setup; the package's own file serves for one that is not given. Each must be Ethereum's, byte by byte. */
export interface SetupSources {
  /** What all proofs need: `prover-setup.bin`, 262,176 bytes. */
  readonly blobs?: SetupSource
  /** What proofs of cells need as well: `prover-setup-extension.bin`, 262,176 bytes. */
  readonly cells?: SetupSource
}

/** What proofs of cells need is the second half, besides the first. */
export type HalfCount = 1 | 2

const extensionFile: SetupFile = {
  name: 'prover-setup-extension.bin',
  url() {
    return new URL('../../wasm/prover-setup-extension.bin', import.meta.url)
  },
  hash: '9859f9f1a1606dd59faa2258ff73cdcbe7980c0d51eb9e4b8eee9b62ad809471',
}

/**
 * The setup as one prover sees it.
 *
 * @internal
 */
export class Setup {
  readonly #halves: readonly SetupHalf[]

  /** Reads the option `setup`. Throws `TypeError` where it makes no sense. */
  constructor(sources: SetupSources = {}) {
    const { blobs, cells, ...unknown } = optionsOf(sources, 'setup')
    refuseUnknown(unknown, 'setup')
    this.#halves = [
      new SetupHalf(
        commitmentSetupFile,
        readSetupSource(blobs, 'setup.blobs'),
        'setup: { blobs } of a prover',
      ),
      new SetupHalf(extensionFile, readSetupSource(cells, 'setup.cells'), 'setup: { cells } of a prover'),
    ]
  }

  /** The first halves. Throws `SetupUnavailableError` where one cannot be had. */
  async halves(count: HalfCount): Promise<Uint8Array<ArrayBuffer>[]> {
    return await Promise.all(this.#halves.slice(0, count).map((half) => half.load()))
  }
}
