/** Of a script: what it is from one place to another, and which form of the language that has. */
export interface Whole {
  readonly form: 'expression' | 'statement' | 'spread' | 'method'
  readonly from: number
  readonly to: number
}

/** A fault in a script: from and to which places it differs, what is put there, and what it does in words. */
export interface Mutation {
  readonly from: number
  readonly to: number
  readonly by: string
  readonly what: string
  readonly whole: Whole
}

export function mutationsOf(text: string): Mutation[]
