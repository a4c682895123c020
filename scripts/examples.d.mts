export interface Example {
  /** The file that has the block, and its place in it, from 1. */
  readonly from: string
  readonly at: number
  readonly lang: string
  readonly mark: string | null
  readonly code: string
  readonly output: string | null
}

export function allExamples(): Example[]
export function writeExamples(): number
export function moduleName(example: Pick<Example, 'lang' | 'code'>): string | undefined
export function nameOf(from: string, at: number): string
export function fences(markdown: string): Omit<Example, 'from' | 'at'>[]
