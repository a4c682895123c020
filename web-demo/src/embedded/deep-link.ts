/** The address of the page names what is broken, so that a link shows it: `?slot=1409759&break=proof&blob=2`. */
import { changeAddress } from '../shared/address.ts'
import { breakNamed, type BreakName } from './breaking.ts'

export interface DeepLink {
  /** Without the commas that the page writes in it. */
  readonly slot: string | null
  readonly broken: BreakName | null
  readonly blob: number
}

export function deepLink(): DeepLink {
  const parameters = new URLSearchParams(location.search)
  const blob = Number(parameters.get('blob') ?? 0)
  return {
    slot: parameters.get('slot')?.replaceAll(',', '') ?? null,
    broken: breakNamed(parameters.get('break')) ?? null,
    blob: Number.isInteger(blob) && blob >= 0 ? blob : 0,
  }
}

/** Null: nothing is broken. What else the address says stays. */
export function showInAddress(change: { readonly broken: BreakName; readonly blob: number } | null): void {
  changeAddress((params) => {
    for (const name of ['break', 'blob']) params.delete(name)
    if (change === null) return
    params.set('break', change.broken)
    params.set('blob', String(change.blob))
  })
}
