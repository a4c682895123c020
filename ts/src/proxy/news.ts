/** Told of what goes wrong (`isTrouble`), and of what comes right again, in words for people. */
export type OnNews = (text: string, isTrouble: boolean) => void
