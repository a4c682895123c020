/** What the form of the demo page's live source says of what cannot be used. */
import { expect, it } from 'vitest'
import { FieldError, readSettings } from '../../../web-demo/src/panels/live/settings.ts'

const right = {
  beacon: 'https://a.example',
  network: 'mainnet',
  config: '',
  checkpoint: `0x${'12'.repeat(32)}`,
}

it.each([
  'http://127.0.0.1:5052',
  'HTTP://localhost',
  'https://a.example/key,1/ https://b.example:443',
  'https://[::1]:5052',
  'https://a.example:5052/@b?user:pw@host',
])('takes the endpoint %s', (beacon) => {
  expect(readSettings({ ...right, beacon }).beacon).toEqual(beacon.split(' '))
})

it.each([
  // Without its beginning, the one that fits is named.
  [
    'localhost:5052',
    '“localhost:5052” is no address: it begins with https:// or http://. Write http://localhost:5052.',
  ],
  ['127.0.0.1', '“127.0.0.1” is no address: it begins with https:// or http://. Write http://127.0.0.1.'],
  [
    'localhost.example:5052',
    '“localhost.example:5052” is no address: it begins with https:// or http://. Write https://localhost.example:5052.',
  ],
  ['https:/', '“https:/” is no address: it begins with https:// or http://.'],
  ['wss:/a.example', '“wss:/a.example” is no address: it begins with https:// or http://.'],
  ['ftp://a.example', '“ftp://a.example” is no address: it begins with https:// or http://.'],
  [
    'http://127.0.0.1:99999',
    'The port of “http://127.0.0.1:99999” cannot be: ports are numbers up to 65535.',
  ],
  [
    'https://a.example:x/path',
    'The port of “https://a.example:x/path” cannot be: ports are numbers up to 65535.',
  ],
  ['http://[::1', '“http://[::1” is no address: what stands behind :// is no name of a host.'],
  ['http://a:1,http://b:2', '“http://a:1,http://b:2” has a comma: put spaces between addresses, not commas.'],
  [
    'https://a.example/, https://b.example',
    '“https://a.example/,” has a comma: put spaces between addresses, not commas.',
  ],
  [
    'localhost:1,localhost:2',
    '“localhost:1,localhost:2” has a comma: put spaces between addresses, not commas.',
  ],
  [
    'http://a.example',
    'This page may not ask http://a.example: it asks https addresses, and http ones of this machine (localhost, 127.0.0.1).',
  ],
  // What is secret is not said again, whatever else is wrong.
  ['user:secret@a.example', 'An address with a user or a password cannot be asked: leave them out.'],
  [
    'https://user:secret@a.example:99999',
    'An address with a user or a password cannot be asked: leave them out.',
  ],
])('says what is wrong with the endpoint %s', (beacon, words) => {
  expect(() => readSettings({ ...right, beacon })).toThrow(new FieldError('beacon', words))
})

it.each([
  ['http:/localhost:5052', 'http://localhost:5052'],
  ['http:a.example', 'https://a.example'],
  ['//a.example', 'https://a.example'],
  ['a.example/@b', 'https://a.example/@b'],
])('says what %s was meant to be', (beacon, meant) => {
  const words = `“${beacon}” is no address: it begins with https:// or http://. Write ${meant}.`
  expect(() => readSettings({ ...right, beacon })).toThrow(new FieldError('beacon', words))
})

it.each([
  'https:///user:secret@a.example',
  'https:/user:secret@a.example',
  'https:user@a.example',
  String.raw`https:\/user:secret@a.example`,
  String.raw`https://\/user:secret@a.example`,
  '///user:secret@a.example:99999',
])('finds the user in %s, whatever slashes there are', (beacon) => {
  const words = 'An address with a user or a password cannot be asked: leave them out.'
  expect(() => readSettings({ ...right, beacon })).toThrow(new FieldError('beacon', words))
})
