import { suggest } from '../../text/suggest.ts'
import { isPicture, isPicturePath } from '../layout.ts'
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
  'bad-asset': (text, key) => asset(bareAddress(text), key),
  'bad-timestamp': (text) => meantTimestamp(inYears(text)),
  'bad-username': (text) => username(text),
  'bad-token': (text) => text.trim().toLowerCase(),
  'bad-draft': (text) => truth(text),
  'bad-boolean': (text) => truth(text, plainWords),
  'bad-base': (text) => base(bareAddress(text)),
  'bad-word': (text) => visible(text).replace(/^["'“”„‘’«»()[\]{}]+|["'“”„‘’«»()[\]{},;]+$/g, ''),
  'bad-gallery': (text) => gallery(text.trim()),
}

/** `true` or `false`, of words that say as much, or are a letter away from it. */
const truth = (text: string, { yes, no } = draftWords): string | undefined => {
  const word = text.toLowerCase().replace(/^\W+(?=\w)|(?<=\w)\W+$/g, '')
  if (yes.test(word)) return 'true'
  if (no.test(word)) return 'false'
  return /\s/.test(word) ? undefined : suggest(word, ['true', 'false'])
}

const draftWords = {
  yes: /^(?:true|yes|y|t|x|on|1|ja|oui|si|wip|draft|unpublished|hidden|[✓✔☑✅])$/,
  no: /^(?:false|no|n|f|off|0|nein|non|never|published|public|final|done|[✗✘❌])$/,
}

/** What else may be true, such as `openapi: public`, is another question. */
const plainWords = {
  yes: /^(?:true|yes|y|t|x|on|1|ja|oui|si|[✓✔☑✅])$/,
  no: /^(?:false|no|n|f|off|0|nein|non|never|[✗✘❌])$/,
}

/** A text without characters that nobody sees. */
const visible = (text: string): string => text.replace(unseen, '')

const unseen = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

/** `@ana`, `Ana Lima`, `https://example.com/ana` */
const username = (text: string): string =>
  text
    .replace(/\/+$/, '')
    .replace(/^.*\//s, '')
    .normalize('NFKD')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^\w.-]/g, '')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')

/** Whether a text says that there is no value. */
export const saysNothing = (text: string): boolean =>
  text.length <= 100 &&
  /^[\s\p{P}~]*(?:none|no|nil|null|n\/?a|not available|unknown|tb[ad]|todo)?[\s\p{P}]*$/iu.test(text)

/** `#12`, `No. 12`, `042`, `1,234`, `1.0`, `2.5k`, `12 likes` */
const number = (text: string): string | undefined => {
  // another number than its digits say
  if (/^\W*(?:[–—−]\s*\d|minus\b)|\b(?:mio|millions?|billions?|thousand|tsd|hundred|dozen)\b/i.test(text))
    return undefined
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^[^\d\p{L}-]+|\s*\([^)]*\)$|\s+[#/–—-].*$|[^\d\p{L}]+$/gu, '')
    .replace(/^\p{L}[\p{L}\s._:#-]*(?=\d)/u, '')
    .replace(/[;,.]$|(?:\s+(?![km]$)\p{L}+|\p{L}{2,})$/iu, '')
  const power = /^(\d)e(\d\d?)$/i.exec(bare)
  if (power !== null) return power[1]! + '0'.repeat(Number(power[2]))
  const short = /^(\d+)(?:[.,](\d))?\s*([km])$/i.exec(bare)
  if (short !== null)
    return `${short[1]}${short[2] ?? '0'}${'0'.repeat(short[3]!.toLowerCase() === 'k' ? 2 : 5)}`
  const digits = /^\d{1,3}([,. '’_])\d{3}(?:\1\d{3})*$/.test(bare)
    ? bare.replace(/\D/g, '')
    : bare.replace(/\.0+$/, '')
  return /^\d{1,40}$/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : undefined
}

/** Whether a text is one number in digits, with signs and words around it that change nothing: `5,001`, `No. 12`, `12 likes`. */
export const isOneNumber = (text: string): boolean =>
  oneNumber.test(text.trim()) && !/^\D*\d{1,3}\.000\D*$/.test(text)

const oneNumber =
  /^(?:["'“”„‘’«»([#№+\s]|n[or]\.?\s|id\s|number\s)*[0-9０-９](?:[,. '’_]?[0-9０-９])*\s?[km]?(?: (?:likes?|followers?|following|shots?|projects?|lists?|listed|works?|people))?["'“”„‘’«»)\];,.\s]*$/i

/** The address inside of quotes, `<…>`, `url(…)`, a Markdown link, an HTML tag or a sentence; without a mark at its end. */
const bareAddress = (text: string): string => {
  const [, linked] = wrapped.map((form) => form.exec(text)).find((found) => found !== null) ?? []
  const [first] = /\s/.test(text.trim()) ? (/\bhttps?:\/\/[^\s,;]+/i.exec(text) ?? []) : []
  const isSpaced = first !== undefined && !/^https?:[^\s,;]* [^\s,;():]+$/i.test(text.trim())
  const whole = visible(linked ?? (isSpaced ? first : text.replace(/\s+(?:\([^)]*\)|"[^"]*")\s*$/, '')))
  const bare = whole.trim().replace(/^["'“”„‘’«»<([`\s]+|["'“”„‘’«»>)\]`\s,;:.]+$/g, '')
  // a bracket that closes one within: Tea_(drink)
  return /\([^()]*$/.test(bare) && whole.includes(`${bare})`) ? `${bare})` : bare
}

const wrapped = [
  /\[[^\]]*\]\(\s*<?([^)\s>]+)/,
  /\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/i,
  /^url\(\s*["']?([^"')]+)/i,
]

/** `api.example.com`, `https://api.example.com/#top`, `localhost:8080` */
const base = (text: string): string =>
  fixScheme(
    /^localhost\b/i.test(text)
      ? `http://${text}`
      : /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/.test(text)
        ? `https://${text}`
        : text,
  ).replace(/[?#].*$/s, '')

/**
 * `.\x.png`, `shots\x.png`, `poster 1.png`, `/x.png`, `./x.png`, `https:/host/x.png`. A picture on the author's own disk
 * (`C:\x.png`, `/Users/ana/x.png`), or in a folder above, belongs beside the file: `./x.png`.
 */
const asset = (text: string, key: string): string | undefined => {
  const path = text.replaceAll('\\', '/')
  if (
    /^(?:[a-z]:|file:|~\/|\\\\|\/(?:users|home)\/|(?:\.\/)?\.\.\/|data:)/i.test(
      text.startsWith('\\\\') ? text : path,
    )
  ) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return key !== 'attachment' && isPicture(name) ? `./${name}` : undefined
  }
  if (path !== text && /^\.\/[^/]/.test(path)) return path
  const whole = (startsWithHost.test(path) ? `https://${path}` : fixScheme(path)).replace(
    /^((?:https?:)?\/\/)(?:[^/@]*@)?([^/:]+)(?::\d*)?/i,
    '$1$2',
  )
  if (key !== 'attachment' && /^\.\/[^/]/.test(whole)) return whole
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
  ['bad-url bad-asset', like(/[<>]|\]\(|^url\(/i), 'it holds marks of Markdown, HTML or CSS'],
  ['bad-url bad-asset', like(/[,;:.]$/), 'it ends with a mark that belongs to a sentence'],
  ['bad-word', like(/[,;]$/), 'it ends with a comma or semicolon'],
  ['bad-url bad-asset bad-word', like(new RegExp(unseen.source)), 'it holds a character that nobody sees'],
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
  if (Array.isArray(value)) return value.flatMap((one: Data) => meantWords(one))
  if (typeof value !== 'string') {
    // `name: poster`, or `poster: 80%`
    return Object.entries(value).flatMap(([key, inner]) =>
      typeof inner !== 'string' || /^(?:name|title|label|tag|skill|value|word)$/i.test(key)
        ? meantWords(inner)
        : meantWords(key),
    )
  }
  if (value.length > 500 || saysNothing(value)) return []
  const bare = value.replace(/^[\s[({*-]+|[\s\])}]+$/g, '').replace(/(?<=^|\s)\d+[.)]\s+/g, ',')
  const parts = /[,;|\n•·]/.test(bare) ? bare.split(/[,;|\n•·]/) : bare.split(/\s+[-*–](?=\S)|\s+/)
  return parts
    .map((part) =>
      part
        .trim()
        .replace(/^[#"'“”„‘’«»*+<\s–-]+|["'“”„‘’«»>\\]+$/g, '')
        .replace(/\s+/g, '-'),
    )
    .filter(isWord)
}

export const isWord = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text)
