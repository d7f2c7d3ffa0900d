import { isPicturePath } from '../layout.ts'
import type { Format } from '../quick-fit.ts'
import { isUsername } from '../username.ts'
import {
  apiBaseProblem,
  assetProblem,
  isWebAddress,
  picturePathProblem,
  schemeBaseProblem,
  sharedBaseProblem,
} from './address.ts'
import { timestampProblem } from './timestamp.ts'

/** A host that site.yaml may be thought to name. */
export type HostName = {
  readonly name: string
  /** What to do where the host reads no files from the snapshot, and so has no place in site.yaml. */
  readonly instead?: string
}

/** The formats that the schemas name: what a pattern can't express. */
export const createFormats = (options: {
  readonly hostNames: readonly HostName[]
  readonly portsAllowed: boolean
}) =>
  ({
    timestamp: timestampProblem,
    asset: (text) => assetProblem(text, options.portsAllowed),
    picture: (text) => (isPicturePath(text) ? picturePathProblem : assetProblem)(text, options.portsAllowed),
    'web-address': (text) => (isWebAddress(text) ? undefined : 'it is not an http(s) address'),
    username: (text) => (isUsername(text) ? undefined : 'it is not a username'),
    'api-base': apiBaseProblem,
    'shared-base': sharedBaseProblem,
    'https-base': (text) => schemeBaseProblem(text, 'https'),
    'http-base': (text) => schemeBaseProblem(text, 'http'),
    host: (text) => (takesFiles(options.hostNames, text) ? undefined : 'the build has no files for it'),
  }) as const satisfies Record<string, Format>

const takesFiles = (hosts: readonly HostName[], text: string): boolean =>
  hosts.some(({ name, instead }) => name === text && instead === undefined)
