/** The look of `<blob-grid>` around its canvas. What names parts of the picture lies as that does, whichever way the page is read. */
export const css = `
[role=grid]{position:relative;margin-inline:-3px}
[role=grid]>canvas{cursor:crosshair;touch-action:pan-y}
.measure{margin-inline:-3px}
.halves{direction:ltr;display:flex;gap:.5rem;color:var(--_soft);font-size:.75rem;padding-bottom:.125rem}
.halves span{flex:1}
.line{margin-top:.25rem}
.legend{margin-top:.25rem}
.swatch{width:.75rem;height:.75rem}
`
