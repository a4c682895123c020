/** The script of the simulated node: one for a service worker and for a worker of the page, since it is long. */
import { answerMessages } from './page-worker.ts'
import { answerRequests } from './service-worker.ts'

if ('registration' in self) answerRequests()
else answerMessages()
