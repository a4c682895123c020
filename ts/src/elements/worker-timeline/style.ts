/** The look of `<worker-timeline>` around its canvas. Names, times and what is read out of them begin on the left, whichever way the page is read. */
export const css = `
[role=slider]{touch-action:pan-y}
[role=slider]>canvas,.line{direction:ltr}
[role=slider]>canvas{cursor:ew-resize}
.legend,.line{margin-top:.25rem}
.line{min-height:4.2em}
@media (max-width:30rem){.line{min-height:7em}}
.swatch{width:1.375rem;height:.75rem}
`
