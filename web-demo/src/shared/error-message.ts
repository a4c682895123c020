/** What an error says, in a sentence about something that went wrong. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
