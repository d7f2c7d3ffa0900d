import { isPicturePath } from '../layout.ts'
import type { Judge } from '../schema.ts'
import { isUsername } from '../username.ts'
import {
  apiBaseProblem,
  assetProblem,
  isWebAddress,
  picturePathProblem,
  schemeBaseProblem,
  sharedBaseProblem,
} from './address.ts'
import { unlikelyIn } from './meant.ts'
import { timestampProblem } from './timestamp.ts'

/** A host that site.yaml may be thought to name. */
export type HostName = {
  readonly name: string
  /** What to do where the host reads no files from the snapshot, and so has no place in site.yaml. */
  readonly instead?: string
}

/** Judges values: the formats that the schemas name, which a pattern can't express, and what is unlikely. */
export const createJudge = ({
  hostNames,
  portsAllowed,
  latest,
}: {
  readonly hostNames: readonly HostName[]
  readonly portsAllowed: boolean
  /** The last date that may have come. */
  readonly latest: string
}) =>
  ({
    hostNames,
    unlikely: (code) => unlikelyIn(code, latest),
    formats: {
      timestamp: timestampProblem,
      asset: (text) => assetProblem(text, portsAllowed),
      picture: (text) => (isPicturePath(text) ? picturePathProblem(text) : assetProblem(text, portsAllowed)),
      'web-address': (text) => (isWebAddress(text) ? undefined : 'it is not an http(s) address'),
      username: (text) => (isUsername(text) ? undefined : 'it is not a username'),
      'api-base': apiBaseProblem,
      'shared-base': sharedBaseProblem,
      'https-base': (text) => schemeBaseProblem(text, 'https'),
      'http-base': (text) => schemeBaseProblem(text, 'http'),
      host: (text) =>
        hostNames.some(({ name, instead }) => name === text && instead === undefined)
          ? undefined
          : 'the build has no files for it',
    },
  }) as const satisfies Judge
