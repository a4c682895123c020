/**
 * The look of `<trust-chain>`. A link is drawn as one that nothing is known of, unless its mark says more. A value is hex: it begins on the left,
 * whichever way the page is read.
 */
export const css = `
ol{list-style:none}
li{position:relative;padding-block:.25rem .5rem;padding-inline-start:2rem;min-height:3.25rem;overflow-wrap:anywhere}
li:not(:last-of-type)::before{content:'';position:absolute;inset-inline-start:.625rem;top:2.375rem;bottom:-.375rem;border-inline-start:var(--_line) var(--_link)}
svg{position:absolute;inset-inline-start:0;top:.125rem;width:1.375rem;height:2.5rem;fill:none;stroke:var(--_link);stroke-width:var(--_thick);stroke-dasharray:var(--_dash);stroke-linecap:round}
.snapped,li[data-mark=broken] .whole{display:none}
li[data-mark=broken] .snapped{display:inline}
li{--_link:var(--_soft);--_line:2px dashed;--_thick:2;--_dash:4 5}
li:is([data-mark=verified],[data-mark=trusted],[data-mark=broken]){--_line:3px solid;--_thick:3;--_dash:none}
li[data-mark=verified]{--_link:var(--_valid)}
li[data-mark=trusted]{--_link:var(--_trusted)}
li[data-mark=broken]{--_link:var(--_refused)}
li[data-mark=broken]::before{display:none}
li[data-mark=unreached]{--_dash:none}
li[data-mark=unreached] svg,li[data-mark=unreached]::before{opacity:.5}
li[data-mark=unreached] .title{color:var(--_soft)}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:0 .5rem;min-height:1.5rem}
.title{font-weight:600}
.mark{color:var(--_link);font-size:.75rem}
.text{color:var(--_soft)}
.reason{color:var(--_refused)}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem;font-size:.75rem}
dt{color:var(--_soft)}
dd{direction:ltr;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-family:ui-monospace,monospace;-webkit-user-select:all;user-select:all}
@media print{li{break-inside:avoid}dd{white-space:normal;overflow-wrap:anywhere}}
button{margin-inline-start:auto;min-height:1.5rem;padding:0 .5rem;font:inherit;font-size:.75rem;color:var(--_ink);background:transparent;border:1px solid var(--_soft);border-radius:.25rem;cursor:pointer}
button:hover{border-color:var(--_ink)}
@media (pointer:coarse){button{min-height:2rem}}
.empty{color:var(--_soft)}
`
