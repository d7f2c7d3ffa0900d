// Texts that are right by their form, and not what people mean.

/** Says what is wrong with a text, in words; `undefined` if nothing. */
export type Format = (text: string) => string | undefined

export const opening = '[({<［（｛【〔「『〈《'
export const closing = '\\])}>］）｝】〕」』〉》'
export const quotes = '"\'“”„‘’«»'

// but for those with a partner inside of the word: tea_(drink), (19)-woodcuts
export const firstBrackets = new RegExp(`^[${opening}]+(?![^${opening}]*[${closing}].)`, 's')
export const lastBrackets = new RegExp(`(?<![${opening}][^${closing}]*)[${closing}]+$`, 's')

export const unseen = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

/** A path whose first part can only be a host. */
export const startsWithHost =
  /^(?:www\.[\w-]+\.[\w.-]+|(?:[a-z0-9-]+\.)+(?:com|org|net|info|io|dev|app|co|eu|uk|de|at|ch|fr|es|it|nl|be|pl|se|no|dk|fi|cz|ru|ua|jp|cn|in|br|mx|ar|ca|au|me|tv|art|design|studio|photos?)(?=\/))/i

export const saysNothing = (text: string): boolean =>
  text.length <= 100 &&
  /^[\s\p{P}~]*(?:none|no|nil|null|n\/?a|not available|unknown|tb[ad]|todo)?[\s\p{P}]*$/iu.test(
    text,
  )

/** A comma in the name of a host: `https://shop,example.com`. */
export const commaInHost = /^(https?:\/\/[^/,]*),(?=\w)/i

/** What the API adds to its base by itself. */
export const ownPath = /\/api\/username\/?$/i

/** A page that shows a picture, and isn't one. */
const picturePage =
  /^https?:\/\/(?:(?:drive|docs)\.google\.com\/(?:file|open)|photos\.google\.com|www\.instagram\.com\/p\/|www\.dropbox\.com\/.*[?&]dl=0)/i

/** A full stop at the end that belongs to an address: `/wiki/Apple_Inc.` */
const isAbbreviated = (text: string): boolean =>
  text.includes('/wiki/') || /[\b_-](?:Inc|Ltd|Co|Corp|Jr|Sr|St|Bros)\.$/.test(text)

/** Why a value that is right by its form is not what a person means, in words. */
type Unlikely = readonly [codes: string, looks: Look, why: string]
type Look = RegExp | ((text: string, latest: string) => boolean)

/** Quotes around the whole, or one alone at an end; not those of a name, as in `'macbeth'`, `homer-'odyssey'` or `poets'`. */
const quotedWord =
  /^["“”„‘’«»`].*["“”„‘’«»`]$|^["“”„«»`][^"“”„«»`]*$|^[^"“”„«»`]*[^"“”„«»`\d]["“”„«»`]$/

/** Brackets around the whole, or one without a partner; not those of `(19)-woodcuts`. */
const bracketedWord: Look = (text) =>
  text.length <= longestWord && (firstBrackets.test(text) || lastBrackets.test(text))

/** No word is longer; to look for the partners of brackets takes a square of a text's length. */
const longestWord = 2_000

/** A mark that parts words in a list, but for the end of `&#39;`. */
const partedWord = /[、，،؛；｜|]|(?<!&#?\w{1,20});/

const unlikely: readonly Unlikely[] = [
  ['bad-url bad-asset', /^["'“”„‘’«»`]|["'“”„‘’«»`]$/, 'the quotes are a part of it'],
  ['bad-word', quotedWord, 'the quotes are a part of it'],
  ['bad-url bad-asset', /[<>]|\]\(|^!?\[\[|^url\(/i, 'it holds marks of Markdown, HTML or CSS'],
  [
    'bad-url bad-asset',
    (text) => /[,;:.]$/.test(text) && !isAbbreviated(text),
    'it ends with a mark that belongs to a sentence',
  ],
  ['bad-word', /[,;]$/, 'it ends with a comma or semicolon'],
  [
    'bad-url bad-asset bad-word',
    new RegExp(unseen.source),
    'it holds a character that nobody sees',
  ],
  ['bad-word', bracketedWord, 'the brackets are a part of it'],
  ['bad-word', /^#\p{L}/u, 'the "#" is a part of it'],
  ['bad-word', partedWord, 'it holds a mark that parts words'],
  ['bad-url bad-asset', /^(?:https?:)?\/\/https?[:/]/i, 'its beginning is there twice'],
  ['bad-asset', /^https?[;,]?\/+/i, 'a colon is missing after its beginning'],
  ['bad-asset', startsWithHost, 'it begins with the name of a host, but without https://'],
  ['bad-url bad-asset', commaInHost, 'its host holds a comma'],
  ['bad-asset', picturePage, 'that is a page, and no picture'],
  ['bad-base', ownPath, 'the API adds /api/username by itself'],
  [
    'bad-gallery',
    /^https:.*\.git$/,
    'it ends with .git, as what git clones does, and no page does',
  ],
  [
    'blank',
    /[\0-\x09\x0b-\x1f]/,
    'it holds a character that nobody sees, as "\\t" in double quotes makes one',
  ],
  ['blank', /[^,][,;]$/, 'it ends with a comma or semicolon'],
  ['blank', /^[^"]*[^"\d\s]"$/, 'it ends with a quote that nothing opens'],
  ['bad-asset', /^~\//, 'it is a place on your own computer'],
  ['bad-asset', saysNothing, 'it says that there is none'],
  ['bad-timestamp', (text) => text < '0100', 'that is long ago'],
  ['bad-timestamp', (text, latest) => text > latest, 'that day has not come yet'],
]

/** Why no person means a value, for a code of the schema; `latest` is the last date that may have come. */
export const unlikelyIn = (code: string | undefined, latest: string): Format | undefined => {
  const rows = unlikely.filter(([codes]) => code !== undefined && codes.split(' ').includes(code))
  if (rows.length === 0) return undefined
  return (text) =>
    rows.find(([, looks]) =>
      typeof looks === 'function' ? looks(text, latest) : looks.test(text),
    )?.[2]
}
