import { createLoaderWith } from '../content/load.ts'
import type { HostName } from '../content/values/formats.ts'
import { createExplain } from './explain.ts'

/** Makes what loads content, and says what to write where it is wrong. Dates after `today` (`YYYY-MM-DD`) have not come yet. */
export const createLoader = (options: {
  readonly hostNames: readonly HostName[]
  readonly today?: string
}) => createLoaderWith({ ...options, createExplain })
