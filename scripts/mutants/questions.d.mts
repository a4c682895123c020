import type { Mutation } from './mutations.mjs'

export function withQuestions(
  text: string,
  mutants: readonly (Mutation & { readonly number: number })[],
  isMutant: string,
): string
