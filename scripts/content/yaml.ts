import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The package `yaml`, loaded when the first file needs it: in that time the quick reader reads 5,000 files. */
export const yaml = (): typeof import('yaml') => require('yaml')
