// `npm run build`: the whole package, which has the page in it, too.
import { buildPage, root, setUpAllOrExit } from './setup.mjs'
import { writeNotices } from './third-party-notices.mjs'

await setUpAllOrExit()
await buildPage()
await writeNotices(root)
