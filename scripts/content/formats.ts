import type { Format } from './schema.ts'
import { isUsername } from './username.ts'
import { assetProblem } from './values/asset.ts'
import { apiBaseProblem, schemeBaseProblem, sharedBaseProblem } from './values/base.ts'
import { timestampProblem } from './values/timestamp.ts'
import { isWebAddress } from './values/web-address.ts'

/** The formats that the schemas name: what a pattern can't express. */
export const createFormats = (options: {
  readonly hostNames: readonly string[]
  readonly portsAllowed: boolean
}) =>
  ({
    timestamp: timestampProblem,
    asset: (text) => assetProblem(text, options.portsAllowed),
    'web-address': (text) => (isWebAddress(text) ? undefined : 'it is not an http(s) address'),
    username: (text) => (isUsername(text) ? undefined : 'it is not a username'),
    'api-base': apiBaseProblem,
    'shared-base': sharedBaseProblem,
    'https-base': (text) => schemeBaseProblem(text, 'https'),
    'http-base': (text) => schemeBaseProblem(text, 'http'),
    host: (text) => (options.hostNames.includes(text) ? undefined : 'it is not in the table of hosts'),
  }) as const satisfies Record<string, Format>
