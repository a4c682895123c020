/** What an error says, for a sentence about something that went wrong: without the full stop that some browsers end it with. */
export function errorMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\.$/, '')
}
