/** What every command writes with: widths, wrapping, numbers, words of others. */
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  confidenceInFigures,
  confidenceInShort,
  confidenceInWords,
  errorInFigures,
} from '../../dist/cli/sample/report-text.js'
import { ansiStyle, jsonLine, Lines, Screen, styleFor, unstyled } from '../../dist/cli/terminal/output.js'
import { clip, widthOfText, wrap } from '../../dist/cli/terminal/text.js'
import { duration, grouped, oneIn, raised, size } from '../../dist/cli/terminal/words.js'
import { printable } from '../../dist/util/printable.js'

afterEach(() => vi.unstubAllEnvs())

/** A terminal, or what is none, that keeps what is written. */
function output(terminal: { isTTY?: boolean; columns?: number; rows?: number } = {}): Writable & {
  written: string
} {
  const out = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        out.written += chunk.toString()
        done()
      },
    }),
    { written: '' },
    terminal,
  )
  return out
}

describe('text', () => {
  it('takes as many cells as a terminal gives it', () => {
    for (const [text, width] of [
      ['', 0],
      ['abc', 3],
      ['· … ▒ █ ✗ !', 11],
      ['漢字', 4],
      ['e\u0301', 1],
      ['\u001b[31mred\u001b[39m', 3],
      ['😀', 2],
    ] as const)
      expect(widthOfText(text)).toBe(width)
  })

  it('is wrapped at spaces, and a long word is left whole', () => {
    expect(wrap('  one two three', 9, '    ')).toEqual(['  one two', '    three'])
    expect(wrap('a 0123456789 b', 5)).toEqual(['a', '0123456789', 'b'])
    expect(wrap('', 5)).toEqual([''])
    expect(wrap('as it is', Number.POSITIVE_INFINITY)).toEqual(['as it is'])
  })

  it('loses no word, and is as wide as it may be at most', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (words, width) => {
        const lines = wrap(words.join(' '), width)
        expect(lines.join(' ')).toBe(words.join(' '))
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('is clipped to what fits', () => {
    expect(clip('abcdef', 6)).toBe('abcdef')
    expect(clip('abcdef', 4)).toBe('abc…')
    expect(clip('漢字漢字', 6)).toBe('漢字…')
  })
})

describe('words of others', () => {
  it('lose what steers a terminal, and nothing else', () => {
    expect(printable('a\u001b[31m\u009b\u202e\u2028\r\nb')).toBe('a\ufffd[31m\ufffd\ufffd\ufffd\ufffd\ufffdb')
    expect(printable('naïve – 漢字 ✗ 😀')).toBe('naïve – 漢字 ✗ 😀')
    // What is left of a pair that was cut, or never was one.
    expect(printable('😀'.slice(0, 1) + 'a' + '😀'.slice(1))).toBe('\ufffda\ufffd')
  })

  it('are ASCII in JSON, and the same when it is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = jsonLine({ text })
        expect(line).toMatch(/^[\x20-\x7e]*\n$/)
        expect(JSON.parse(line)).toEqual({ text })
      }),
    )
    expect(jsonLine({ text: '\u009b\u202e😀\u007f' })).toBe(
      '{"text":"\\u009b\\u202e\\ud83d\\ude00\\u007f"}\n',
    )
  })
})

describe('numbers', () => {
  it('are as people read them', () => {
    expect(grouped(1_073_741_824)).toBe('1,073,741,824')
    expect(raised(1_023)).toBe('¹⁰²³')
    expect([0, 999, 1_500, 54_321, 1_500_000, 40_000_000].map(size)).toEqual([
      '0 B',
      '999 B',
      '1.5 KB',
      '54 KB',
      '1.5 MB',
      '40 MB',
    ])
    expect([0.4, 999, 1_250, 61_000].map(duration)).toEqual(['0 ms', '999 ms', '1.3 s', '61 s'])
    expect(oneIn(2 ** -30)).toBe('1 in 1,073,741,824')
    expect(oneIn(2 ** -80)).toBe('1 in 1.2 × 10²⁴')
  })

  it('never promise more than there is', () => {
    const probability = fc.double({ min: 1e-300, max: 0.499, noNaN: true })
    fc.assert(
      fc.property(probability, (error) => {
        const bits = /^1 − 2⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+) \(1 in ([\d,.]+)(?: × 10([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?\)$/.exec(
          errorInFigures(error),
        )!
        const lowered = (digits: string): number =>
          Number(Array.from(digits, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join(''))
        expect(2 ** -lowered(bits[1]!)).toBeGreaterThanOrEqual(error)
        const times = Number(bits[2]!.replaceAll(',', '')) * 10 ** lowered(bits[3] ?? '⁰')
        // To the rounding of doubles, which printing them has.
        expect((1 / times) * (1 + 1e-12)).toBeGreaterThanOrEqual(error)
        expect(1 / times).toBeLessThan(error * 1.5 + Number.MIN_VALUE)
      }),
    )
  })

  it('never stand without their assumption', () => {
    const confidence = {
      ...{ samples: 26, missing: 0, maxError: 2 ** -30, bits: 30, certain: false, servers: 2 },
      ...{ maxErrorIfOneLies: 0.55, contested: [], independent: false, assumption: 'none of the 2 hides' },
    }
    expect(confidenceInWords(confidence)).toBe(
      'confidence: 1 − 2⁻³⁰ (1 in 1,073,741,824), if none of the 2 hides. Should one server show this client alone what it has: none',
    )
    expect(confidenceInWords({ ...confidence, maxErrorIfOneLies: 2 ** -20 })).toContain(
      'this client alone what it has: 1 − 2⁻²⁰ (1 in 1,048,576)',
    )
    expect(confidenceInWords({ ...confidence, servers: 1 })).not.toContain('Should one')
    expect(confidenceInShort(confidence)).toBe('1 − 2⁻³⁰ if no server hides from others what it shows')
    expect(confidenceInShort({ ...confidence, independent: true })).toBe('1 − 2⁻³⁰, whichever server lies')
    expect(confidenceInShort({ ...confidence, contested: [5] })).toBe('1 − 2⁻³⁰: one server has them')
    expect(confidenceInShort({ ...confidence, servers: 1 })).toBe('1 − 2⁻³⁰: this server has them')
    expect(confidenceInWords({ ...confidence, maxError: 1, bits: 0 })).toBe(
      'confidence: none, since nothing was shown',
    )
    const whole = { ...confidence, maxError: 0, bits: null, certain: true, assumption: 'none: all is here' }
    expect(confidenceInWords(whole)).toBe('confidence: certain, without assumptions: all is here')
    expect(confidenceInWords({ ...whole, assumption: 'the cache is right' })).toBe(
      'confidence: certain, if the cache is right',
    )
    expect(confidenceInFigures(whole)).toBe('certain')
    expect(confidenceInFigures({ ...confidence, maxError: 0 })).not.toBe('certain')
  })
})

describe('output', () => {
  it('is wrapped, painted and written over on terminals alone', () => {
    const [terminal, pipe] = [output({ isTTY: true, columns: 24 }), output()]
    for (const out of [terminal, pipe]) {
      const lines = new Lines(out)
      lines.status('working')
      lines.print('a line that is longer than that', '  ')
    }
    expect(terminal.written).toBe('\r\u001b[2Kworking\r\u001b[2Ka line that is longer\n  than that\n')
    expect(pipe.written).toBe('a line that is longer than that\n')
  })

  it('has colours where it is a terminal, unless NO_COLOR says no', () => {
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('NO_COLOR', '')
    expect(styleFor(output({ isTTY: true }))).toBe(ansiStyle)
    expect(styleFor(output())).toBe(unstyled)
    vi.stubEnv('NO_COLOR', '1')
    expect(styleFor(output({ isTTY: true }))).toBe(unstyled)
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('TERM', 'dumb')
    expect(styleFor(output({ isTTY: true }))).toBe(unstyled)
  })

  it('is painted over line by line, and left where it is in the end', () => {
    const out = output({ isTTY: true, rows: 4 })
    const screen = new Screen(out)
    screen.draw(['one', 'two'])
    screen.draw(['three', 'four', 'five', 'beyond'])
    screen.leave()
    screen.draw(['below'])
    expect(out.written).toBe(
      '\r\u001b[Jone\ntwo\n' + '\u001b[2A\r\u001b[Jthree\nfour\nfive\n' + '\r\u001b[Jbelow\n',
    )
  })
})
