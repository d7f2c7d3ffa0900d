import { hash } from 'node:crypto'

/**
 * A username, as a regular expression without anchors and captures: no slash, nothing that a
 * config could read.
 */
export const usernamePattern = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9-])?'

/** Whether a name can be a member's folder, a segment of a URL and a file name on every system. */
export const isUsername = (name: string): boolean =>
  whole.test(name) && !name.includes('..') && !isDeviceName(name)

/**
 * Whether no new username should end like this. Imported ones do, cut off, and clients ask
 * for them.
 */
export const isUntidy = (username: string): boolean => username.endsWith('-')

/** What two usernames that differ in letter case only have in common. */
export const foldUsername = (username: string): string => username.toLowerCase()

/** Of a username in lower case, in hex: spreads members evenly over shards and files. */
export const usernameHash = (username: string): string => hash('sha1', username.toLowerCase())

/** Makes the test whether a name is one of those that a site has reserved. */
export const reserves = (reserved: readonly string[]): ((name: string) => boolean) => {
  const folded = new Set(reserved.map(foldUsername))
  return (name) => name !== '' && folded.has(foldUsername(name))
}

/** Sorts names in the order of the paths below their folders: `a.b/…` before `a/…`. */
export const byPath = (a: string, b: string): number => {
  const isBefore = a.startsWith(b) || b.startsWith(a) ? `${a}/` < `${b}/` : a < b
  return isBefore ? -1 : 1
}

const whole = new RegExp(`^${usernamePattern}$`)

/** Whether Windows reserves a name, with or without an extension. */
export const isDeviceName = (name: string): boolean => deviceName.test(name)

const devices = String.raw`con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³]`
const deviceName = new RegExp(String.raw`^(?:${devices})(?:\.|$)`, 'i')

/**
 * The username that a name or an address is most likely to stand for: `@ana`, `Ana Lima`,
 * `https://example.com/ana`; or none.
 */
export const meantUsername = (text: string): string =>
  text
    .replace(/(?<!\/)\/+$/, '')
    .replace(/^.*\//s, '')
    .replace(/(?<=\w)@[\w-]+(?:\.[\w-]+)+$/, '')
    .normalize('NFKD')
    .trim()
    .replace(/\s+(?:[-–—]+\s+)?/g, '-')
    .replace(/[^\w.-]/g, '')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
