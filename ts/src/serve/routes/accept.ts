/** Which form of an answer is wanted: `Accept`, as RFC 9110 has it, as far as two forms go. */
import { Problem } from './problem.ts'

export type Form = 'json' | 'ssz'

const types: Readonly<Record<Form, readonly string[]>> = {
  json: ['application/json', 'application/*', '*/*'],
  ssz: ['application/octet-stream', 'application/*', '*/*'],
}

/** The form that is wanted most, JSON where both are. Throws a 406 where none of them is wanted. */
export function formOf(accept: string | undefined, forms: readonly Form[]): Form {
  if (accept === undefined || accept.trim() === '') return 'json'
  const wanted = accept.split(',').map(readRange)
  const best = forms
    .map((form) => ({ form, quality: qualityOf(form, wanted) }))
    .sort((a, b) => b.quality - a.quality)[0]
  if (best === undefined || best.quality === 0)
    throw new Problem(406, `there is ${forms.map((form) => types[form][0]).join(' and ')} alone`)
  return best.form
}

interface Range {
  readonly type: string
  readonly quality: number
}

/** The most special range that covers a form decides. */
function qualityOf(form: Form, wanted: readonly Range[]): number {
  for (const type of types[form]) {
    const range = wanted.find((one) => one.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}
