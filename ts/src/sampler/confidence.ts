/** How sure a report is, with the sentence that belongs to the number. */
import type { Confidence } from './report.ts'

interface Shown {
  readonly samples: number
  readonly missing: number
  /** 1 where nothing was shown; 0 where the data itself was. */
  readonly maxError: number
  /** Names of the endpoints that delivered what was verified. */
  readonly endpoints: readonly string[]
}

export function confidenceOf({ samples, missing, maxError, endpoints }: Shown): Confidence {
  const servers = new Set(endpoints.map(serverOf)).size
  return {
    samples,
    missing,
    maxError,
    bits: maxError === 0 ? null : Math.max(0, -Math.log2(maxError)),
    certain: maxError === 0,
    servers,
    independent: servers > 1,
    assumption: assumptionOf(maxError, servers),
  }
}

/** Several endpoints of one origin are one server: their names differ in what follows `#`. */
function serverOf(endpoint: string): string {
  return endpoint.replace(/#[0-9]+$/, '')
}

function assumptionOf(maxError: number, servers: number): string {
  if (maxError === 1) return 'nothing was shown'
  if (maxError === 0) return 'none: enough of the data to rebuild all of it was here, and verified'
  const drawn =
    'columns were drawn here, at random, after the block was made; nobody could know which, and hide the others, before what ' +
    'is published was fixed'
  return servers > 1
    ? `${drawn}; the ${servers} servers do not collude`
    : `${drawn}. One server answered: that this server has them is shown, not that others can get them`
}
