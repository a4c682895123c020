import type { Mutation } from './mutations.mjs'

export function withQuestions(
  text: string,
  mutants: readonly (Mutation & { readonly id: number })[],
  isMutant: string,
): string
