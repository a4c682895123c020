export interface DeadLink {
  readonly page: string
  readonly link: string
  readonly reason: string
}

export function checkLinks(
  folder: string,
  base?: string,
): { readonly pages: string[]; readonly links: number; readonly dead: DeadLink[] }
