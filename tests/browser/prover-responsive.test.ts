/**
 * The page stays alive while a blob is proved, since all of it is computed in workers. That the page's clock goes on would show nothing: a prover
 * without workers lets the page go on between steps, too.
 */
import { createProver } from 'blobcheck/prover'
import { afterEach, expect, it, vi } from 'vitest'
import { watchThreads } from '../support/threads.ts'

afterEach(() => void vi.restoreAllMocks())

/** The modules of which the page itself makes instances from now on. The only other way, `instantiate`, is what the kernel's probe goes. */
function watchInstances(): WebAssembly.Module[] {
  const { Instance, instantiate } = WebAssembly
  const modules: WebAssembly.Module[] = []
  vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ) {
    modules.push(module)
    return new Instance(module, imports)
  } as never)
  vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async (source: never, imports: never) => {
    const made: WebAssembly.WebAssemblyInstantiatedSource | WebAssembly.Instance = await instantiate(
      source,
      imports,
    )
    modules.push('module' in made ? made.module : source)
    return made
  }) as never)
  return modules
}

const isProver = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.exports(module).some(({ name }) => name === 'readSetup')

it('proofs of cells do not stop the page', async () => {
  const threads = await watchThreads()
  const here = watchInstances()
  const prover = await createProver({ workers: 2 })
  try {
    const seen: number[] = []
    const blob = new Uint8Array(131_072).fill(1)
    await prover.computeCellsAndKzgProofs(blob, { onProgress: ({ done }) => seen.push(done) })
    expect(seen).toHaveLength(10)
    expect([prover.workers, threads.started]).toEqual([2, 2])
    expect(here.filter(isProver)).toEqual([])
  } finally {
    threads.stop()
    await prover.dispose()
  }
  // The watch sees an instance that is made here.
  await (await createProver({ workers: 0 })).dispose()
  expect(here.filter(isProver)).toHaveLength(1)
})
