/** What the node of the page’s simulated chain can be made to do, and what each of it must come to in the ribbon. */

export type Fork = 'fulu' | 'gloas'

export interface SimulatedFault {
  /** Of the panel’s control. */
  readonly control: string
  readonly value: string
  /** What a slot comes to; one of several where it depends on the columns that are drawn: `refused|unavailable`. */
  readonly state: string
  /** The link of the chain that is broken then. */
  readonly link?: string
}

export const simulatedFaults: Readonly<Record<Fork, readonly SimulatedFault[]>> = {
  fulu: [
    { control: 'withheld', value: '128', state: 'unavailable' },
    { control: 'lie', value: 'cell', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'proof', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'commitment', state: 'refused', link: 'commitment' },
    { control: 'lie', value: 'branch', state: 'refused', link: 'commitment' },
    { control: 'lie', value: 'header', state: 'refused', link: 'root' },
    { control: 'lie', value: 'signature', state: 'refused', link: 'signature' },
    { control: 'lie', value: 'hide-blobs', state: 'unavailable' },
    // A column that says that it is its neighbour is refused where that one was drawn, too.
    { control: 'lie', value: 'index', state: 'refused|unavailable' },
    { control: 'delay', value: '12000', state: 'unknown' },
  ],
  gloas: [
    { control: 'withheld', value: '100', state: 'unavailable' },
    { control: 'lie', value: 'cell', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'proof', state: 'refused', link: 'cell' },
    { control: 'lie', value: 'header', state: 'refused', link: 'root' },
    { control: 'delivery', value: 'truncate', state: 'unknown' },
    { control: 'delivery', value: 'drip', state: 'unknown' },
    { control: 'delivery', value: 'oversized', state: 'unknown' },
    { control: 'delivery', value: 'content-type', state: 'unknown' },
    { control: 'delivery', value: 'redirect', state: 'unknown' },
    { control: 'delivery', value: 'status', state: 'unknown' },
    { control: 'payloads', value: '1', state: 'not-revealed' },
  ],
}
