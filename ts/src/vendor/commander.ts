/** What is used of Commander (MIT), which reads command lines. The build puts it into the package (scripts/bundle-vendor.mjs). */
export { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'
