import { characterProblem, hostProblem, parseAddress, segmentProblem } from './address.ts'

/** Why a text can't be the base of other addresses, in words; `undefined` if it can. */
export const baseProblem = (text: string): string | undefined => {
  const characters = characterProblem(text)
  if (characters !== undefined) return characters
  const address = parseAddress(text)
  if (address === undefined || !/^https?$/.test(address.scheme)) {
    return 'it does not begin with https:// or http://'
  }
  if (address.credentials) return 'it holds a user name or password'
  if (address.rest !== '') return `it holds a ${address.rest.startsWith('?') ? 'query' : 'fragment'}`
  return hostProblem(address) ?? segmentProblem(address.path)
}

/** The same for the base of the API. It is written into host configs, so it holds nothing that they would interpret. */
export const apiBaseProblem = (text: string): string | undefined => {
  const problem = baseProblem(text)
  if (problem !== undefined) return problem
  const { authority, path } = parseAddress(text)!
  if (!configSafeHost.test(authority)) return 'its host holds a character that host names cannot'
  if (!configSafePath.test(path)) return 'its path may hold A-Z a-z 0-9 . _ ~ - and % escapes only'
  return undefined
}

/** Letters, digits, and what else host names and IP addresses are written with. */
const configSafeHost = /^(?:[\p{L}\p{N}\p{M}._-]+|\[[0-9a-f:.]+\])(?::\d*)?$/iu
const configSafePath = /^[A-Za-z0-9._~%/-]*$/

/** The same for a base that serves both schemes, which one port can't do. */
export const sharedBaseProblem = (text: string): string | undefined =>
  baseProblem(text) ??
  (parseAddress(text)!.port === '' ? undefined : 'one port cannot serve both https and http')

/** The same for a base that serves one scheme only. */
export const schemeBaseProblem = (text: string, scheme: Scheme): string | undefined =>
  baseProblem(text) ??
  (parseAddress(text)!.scheme === scheme ? undefined : `it does not begin with ${scheme}://`)

/** A base without its trailing slashes, its scheme in lower case. */
export const normalBase = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end).replace(/^[^:]+/, (scheme) => scheme.toLowerCase())
}

/** The base with another scheme. */
export const withScheme = (base: string, scheme: Scheme): string => base.replace(/^[^:]+/, scheme)

type Scheme = 'https' | 'http'
