/** The parts of an address that begins with `scheme://` or `//`, as typed. */
export type Address = {
  /** In lower case; `''` for a scheme-relative address. */
  readonly scheme: string
  /** Host and port, without credentials. */
  readonly authority: string
  /** Digits of an explicit port, or `''`. */
  readonly port: string
  readonly credentials: boolean
  readonly path: string
  /** Query and fragment, with their marks. */
  readonly rest: string
}

/** Takes an address apart; `undefined` for anything else, such as a path or `mailto:ana`. */
export const parseAddress = (text: string): Address | undefined => {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, scheme = '', userinfo, authority = '', path = '', rest = ''] = match
  return {
    scheme: scheme.toLowerCase(),
    authority,
    port: /:(\d+)$/.exec(authority)?.[1] ?? '',
    credentials: userinfo !== undefined,
    path,
    rest,
  }
}

const form = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(.*)$/is

/** Whether a text is surely an http(s) address that any rule takes, as nearly all are: a name of a host, and words. */
export const isPlainAddress = (text: string): boolean => plainAddress.test(text)

const plainAddress = /^https?:\/\/(?:[a-z0-9]+\.)*[a-z]+(?:\/[\w-]+(?:\.[\w-]+)*)*\/?$/

/** Whether a text is surely a path that stays below its base, as nearly all are: words with dots between. */
export const isPlainPath = (text: string): boolean => plainPath.test(text)

const plainPath = /^(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*$/

/** What in a text no address may hold, in words: white space, control characters, backslashes. */
export const characterProblem = (text: string): string | undefined => {
  const found = /[\s\p{Cc}\\]/u.exec(text)?.[0]
  if (found === undefined) return undefined
  if (found === '\\') return 'it holds a backslash'
  return /[^\S\t\n\v\f\r]/.test(found) ? 'it holds white space' : 'it holds a control character or line break'
}

/** Why there is no such host, in words. */
export const hostProblem = ({ authority }: Address): string | undefined => {
  if (plainHost.test(authority)) return undefined
  if (authority.replace(/:\d*$/, '') === '') return 'it names no host'
  return URL.canParse(`https://${authority}/`) ? undefined : 'its host or port is not a valid one'
}

/** Hosts that need no closer look: not an IP address, not punycode. */
const plainHost = /^(?!.*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*$/i

/** Why a path can't be trusted to stay where it is, in words. */
export const segmentProblem = (path: string): string | undefined =>
  dotSegment.test(path) ? 'its path holds a "." or ".." segment' : undefined

const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i
