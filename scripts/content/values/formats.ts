import { isPicturePath } from '../layout.ts'
import { isUsername } from '../username.ts'
import * as address from './address.ts'
import { timestampProblem } from './timestamp.ts'
import { type Format, unlikelyIn } from './unlikely.ts'

/** A host that site.yaml may be thought to name. */
export type HostName = {
  readonly name: string
  /**
   * What to do where the host reads no files from the snapshot, and so has no place in
   * site.yaml.
   */
  readonly instead?: string
}

/**
 * Judges values: by the formats that the schemas name, which a pattern can't express; and by
 * their codes, why what fits is not what people mean. `latest` is the last date that may have
 * come.
 */
export const createJudge = (
  hostNames: readonly HostName[],
  { portsAllowed, latest }: { readonly portsAllowed: boolean; readonly latest: string },
) => {
  const asset: Format = (text) => address.assetProblem(text, portsAllowed)
  const files = hostNames.flatMap(({ name, instead }) => (instead === undefined ? name : []))
  const formats: Readonly<Record<string, Format>> = {
    timestamp: timestampProblem,
    asset,
    picture: (text) => (isPicturePath(text) ? address.picturePathProblem(text) : asset(text)),
    'web-address': (text) =>
      address.isWebAddress(text) ? undefined : 'it is not an http(s) address',
    username: (text) => (isUsername(text) ? undefined : 'it is not a username'),
    'api-base': address.apiBaseProblem,
    'shared-base': address.sharedBaseProblem,
    'https-base': (text) => address.schemeBaseProblem(text, 'https'),
    'http-base': (text) => address.schemeBaseProblem(text, 'http'),
    host: (text) => (files.includes(text) ? undefined : 'the build has no files for it'),
  }
  const known = new Map<string, Format | undefined>()
  const unlikely = (code = 'text', format = ''): Format | undefined => {
    const names = [code, format]
    const id = names.join(' ')
    if (!known.has(id)) known.set(id, unlikelyIn(names, latest))
    return known.get(id)
  }
  return { hostNames, formats, unlikely }
}

export type Judge = ReturnType<typeof createJudge>
