/** What the demo page says of errors, whose words are the browser's. */
import { WasmUnavailableError } from 'blobcheck'
import { expect, it } from 'vitest'
import { errorMessage } from '../../../web-demo/src/shared/error-message.ts'
import { errorWords } from '../../../web-demo/src/shared/words.ts'

it.each([
  // As Firefox says it.
  [new DOMException('The operation is insecure.', 'SecurityError'), 'The operation is insecure'],
  [new TypeError('Failed to fetch'), 'Failed to fetch'],
  [new Error('it goes on…'), 'it goes on…'],
  ['of version 1.5', 'of version 1.5'],
  [undefined, 'undefined'],
])('%s has one full stop in a sentence, the sentence’s own', (error, message) => {
  expect(errorMessage(error)).toBe(message)
  expect(errorWords(error)).toBe(`Something went wrong that is not about the data: ${message}.`)
})

it('of a verifier that did not come says why, with one full stop', () => {
  const cause = new TypeError('NetworkError when attempting to fetch resource.')
  expect(errorWords(new WasmUnavailableError('no module', { cause }))).toContain(
    'could not be loaded: NetworkError when attempting to fetch resource. Nothing was verified.',
  )
})
