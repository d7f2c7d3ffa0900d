import { createLoaderWith } from '../content/load.ts'
import { hostNames } from '../hosts/hosts.ts'
import { createExplain } from './explain.ts'

/**
 * Makes what loads content, and says what to write where it is wrong. Dates after `today`
 * (`YYYY-MM-DD`) have not come yet.
 */
export const createLoader = (options: { readonly today?: string } = {}) =>
  createLoaderWith({ ...options, hostNames, createExplain })
