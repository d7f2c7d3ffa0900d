import type { Format } from '../schema.ts'
import { isUsername } from '../username.ts'
import {
  apiBaseProblem,
  assetProblem,
  isWebAddress,
  meantWebAddress,
  schemeBaseProblem,
  sharedBaseProblem,
} from './address.ts'
import { accentProblem } from './colour.ts'
import { meantTimestamp, timestampProblem } from './timestamp.ts'

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
    accent: accentProblem,
    host: (text) => (options.hostNames.includes(text) ? undefined : 'it is not in the table of hosts'),
  }) as const satisfies Record<string, Format>

/** What a wrong value was most likely meant to be, by the code of its diagnostic. That may be wrong, too: check it. */
export const meant: Readonly<Record<string, (text: string) => string | undefined>> = {
  'bad-id': (text) => number(text),
  'bad-count': (text) => number(text),
  'bad-url': (text) => meantWebAddress(text.trim()),
  'bad-asset': (text) => asset(text),
  'bad-timestamp': meantTimestamp,
  'bad-token': (text) => text.trim().toLowerCase(),
  'bad-draft': (text) =>
    /^(?:true|yes|y|on|1)$/i.test(text.trim()) ? 'true' : no.test(text.trim()) ? 'false' : undefined,
  'bad-base': (text) => text.trim().replace(/[?#].*$/s, ''),
  'bad-gallery': (text) => gallery(text.trim()),
}

const no = /^(?:false|no|n|off|0)$/i

/** `#12`, `042`, `1,234`, `1.0`, `2.5k` */
const number = (text: string): string | undefined => {
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^[#+]\s*/, '')
    .replace(/[;,.]$/, '')
  const thousands = /^(\d+)(?:[.,](\d))?k$/i.exec(bare)
  if (thousands !== null) return `${thousands[1]}${thousands[2] ?? '0'}00`
  const digits = /^\d{1,3}([,. '’_])\d{3}(?:\1\d{3})*$/.test(bare)
    ? bare.replace(/\D/g, '')
    : bare.replace(/\.0+$/, '')
  return /^\d{1,40}$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : undefined
}

/** `shots\x.png`, `poster 1.png`, `/x.png`, `./x.png`, `https:/host/x.png`; not a file of the author's own disk. */
const asset = (text: string): string | undefined => {
  const path = text.trim().replaceAll('\\', '/')
  if (/^(?:[a-z]:|file:|~\/)/i.test(path)) return undefined
  return path
    .replace(/^(https?):\/?(?!\/)/i, '$1://')
    .replace(/^(?:\.?\/)+(?<!^\/\/)/, '')
    .replace(/[ \u00a0\u202f]/g, '%20')
}

/** `C2410C`, `logo.svg`, `https://images.example.com/`, `git@github.com:owner/repo.git` */
const gallery = (text: string): string | undefined => {
  if (/^[0-9a-f]{6}$/i.test(text)) return `#${text}`
  const repository =
    /^(?:git@|https?:\/\/|ssh:\/\/git@)?((?:github|gitlab)\.com|codeberg\.org)[:/](.+)$/i.exec(text)
  if (repository !== null) return `https://${repository[1]!.toLowerCase()}/${repository[2]}`
  const host = /^(?:https?:)?\/\/([^/]+)/i.exec(text)?.[1]
  return host === undefined ? `./${text.replace(/^\/+/, '')}` : host.toLowerCase()
}
