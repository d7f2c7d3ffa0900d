import { quote } from '../../text/printable.ts'
import {
  characterProblem,
  hostProblem,
  isPlainAddress,
  isPlainPath,
  parseAddress,
  segmentProblem,
} from './address.ts'

/** Why a text can't be the address of an image or file, in words; `undefined` if it can. */
export const assetProblem = (text: string, portsAllowed: boolean): string | undefined => {
  if (isPlainPath(text) || isPlainAddress(text)) return undefined
  const characters = characterProblem(text)
  if (characters !== undefined) return characters
  const address = parseAddress(text)
  if (address === undefined) return pathProblem(text)
  if (!['', 'https', 'http'].includes(address.scheme)) return otherScheme(address.scheme)
  if (address.credentials) return 'it holds a user name or password'
  return hostProblem(address) ?? portProblem(address.port, portsAllowed) ?? segmentProblem(address.path)
}

const portProblem = (port: string, allowed: boolean): string | undefined =>
  port === '' || allowed ? undefined : 'one port cannot serve both https and http'

const pathProblem = (text: string): string | undefined => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]
  if (scheme !== undefined) {
    return /^https?$/i.test(scheme) ? `after ${scheme}: there must be two slashes` : otherScheme(scheme)
  }
  if (text.startsWith('/')) return 'a path below the assets address begins without a slash'
  const path = /^[^?#]*/.exec(text)![0]
  return path === '' ? 'it names no file' : segmentProblem(path)
}

const otherScheme = (scheme: string): string => `${quote(`${scheme}:`)} is neither https: nor http:`
