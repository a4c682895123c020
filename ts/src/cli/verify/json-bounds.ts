/** The bounds of JSON, which all entries share, under the name that this command has for them. */
export { isBoundedJson as isTameJson } from '../../beacon/json-bounds.ts'
