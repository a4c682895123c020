/** The official vectors of KZG, case by case. */
import { listVectors, readValue } from './files.ts'

/** `output: null`: the call must fail with an error, and must not answer `false`. */
export interface Case<Input, Output> {
  readonly input: Input
  readonly output: Output | null
}

/** The names of a function's cases. */
export async function listCases(name: string): Promise<string[]> {
  return await listVectors(`kzg/${name}`)
}

/** Reads a case when its test runs: all of them together are some hundred megabytes of strings. */
export async function readCase<Input, Output>(name: string, which: string): Promise<Case<Input, Output>> {
  const read = await readValue<Case<Input, Output>>(`vectors/kzg/${name}/${which}`)
  if (!('input' in read) || !('output' in read)) {
    throw new Error(`${name}/${which} is no case: it has no input or no output`)
  }
  return read
}
