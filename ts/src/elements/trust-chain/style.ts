/** The look of `<trust-chain>`. A value is hex: it begins on the left, whichever way the page is read. */
export const css = `
ol{list-style:none}
li{position:relative;padding-block:.25rem .5rem;padding-inline-start:2rem;min-height:3.25rem;overflow-wrap:anywhere}
li:not(:last-of-type)::before{content:'';position:absolute;inset-inline-start:.625rem;top:2.375rem;bottom:-.375rem;border-inline-start:3px solid var(--_link)}
svg{position:absolute;inset-inline-start:0;top:.125rem;width:1.375rem;height:2.5rem;fill:none;stroke:var(--_link);stroke-width:3;stroke-linecap:round}
.snapped,li[data-mark=broken] .whole{display:none}
li[data-mark=broken] .snapped{display:inline}
li{--_link:var(--_valid)}
li[data-mark=trusted]{--_link:var(--_trusted)}
li[data-mark=unknown]{--_link:var(--_soft)}
li[data-mark=broken]{--_link:var(--_refused)}
li[data-mark=unreached]{--_link:var(--_soft)}
li[data-mark=unreached] svg,li[data-mark=unreached]::before{opacity:.5}
li[data-mark=unknown] svg{stroke-dasharray:4 5;stroke-width:2}
li[data-mark=unreached] svg{stroke-width:2}
li[data-mark=unknown]::before,li[data-mark=unreached]::before{border-inline-start:2px dashed var(--_link)}
li[data-mark=broken]::before{display:none}
li[data-mark=unreached] .title,li[data-mark=unreached] .text{color:var(--_soft)}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:0 .5rem;min-height:1.5rem}
.title{font-weight:600}
.mark{color:var(--_link);font-size:.75rem}
li[data-mark=unreached] .mark{color:var(--_soft)}
.text{color:var(--_soft)}
.reason{color:var(--_refused)}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem;font-size:.75rem}
dt{color:var(--_soft)}
dd{direction:ltr;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-family:ui-monospace,monospace;-webkit-user-select:all;user-select:all}
button{margin-inline-start:auto;min-height:1.5rem;padding:0 .5rem;font:inherit;font-size:.75rem;color:var(--_ink);background:transparent;border:1px solid var(--_soft);border-radius:.25rem;cursor:pointer}
button:hover{border-color:var(--_ink)}
@media (pointer:coarse){button{min-height:2rem}}
.empty{color:var(--_soft)}
`
