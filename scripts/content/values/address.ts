import { quote } from '../../text/printable.ts'

const schemeForm = '(?:([a-z][a-z0-9+.-]*):)?'
const authorityForm = '(?:([^/?#]*)@)?([^/?#]*)'
const addressForm = new RegExp(`^${schemeForm}//${authorityForm}([^?#]*)(.*)$`, 'is')

/**
 * The parts of an address that begins with `scheme://` or `//`, as typed; `undefined` for
 * anything else, such as a path or `mailto:ana`. The scheme is in lower case, or empty; the
 * authority is host and port, without credentials; the port is the digits of an explicit one,
 * or empty; the rest is query and fragment, with their marks.
 */
export const parseAddress = (text: string) => {
  const [found, scheme = '', user, authority = '', path = '', rest = ''] =
    addressForm.exec(text) ?? []
  if (found === undefined) return undefined
  const port = /:(\d+)$/.exec(authority)?.[1] ?? ''
  return {
    scheme: scheme.toLowerCase(),
    authority,
    port,
    hasCredentials: user !== undefined,
    path,
    rest,
  }
}

/**
 * A branch of a repository: `https://github.com/OWNER/REPO/tree/BRANCH`, perhaps with the path
 * of the content folder after it.
 */
export const ofBranch = /^(.*?)(?:\/-)?\/(?:tree|src\/branch)\/([^/]+)(?:\/(.+))?$/s

const characterProblem = (text: string): string | undefined => {
  const found = /[\s\p{Cc}\\]/u.exec(text)?.[0]
  if (found === undefined) return undefined
  if (found === '\\') return 'it holds a backslash'
  return /[^\S\t\n\v\f\r]/.test(found)
    ? 'it holds white space'
    : 'it holds a control character or line break'
}

/** Nearly all hosts: to ask for the parts of a URL takes twenty times as long. */
const usualHost = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+$/

const hostProblem = (authority: string): string | undefined => {
  if (usualHost.test(authority)) return undefined
  if (/^(?::\d*)?$/.test(authority)) return 'it names no host'
  return parseUrl(`https://${authority}/`) ? undefined : 'its host or port is not a valid one'
}

/**
 * A URL; `undefined` if the text is none. URL.canParse of Node 20, called often, refuses
 * `https://bücher.example/`.
 */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const segmentProblem = (path: string): string | undefined =>
  /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
    ? 'its path holds a "." or ".." segment'
    : undefined

/** Why a port can't be where one address serves both schemes, in words. */
const portProblem = (port: string): string | undefined =>
  port === '' ? undefined : 'one port cannot serve both https and http'

/**
 * Whether a text is an absolute http(s) URL with a host, without white space, control
 * characters, backslashes.
 */
export const isWebAddress = (text: string): boolean => {
  if (characterProblem(text) !== undefined) return false
  const { scheme = '', authority = '' } = parseAddress(text) ?? {}
  return /^https?$/.test(scheme) && hostProblem(authority) === undefined
}

/** Why a text can't be the address of an image or file, in words; `undefined` if it can. */
export const assetProblem = (text: string, portsAllowed: boolean): string | undefined => {
  const characters = characterProblem(text)
  if (characters !== undefined) return characters
  const address = parseAddress(text)
  if (address === undefined) return pathProblem(text)
  const { scheme, authority, port, path } = address
  if (!['', 'https', 'http'].includes(scheme)) return otherScheme(scheme)
  if (address.hasCredentials) return 'it holds a user name or password'
  return (
    hostProblem(authority) ?? portProblem(portsAllowed ? '' : port) ?? segmentProblem(path)
  )
}

/**
 * Why a text that begins with `./` can't name a picture beside its file, in words;
 * `undefined` if it can.
 */
export const picturePathProblem = (text: string): string | undefined => {
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(text))
    return 'it holds a control character or line break'
  if (text.includes('\\')) return 'it holds a backslash'
  if (/\/(?:\.{1,2})?(?:\/|$)/.test(text.slice(1)))
    return 'a part of its path is empty, "." or ".."'
  return undefined
}

const pathProblem = (text: string): string | undefined => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]
  if (scheme !== undefined) {
    return /^https?$/i.test(scheme)
      ? `after ${scheme}: there must be two slashes`
      : otherScheme(scheme)
  }
  if (text.startsWith('/')) return 'a path below the assets address begins without a slash'
  const path = text.replace(/[?#].*$/s, '')
  return path === '' ? 'it names no file' : segmentProblem(path)
}

const otherScheme = (scheme: string): string => {
  const written = quote(`${scheme}:`)
  return `${written} is neither https: nor http:`
}

/** Why a text can't be the base of other addresses, in words; `undefined` if it can. */
export const baseProblem = (text: string): string | undefined => {
  const characters = characterProblem(text)
  if (characters !== undefined) return characters
  const address = parseAddress(text)
  if (address === undefined || !/^https?$/.test(address.scheme)) {
    return 'it does not begin with https:// or http://'
  }
  if (address.hasCredentials) return 'it holds a user name or password'
  if (address.rest !== '')
    return `it holds a ${address.rest.startsWith('?') ? 'query' : 'fragment'}`
  return hostProblem(address.authority) ?? segmentProblem(address.path)
}

/**
 * The same for the base of the API. It is written into host configs, so it holds nothing that
 * they would interpret.
 */
export const apiBaseProblem = (text: string): string | undefined => {
  const problem = baseProblem(text)
  if (problem !== undefined) return problem
  const { authority = '', path = '' } = parseAddress(text) ?? {}
  // letters, digits, and what else host names and IP addresses are written with
  if (!/^(?:[\p{L}\p{N}\p{M}._-]+|\[[0-9a-f:.]+\])(?::\d*)?$/iu.test(authority))
    return 'its host holds a character that host names cannot'
  if (!/^[A-Za-z0-9._~%/-]*$/.test(path))
    return 'its path may hold A-Z a-z 0-9 . _ ~ - and % escapes only'
  return undefined
}

/** The same for a base that serves both schemes, which one port can't do. */
export const sharedBaseProblem = (text: string): string | undefined =>
  baseProblem(text) ?? portProblem(parseAddress(text)?.port ?? '')

/** The same for a base that serves one scheme only. */
export const schemeBaseProblem = (text: string, scheme: Scheme): string | undefined =>
  baseProblem(text) ??
  (parseAddress(text)?.scheme === scheme ? undefined : `it does not begin with ${scheme}://`)

/** A base without its trailing slashes, its scheme in lower case. */
export const normalBase = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end).replace(/^[^:]+/, (scheme) => scheme.toLowerCase())
}

/** The path of an address, without the slashes at its end. */
export const pathOf = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '')

export const withScheme = (base: string, scheme: Scheme): string =>
  base.replace(/^[^:]+/, scheme)

export type Scheme = 'https' | 'http'
