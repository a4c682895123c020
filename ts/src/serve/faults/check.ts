/** Whether fault rules are what the types say: a rule that is misspelt would befall nobody, and what is tested with it would pass for nothing. */
import { COLUMNS } from '../../beacon/constants.ts'
import { HEADER_FIELDS } from '../../execution/header-fields.ts'
import { MAX_TIMER_MS } from '../../util/timers.ts'
import { corruptParts, type Fault, type FaultRule, type Faults, lies, routeNames } from './faults.ts'

/** Whether a value will do, and what it must be. */
interface Check {
  readonly holds: (value: unknown) => boolean
  readonly words: string
}

type Fields<T> = { readonly [Name in keyof T]-?: Check }

const number = (most = Infinity): Check => ({
  holds: (value) => typeof value === 'number' && value >= 0 && value <= most,
  words: `a number from 0 ${most < Infinity ? `to ${most}` : 'on'}`,
})
const integer = (least: number, most: number): Check => ({
  holds: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  words: `an integer from ${least} to ${most}`,
})
const oneOf = (names: readonly string[]): Check => ({
  holds: (value) => names.includes(value as string),
  words: `one of ${names.join(', ')}`,
})
const listOf = ({ holds, words }: Check): Check => ({
  holds: (value) => Array.isArray(value) && value.every(holds),
  words: `a list, each ${words}`,
})
const either = (first: Check, second: Check): Check => ({
  holds: (value) => first.holds(value) || second.holds(value),
  words: `${first.words}, or ${second.words}`,
})
const optional = ({ holds, words }: Check): Check => ({
  holds: (value) => value === undefined || holds(value),
  words,
})
const text: Check = { holds: (value) => typeof value === 'string', words: 'a string' }
/** RFC 9110, section 5.5. */
const headerValue: Check = {
  holds: (value) => typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  words: 'a string that can be in a header',
}

/** What each kind of fault has besides its `kind`. */
const kinds: {
  readonly [Kind in Fault['kind']]: Fields<Omit<Extract<Fault, { readonly kind: Kind }>, 'kind'>>
} = {
  withhold: { columns: either(integer(0, COLUMNS), listOf(integer(0, COLUMNS - 1))) },
  'hide-blobs': {},
  corrupt: { part: oneOf(corruptParts), indices: optional(listOf(integer(0, 2 ** 31 - 1))) },
  lie: { about: oneOf(lies), field: optional(oneOf(HEADER_FIELDS.map(({ name }) => name))) },
  'no-result': {},
  'rpc-error': { code: integer(-(2 ** 31), 2 ** 31 - 1), message: optional(text) },
  'wrong-id': {},
  delay: { ms: number(MAX_TIMER_MS) },
  drip: { bytes: number(), everyMs: number(MAX_TIMER_MS) },
  truncate: { at: number(1) },
  'content-type': { value: headerValue },
  oversized: { bytes: number() },
  redirect: { to: headerValue },
  status: { code: integer(200, 599), retryAfterSeconds: optional(number()) },
  'rate-limit': { perSecond: number() },
}
const kind = oneOf(Object.keys(kinds))
const rest: Fields<Omit<FaultRule, 'fault'>> = {
  routes: optional(listOf(oneOf(routeNames))),
  probability: optional(number(1)),
}

/** Rules that were found to be right. */
const checked = new WeakSet<FaultRule>()

/**
 * Throws `TypeError` for what is no list of rules, and for a rule that is none, with its place in the list; each rule is looked at once, when it is
 * seen first.
 */
export function checkFaults(faults: Faults): void {
  if (!isObject(faults) || !Array.isArray(faults.rules))
    throw new TypeError('faults.rules must be a list of rules')
  if (faults.seed !== undefined && !Number.isFinite(faults.seed))
    throw new TypeError(`faults.seed must be a number, not ${String(faults.seed)}`)
  const rules: readonly FaultRule[] = faults.rules
  rules.forEach((rule, at) => {
    if (checked.has(rule)) return
    const place = `faults.rules[${at}]`
    if (!isObject(rule) || !isObject(rule.fault))
      throw new TypeError(`${place} must have a fault, which is an object`)
    const { fault, ...others } = rule
    check(place, others, rest)
    const own = Object.hasOwn(kinds, fault.kind) ? kinds[fault.kind] : {}
    check(`${place}.fault`, fault, { kind, ...own })
    checked.add(rule)
  })
}

function check(place: string, value: object, fields: Readonly<Record<string, Check>>): void {
  for (const [name, { holds, words }] of Object.entries(fields)) {
    const given: unknown = value[name as keyof typeof value]
    if (!holds(given)) throw new TypeError(`${place}.${name} must be ${words}, not ${String(given)}`)
  }
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name)) throw new TypeError(`${place}.${name}: there is no such field there`)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
