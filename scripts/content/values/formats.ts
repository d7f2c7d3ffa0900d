import { isPicturePath } from '../layout.ts'
import type { Data } from '../parse/data.ts'
import type { Format } from '../schema.ts'
import { isUsername } from '../username.ts'
import {
  apiBaseProblem,
  assetProblem,
  fixScheme,
  isWebAddress,
  meantWebAddress,
  picturePathProblem,
  schemeBaseProblem,
  sharedBaseProblem,
} from './address.ts'
import { accentProblem } from './colour.ts'
import { meantTimestamp, timestampProblem } from './timestamp.ts'

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
    accent: accentProblem,
    host: (text) => (takesFiles(options.hostNames, text) ? undefined : 'the build has no files for it'),
  }) as const satisfies Record<string, Format>

const takesFiles = (hosts: readonly HostName[], text: string): boolean =>
  hosts.some(({ name, instead }) => name === text && instead === undefined)

/**
 * What a value was most likely meant to be, by the code of its diagnostic. That may be wrong, too: check it. `key` is
 * the key that holds it.
 */
export const meant: Readonly<Record<string, (text: string, key: string) => string | undefined>> = {
  'bad-id': (text) => number(text),
  'bad-count': (text) => number(text),
  'bad-url': (text, key) => meantWebAddress(bareAddress(text), key),
  'bad-asset': (text) => asset(bareAddress(text)),
  'bad-timestamp': (text) => meantTimestamp(inYears(text)),
  'bad-token': (text) => text.trim().toLowerCase(),
  'bad-draft': (text) => (yes.test(text) ? 'true' : no.test(text) ? 'false' : undefined),
  'bad-boolean': (text) => (yes.test(text) ? 'true' : no.test(text) ? 'false' : undefined),
  'bad-base': (text) => base(bareAddress(text)),
  'bad-word': (text) => text.replace(/^["'“”„‘’«»()[\]{}]+|["'“”„‘’«»()[\]{},;]+$/g, ''),
  'bad-gallery': (text) => gallery(text.trim()),
}

const yes = /^\W*(?:true|yes|y|t|on|1|ja|oui|si|wip|draft|unpublished|hidden)\W*$/i
const no = /^\W*(?:false|no|n|f|off|0|nein|non|never|published|public|final|done)\W*$/i

/** Whether a text says that there is no value. */
export const saysNothing = (text: string): boolean =>
  /^[\s\p{P}~]*(?:none|no|nil|null|n\/?a|not available|unknown|tb[ad]|todo)?[\s\p{P}]*$/iu.test(text)

/** `#12`, `No. 12`, `042`, `1,234`, `1.0`, `2.5k`, `12 likes` */
const number = (text: string): string | undefined => {
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^[^\d\p{L}-]+|\s*\([^)]*\)$|[^\d\p{L}]+$/gu, '')
    .replace(/^\p{L}[\p{L}\s._:#-]*(?=\d)/u, '')
    .replace(/[;,.]$|(?:\s+\p{L}+|\p{L}{2,})$/u, '')
  const short = /^(\d+)(?:[.,](\d))?\s*([km])$/i.exec(bare)
  if (short !== null)
    return `${short[1]}${short[2] ?? '0'}${'0'.repeat(short[3]!.toLowerCase() === 'k' ? 2 : 5)}`
  const digits = /^\d{1,3}([,. '’_])\d{3}(?:\1\d{3})*$/.test(bare)
    ? bare.replace(/\D/g, '')
    : bare.replace(/\.0+$/, '')
  return /^\d{1,40}$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : undefined
}

/** The address inside of quotes, `<…>`, a Markdown link or an HTML tag; without a comma at its end. */
const bareAddress = (text: string): string => {
  const [, linked] =
    /\[[^\]]*\]\(\s*<?([^)\s>]+)/.exec(text) ?? /\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/i.exec(text) ?? []
  return (linked ?? text).trim().replace(/^["'“”„‘’«»<(`\s]+|["'“”„‘’«»>)`\s,;]+$/g, '')
}

/** `api.example.com`, `https://api.example.com/#top` */
const base = (text: string): string =>
  fixScheme(/^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(text) ? `https://${text}` : text).replace(/[?#].*$/s, '')

/** `.\x.png`, `shots\x.png`, `poster 1.png`, `/x.png`, `./x.png`, `https:/host/x.png`; not a file of the author's own disk. */
const asset = (text: string): string | undefined => {
  const path = text.replaceAll('\\', '/')
  if (/^(?:[a-z]:|file:|~\/|data:)/i.test(path)) return undefined
  if (path !== text && /^\.\/[^/]/.test(path)) return path
  const whole = startsWithHost.test(path) ? `https://${path}` : fixScheme(path)
  return whole.replace(/^(?:\.?\/)+(?<!^\/\/)/, '').replace(/[ \u00a0\u202f]/g, '%20')
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

/** A path whose first part can only be a host. */
const startsWithHost =
  /^(?:www\.[\w-]+\.[\w.-]+|(?:[a-z0-9-]+\.)+(?:com|org|net|info|io|dev|app|co|eu|uk|de|at|ch|fr|es|it|nl|be|pl|se|no|dk|fi|cz|ru|ua|jp|cn|in|br|mx|ar|ca|au|me|tv|art|design|studio|photos?)(?=\/))/i

/** A year of another century with the two last digits of one that is likely: `0024`, `3024`. */
const inYears = (text: string): string => text.replace(/^(?!(?:1\d|20)\d\d)\d\d(?=\d\d-\d\d-\d\d)/, '20')

/** Why a value that is right by its form is not what a person means, in words. */
type Unlikely = readonly [codes: string, looks: (text: string, latest: string) => boolean, why: string]

const like =
  (expression: RegExp) =>
  (text: string): boolean =>
    expression.test(text)

/** Quotes around the whole, or one alone at an end; not those of a name within, as in `homer-'odyssey'` or `poets'`. */
const quotedWord = /^["'“”„‘’«»`].*["'“”„‘’«»`]$|^["“”„«»`][^"“”„«»`]*$|^[^"“”„«»`]*[^"“”„«»`\d]["“”„«»`]$/

/** What no person means. Each is a warning, with what `meant` makes of it. */
const unlikely: readonly Unlikely[] = [
  ['bad-url bad-asset', like(/^["'“”„‘’«»`]|["'“”„‘’«»`]$/), 'the quotes are a part of it'],
  ['bad-word', like(quotedWord), 'the quotes are a part of it'],
  ['bad-url bad-asset', like(/[<>]|\]\(/), 'it holds marks of Markdown or HTML'],
  ['bad-url bad-asset bad-word', like(/[,;]$/), 'it ends with a comma or semicolon'],
  ['bad-word', like(/^[([{]|^[^([{]*[)\]}]$/), 'the brackets are a part of it'],
  ['bad-url bad-asset', like(/^(?:https?:)?\/\/https?[:/]/i), 'its beginning is there twice'],
  ['bad-asset', like(/^https?[;,]?\/+/i), 'a colon is missing after its beginning'],
  ['bad-asset', like(startsWithHost), 'it begins with the name of a host, but without https://'],
  ['bad-asset', like(/^~\//), 'it is a place on your own computer'],
  ['bad-asset', (text) => saysNothing(text), 'it says that there is none'],
  ['bad-timestamp', (text) => text < '1000', 'that is long ago'],
  ['bad-timestamp', (text, latest) => text > latest, 'that day has not come yet'],
]

/** Why no person means a value, for a code of the schema; `latest` is the last date that may have come. */
export const unlikelyIn = (
  code: string | undefined,
  latest: string,
): ((text: string) => string | undefined) | undefined => {
  const rows = unlikely.filter(([codes]) => code !== undefined && codes.split(' ').includes(code))
  if (rows.length === 0) return undefined
  return (text) => rows.find(([, looks]) => looks(text, latest))?.[2]
}

/** The words of what was written as one text, or as keys, where a list of words belongs. */
export const meantWords = (value: Data): readonly string[] => {
  if (typeof value !== 'string') {
    const texts = Array.isArray(value) ? value : Object.entries(value).flat()
    return texts.flatMap((one: Data) => meantWords(one))
  }
  if (value.length > 500) return []
  const bare = value.replace(/^[\s[({*-]+|[\s\])}]+$/g, '')
  const parts = /[,;|\n•]/.test(bare) ? bare.split(/[,;|\n•]/) : bare.split(/\s+[-*](?=\S)|\s+/)
  return parts
    .map((part) =>
      part
        .trim()
        .replace(/^(?:\d+[.)]\s+)?[#"'“”„‘’«»*+<\s–-]+|["'“”„‘’«»>\\]+$/g, '')
        .replace(/\s+/g, '-'),
    )
    .filter(isWord)
}

export const isWord = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text)
