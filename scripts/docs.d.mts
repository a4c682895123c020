export const dist: string
export function prepareDocs(log: (step: string) => void): Promise<void>
export function buildDocs(base?: string): Promise<void>
