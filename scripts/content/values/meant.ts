import { suggest } from '../../text/suggest.ts'
import { isPicture } from '../layout.ts'
import type { Data } from '../parse/data.ts'
import type { Subschema } from '../schema.ts'
import type { Format } from './formats.ts'
import { timestampsIn } from './timestamp.ts'

/** A change of a text that may make it what was meant: what is replaced, and by what. */
type Repair = readonly [form: RegExp, by: string | ((all: string, ...found: string[]) => string)]

/** What a text of a key was perhaps meant to be, after one repair and more: one of these is right, or none. */
export const candidates = (text: string, key: string, schema: Subschema): readonly string[] => {
  let one = text
  return [schema['x-code'], key, schema.format].flatMap((name) =>
    (repairs[name ?? ''] ?? []).map(([form, by]) => {
      one = one.replace(form, by as string)
      return one
    }),
  )
}

const whole = /^.*$/s
const unseen = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

/** `#12`, `No. 12`, `042`, `1,234`, `1.0`, `2.5k`, `12 likes` */
const number: readonly Repair[] = [
  [/^[-=]+>\s*/, ''],
  // another number than its digits say
  [/^\W*(?:[–—−]\s*\d|minus\b).*$|^.*\b(?:mio|millions?|billions?|thousand|tsd|hundred|dozen)\b.*$/is, ''],
  [whole, (text) => text.normalize('NFKC').trim()],
  [/^[^\d\p{L}-]+|\s*\([^)]*\)$|\s+[#/–—-].*$|[^\d\p{L}]+$/gu, ''],
  [/^\p{L}[\p{L}\s._:#-]*(?=\d)/u, ''],
  [/[;,.]$|(?:\s+(?![km]$)\p{L}+|\p{L}{2,})$/iu, ''],
  [/^(\d)e(\d\d?)$/i, (_, digit, zeros) => `${digit}${'0'.repeat(Number(zeros))}`],
  [/^(\d+)(?:[.,](\d))?\s*k$/i, (_, digits, tenth = '0') => `${digits}${tenth}00`],
  [/^(\d+)(?:[.,](\d))?\s*m$/i, (_, digits, tenth = '0') => `${digits}${tenth}00000`],
  [/^\d{1,3}([,. '’_])\d{3}(?:\1\d{3})*$/, (text) => text.replace(/\D/g, '')],
  [/\.0+$|^0+(?=\d)/g, ''],
]

/** `true` or `false`, of words that say as much, or are a letter away from it. */
const truth = (yes: string, no: string): readonly Repair[] => [
  [/^\W+(?=\w)|(?<=\w)\W+$/g, ''],
  [new RegExp(`^(?:yes|y|t|x|on|1|ja|oui|si|[✓✔☑✅]${yes})$`, 'i'), 'true'],
  [new RegExp(`^(?:no|n|f|off|0|nein|non|never|[✗✘❌]${no})$`, 'i'), 'false'],
  [/^\S+$/, (word) => suggest(word.toLowerCase(), ['true', 'false']) ?? word],
]

/** The address inside of quotes, `<…>`, `url(…)`, a Markdown link, an HTML tag or a sentence; without a mark at its end. */
const bareAddress: readonly Repair[] = [
  [/^.*?\[[^\]]*\]\(\s*<?([^)\s>]+).*$/s, '$1'],
  [/^.*?\b(?:src|href)\s*=\s*["']?([^"'\s>]+).*$/is, '$1'],
  [/^url\(\s*["']?([^"')]+).*$/is, '$1'],
  [/^(?!https?:[^\s,;]* [^\s,;():]+\s*$)(?=\s*\S+\s+\S).*?\b(https?:\/\/[^\s,;]+).*$/is, '$1'],
  [/\s+(?:\([^)]*\)|"[^"]*")\s*$/, ''],
  [unseen, ''],
  [/^["'“”„‘’«»<([`\s]+/, ''],
  // but for a bracket that closes one within: Tea_(drink)
  [/(?:["'“”„‘’«»>`\s,;:.]|(?<!\([^()]*)\)|(?<!\[[^[\]]*)\])+$/, ''],
]

/** Makes `https://` of `https//`, `htp://`, `https:host` and `http://https://`. */
const scheme: readonly Repair[] = [
  [/^(?:https?:\/\/)+(?=https?:?\/)/i, ''],
  [
    /^(?:h*t+p+(s?)\s*[:;]\s*\/*\s*|http(s?)[;,.]?\/+)(?=\w)/i,
    (_, a = '', b = '') => `http${a}${b}://`.toLowerCase(),
  ],
]

/** A path whose first part can only be a host. */
const startsWithHost =
  /^(?:www\.[\w-]+\.[\w.-]+|(?:[a-z0-9-]+\.)+(?:com|org|net|info|io|dev|app|co|eu|uk|de|at|ch|fr|es|it|nl|be|pl|se|no|dk|fi|cz|ru|ua|jp|cn|in|br|mx|ar|ca|au|me|tv|art|design|studio|photos?)(?=\/))/i

/** What lies on the author's own disk, or in a folder above: `C:\x.png`, `/Users/ana/x.png`, `../x.png`. */
const onDisk =
  /^(?:[a-z]:|file:|~[\\/]|\\\\|[\\/](?:users|home)[\\/]|(?:\.[\\/])?\.\.[\\/]|data:)(?:.*[\\/])?(.*)$/is

/** `shots\x.png`, `https:/host/x.png`, `www.host.com/x.png` */
const place: readonly Repair[] = [
  [/\\/g, '/'],
  [startsWithHost, 'https://$&'],
  ...scheme,
  [/^((?:https?:)?\/\/)(?:[^/@]*@)?([^/:]+)(?::\d*)?/i, '$1$2'],
]

/** By the code, the key or the format of what a value is held against; those of all three are tried, in this order. */
const repairs: Readonly<Record<string, readonly Repair[]>> = {
  'bad-id': number,
  'bad-count': number,
  'bad-draft': truth('|wip|draft|unpublished|hidden', '|published|public|final|done'),
  'bad-boolean': truth('', ''),
  'bad-token': [[whole, (text) => text.trim().toLowerCase()]],
  'bad-word': [
    [unseen, ''],
    [whole, (text) => bareWord(text)],
  ],
  'bad-timestamp': [
    // a year of another century with the last two digits of one that is likely: `0024`, `3024`
    [/^(?!(?:1\d|20)\d\d)\d\d(?=\d\d-\d\d-\d\d)/, '20'],
    [whole, (text) => (timestampsIn(text).length === 1 ? timestampsIn(text)[0]! : text)],
  ],
  // `@ana`, `Ana Lima`, `https://example.com/ana`
  'bad-username': [
    [/\/+$/, ''],
    [/^.*\//s, ''],
    [whole, (text) => text.normalize('NFKD').trim().replace(/\s+/g, '-')],
    [/[^\w.-]/g, ''],
    [/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''],
  ],
  'bad-url': bareAddress,
  twitter: [[/^@?(\w{1,15})$/, 'https://twitter.com/$1']],
  'web-address': [
    [/^@(\w+)@([\w-]+(?:\.[\w-]+)+)$/, 'https://$2/@$1'],
    [/\\/g, '/'],
    ...scheme,
    [/ /g, '%20'],
    // but not of ana@example.com, and names without a dot
    [/^(?!https?:\/\/)\/*(?=[^/?#@:]+\.[^/?#@:]+(?:[/?#]|$))/i, 'https://'],
  ],
  'bad-asset': bareAddress,
  asset: [[onDisk, ''], ...place, [/^(?:\.?\/)+(?<!^\/\/)/, ''], [/[ \u00a0\u202f]/g, '%20']],
  picture: [
    // it belongs beside the file
    [onDisk, (_, name) => (isPicture(name!) ? `./${name}` : '')],
    ...place,
    [/^(?!\.\/[^/])(?:\.?\/)+(?<!^\/\/)/, ''],
    [/^(?!\.\/).*$/s, (path) => path.replace(/[ \u00a0\u202f]/g, '%20')],
  ],
  'bad-base': [
    ...bareAddress,
    [/^localhost\b/i, 'http://$&'],
    [/^[\w-]+(?:\.[\w-]+)+(?=[:/]|$)/, 'https://$&'],
    ...scheme,
    [/[?#].*$/s, ''],
  ],
  // `C2410C`, `git@github.com:owner/repo.git`, `https://images.example.com/`, `logo.svg`
  'bad-gallery': [
    [whole, (text) => text.trim()],
    [/^[0-9a-f]{6}$/i, '#$&'],
    [
      /^(?:git@|https?:\/\/|ssh:\/\/git@)?((?:github|gitlab)\.com|codeberg\.org)[:/](.+)$/i,
      (_, host, path) => `https://${host!.toLowerCase()}/${path}`,
    ],
    [/^(?:https?:)?\/\/([^/]+).*$/is, (_, host) => host!.toLowerCase()],
    [/^\/*/, './'],
  ],
}

export const saysNothing = (text: string): boolean =>
  text.length <= 100 &&
  /^[\s\p{P}~]*(?:none|no|nil|null|n\/?a|not available|unknown|tb[ad]|todo)?[\s\p{P}]*$/iu.test(text)

/** Whether a text is one number in digits, with signs and words around it that change nothing: `5,001`, `No. 12`, `12 likes`. */
export const isOneNumber = (text: string): boolean =>
  oneNumber.test(text.trim()) && !/^\D*\d{1,3}\.000\D*$/.test(text)

const oneNumber =
  /^(?:["'“”„‘’«»([#№+\s]|n[or]\.?\s|id\s|number\s)*[0-9０-９](?:[,. '’_]?[0-9０-９])*\s?[km]?(?: (?:likes?|followers?|following|shots?|projects?|lists?|listed|works?|people))?["'“”„‘’«»)\];,.\s]*$/i

/** Why a value that is right by its form is not what a person means, in words. */
type Unlikely = readonly [codes: string, looks: Look, why: string]
type Look = RegExp | ((text: string, latest: string) => boolean)

/** Quotes around the whole, or one alone at an end; not those of a name, as in `'macbeth'`, `homer-'odyssey'` or `poets'`. */
const quotedWord = /^["“”„‘’«»`].*["“”„‘’«»`]$|^["“”„«»`][^"“”„«»`]*$|^[^"“”„«»`]*[^"“”„«»`\d]["“”„«»`]$/

/** Brackets around the whole, or one without a partner; not those of `(19)-woodcuts`. */
const bracketedWord: Look = (text) => firstBrackets.test(text) || lastBrackets.test(text)

/** A mark that parts words in a list, but for the end of `&#39;`. */
const partedWord = /[、，،؛；｜|]|(?<!&#?\w{1,20});/

const unlikely: readonly Unlikely[] = [
  ['bad-url bad-asset', /^["'“”„‘’«»`]|["'“”„‘’«»`]$/, 'the quotes are a part of it'],
  ['bad-word', quotedWord, 'the quotes are a part of it'],
  ['bad-url bad-asset', /[<>]|\]\(|^url\(/i, 'it holds marks of Markdown, HTML or CSS'],
  ['bad-url bad-asset', /[,;:.]$/, 'it ends with a mark that belongs to a sentence'],
  ['bad-word', /[,;]$/, 'it ends with a comma or semicolon'],
  ['bad-url bad-asset bad-word', new RegExp(unseen.source), 'it holds a character that nobody sees'],
  ['bad-word', bracketedWord, 'the brackets are a part of it'],
  ['bad-word', /^#\p{L}/u, 'the "#" is a part of it'],
  ['bad-word', partedWord, 'it holds a mark that parts words'],
  ['bad-url bad-asset', /^(?:https?:)?\/\/https?[:/]/i, 'its beginning is there twice'],
  ['bad-asset', /^https?[;,]?\/+/i, 'a colon is missing after its beginning'],
  ['bad-asset', startsWithHost, 'it begins with the name of a host, but without https://'],
  ['bad-asset', /^~\//, 'it is a place on your own computer'],
  ['bad-asset', saysNothing, 'it says that there is none'],
  ['bad-timestamp', (text) => text < '1000', 'that is long ago'],
  ['bad-timestamp', (text, latest) => text > latest, 'that day has not come yet'],
]

/** Why no person means a value, for a code of the schema; `latest` is the last date that may have come. */
export const unlikelyIn = (code: string | undefined, latest: string): Format | undefined => {
  const rows = unlikely.filter(([codes]) => code !== undefined && codes.split(' ').includes(code))
  if (rows.length === 0) return undefined
  return (text) =>
    rows.find(([, looks]) => (typeof looks === 'function' ? looks(text, latest) : looks.test(text)))?.[2]
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
  const all = unwrapped(value).replace(/(?<=^|\s)\d+[.)]\s+/g, ',')
  const parts = all.split(betweenWords.test(all) ? betweenWords : /\s+[-*–](?=\S)|\s+|(?<=^#.*)(?=#\p{L})/u)
  return parts.map(bareWord).filter(isWord)
}

const opening = '[({<［（｛【〔「『〈《'
const closing = '\\])}>］）｝】〕」』〉》'
const quotes = '"\'“”„‘’«»'

/** What stands between the words of a list, in whatever script. */
export const betweenWords = new RegExp(`[,;|\\n•、，،؛；｜]|\\s·\\s|(?<=[${closing}])\\s*(?=[${opening}])`)

/** A text without brackets and quotes around all of it. */
export const unwrapped = (text: string): string => {
  const inside = wrapped.exec(text)?.[1]
  return inside === undefined ? text.replace(/^[\s*-]+/, '') : unwrapped(inside)
}

const wrapped = new RegExp(`^\\s*[${opening}${quotes}](.*)[${closing}${quotes}]\\s*$`, 's')

/** One of the words of a text, without marks around it; a bracket or inch mark that belongs to it stays. */
const bareWord = (part: string): string =>
  part
    .replace(/^[\s#*+–-]+|[\s\\]+$/g, '')
    .replace(outerQuotes, '$1')
    .replace(firstBrackets, '')
    .replace(lastBrackets, '')
    .replace(/^[#"'“”„‘’«»]+|(?<!\d)["'“”„‘’«»]+$/g, '')
    .trim()
    .replace(/\s+/g, '-')

const outerQuotes = new RegExp(`^[${quotes}]+(.*?)[${quotes}]+$`, 's')
// but for those with a partner inside of the word: tea_(drink), (19)-woodcuts
const firstBrackets = new RegExp(`^[${opening}]+(?![^${opening}]*[${closing}].)`, 's')
const lastBrackets = new RegExp(`(?<![${opening}][^${closing}]*)[${closing}]+$`, 's')

export const isWord = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text)
