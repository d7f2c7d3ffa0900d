// Texts that are right by their form, and not what people mean.

import { ofBranch } from './address.ts'

/** Says what is wrong with a text, in words; `undefined` if nothing. */
export type Format = (text: string) => string | undefined

export const opening = '[({<［（｛【〔「『｢〈《〖⟨❨⦅'
export const closing = '\\])}>］）｝】〕」』｣〉》〗⟩❩⦆'
export const quotes = '"\'“”„‘’‚«»‹›´`＂＇〝〞〟'
/** What parts words as a comma does, in other scripts, too. */
export const commas = '、，،؛；｜､﹐﹑፣၊՝᠂߸꓾⹁︐︑'

// but for those with a partner inside of the word: tea_(drink), (19)-woodcuts
export const firstBrackets = new RegExp(`^[${opening}]+(?![^${opening}]*[${closing}].)`, 's')
export const lastBrackets = new RegExp(`(?<![${opening}][^${closing}]*)[${closing}]+$`, 's')

/** Marks of direction belong at an end of Arabic and Hebrew texts; these belong at none. */
const unseenAlone = String.raw`[\t\r\u00ad\u200b\u2060\ufeff]{1,20}`
export const unseenAtEnds = new RegExp(`^${unseenAlone}|${unseenAlone}$`, 'g')
/** A line or a paragraph as Word ends it, and what turns the direction of all that follows. */
const unseenBreak = /[\u2028\u2029\u202d\u202e]/
export const unseen = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

const domains = [
  'com|org|net|info|io|dev|app|co|eu|uk|de|at|ch|fr|es|it|nl|be|pl|se|no|dk|fi|cz|ru|ua|jp|cn|in|br|mx|ar',
  'ca|au|me|tv|art|design|studio|photos?',
].join('|')

/** What stands for words of a list. */
export const fillers = String.raw`(?:etc|usw|ecc)\.?|(?:tag|skill|word)-?\d`

/** What can only be the name of a host. */
export const hostName = String.raw`(?:[a-z0-9-]+\.)+(?:${domains})`
/** A path whose first part is one. */
export const startsWithHost = new RegExp(
  String.raw`^(?:www\.[\w-]+\.[\w.-]+|${hostName}(?=/))`,
  'i',
)

/** Words for none, and what stands where a text is still to come; in small letters. */
export const wordsForNothing = [
  'none|no|nil|null|undefined|nan|ref|object object',
  'n/?a|not available|unknown|tba|tbd|todo|k\\. ?a',
  'keine?|keine angaben?|aucune?|ninguno|ninguna|nessuno|nessuna|nenhum|geen|ingen|нет|なし|無|无|없음',
].join('|')
const wordForNothing = new RegExp(
  String.raw`^[\s\p{P}\p{Cf}~]*(?:${wordsForNothing})?[\s\p{P}\p{Cf}]*$`,
  'iu',
)

/** What was to be replaced: `TODO: write this`, `<your text>`, `%title%`. */
const leftover = new RegExp(
  [
    '^(?:TODO|FIXME|TBD)(?:[:.!?…]|$)',
    String.raw`^<\w[^<>/= ]* [^<>/=]*>$`,
    String.raw`^(?:\$\{[\w.]{1,60}\}|%\w{1,60}%|\{\{[^{}]{1,60}\}\})$`,
  ].join('|'),
)
const loremIpsum = /^Lorem ipsum\b/i

const filler = new RegExp(`^(?:${fillers})$`)

/** Whether a word of a list stands for others. */
export const isFiller = (word: string): boolean => filler.test(word)

export const saysNothing = (text: string): boolean =>
  leftover.test(text) ||
  loremIpsum.test(text) ||
  (text.length <= 100 && wordForNothing.test(text))

/** A text in quotes of print, which are none for YAML. */
export const curlyQuoted = /^[“„]([^“”„]*)[“”]$/

const endOfPicture = '\\.(?:jpe?g|png|gif|webp|avif)'
/** The name of a picture, alone. */
const pictureFile = new RegExp(`^[^\\s/]{1,100}${endOfPicture}$`, 'i')

/** Two addresses, or names of pictures, without a space between them. */
const twoAddresses = new RegExp(
  `[,;|、@](?:https?://|www\\.)|${endOfPicture}[,;|、][^,;|、]{1,300}${endOfPicture}`,
  'i',
)

/**
 * An address that only leads to another one, which is a part of it: of Google, Outlook or
 * Facebook.
 */
export const throughOthers = new RegExp(
  [
    String.raw`^https?://(?:www\.google\.[a-z.]{2,6}/url|[\w.-]+\.safelinks\.protection\.outlook\.com/`,
    String.raw`|l\.facebook\.com/l\.php)\?(?:.*&)?(?:q|u|url)=(https?(?::|%3A)[^&]+).*$`,
  ].join(''),
  'is',
)

/** A name and a password before a host. */
export const credentials = /(?<=^(?:https?:)?\/\/)[^/?#@:]*:[^/?#@]*@/i

/** What stands for an address in templates. */
export const exampleHosts = String.raw`your-?(?:web)?(?:site|domain|name|shop)\.|(?:via\.)?placehold|dummyimage\.|picsum\.`

/** Pages that are different, or none, for everybody else. */
export const ownPages = String.raw`(?:twitter|x)\.com/(?:home|settings|$)|admin\.shopify\.com`
const ownPage = new RegExp(
  String.raw`^https?://(?:www\.)?(?:${ownPages}|[^?#]*/(?:cart|checkout|wp-admin)(?:[/?#]|$))`,
  'i',
)

/** Letters of two scripts that look alike, in one part of a host's name. */
const otherLetter = String.raw`[\u0370-\u052f]`
const twoScripts = new RegExp(
  `^https?://[^/?#]*(?:[a-z]${otherLetter}|${otherLetter}[a-z])`,
  'i',
)

/** How addresses begin that only a home or an office has. */
const networks = String.raw`10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])`

/** A comma in the name of a host: `https://shop,example.com`. */
export const commaInHost = /^(https?:\/\/[^/,]*),(?=\w)/i

/** What the API adds to its base by itself. */
export const ownPath = /\/api(?:\/username(?:\/.{0,200})?|\/)?$/i

/** A place in a template, which a generator was to fill: `{{ site.baseurl }}`, `${base}`. */
export const inTemplate = new RegExp(
  [
    String.raw`\{\{[^{}]{0,99}\}\}`,
    String.raw`\{%[^%]{0,99}%\}`,
    String.raw`\$\{[^{}]{0,99}\}`,
    '<%[^%]{0,99}%>',
  ].join('|'),
  'g',
)

/** `<p>`, `</b>`, `<br />`, `<a href="…">` */
const tagNames = 'p|br|b|i|u|em|strong|a|div|span|ul|ol|li|h[1-6]|img'
const htmlComment = '<!--[^>]{0,200}-->'
export const htmlTag = new RegExp(
  ` ?${htmlComment}|</?(?:${tagNames})(?: [^<>]{0,200})?/?>`,
  'gi',
)

/** `./tea.png<br>` */
export const breakAtEnd = /(?<!\s)\s*<br *\/?>$/i

/** A tag alone may be what a text is about: `How to use <b>`. */
const html = new RegExp(`${htmlComment}|</(?:${tagNames})>|<(?:br|p) ?/?>`, 'i')

/**
 * Perhaps items of a list that stand in one line, as where `>` joined theirs: `Colours: - red
 * - blue`.
 */
export const joinedItems = /(?<!\S)- \S[^\n]{0,200} - \S/

export const markdownBold = /(?<!\*)\*\*([^\s*](?:[^*\n]{0,200}[^\s*])?)\*\*(?!\*)/g
export const markdownLink = /!?\[([^[\]\n]{1,200})\]\((https?:[^()\s]+)\)/g
export const markdownHeading = /^#{1,6} (?=\p{L})/gmu
const struckOut = String.raw`(?<!~)~~(?![\s~])[^~\n]+(?<!\s)~~(?!~)`
const markdown = new RegExp(`${markdownBold.source}|${markdownLink.source}|${struckOut}`)

/**
 * What Windows shows for the second byte of a letter; marks of print only in front of another
 * letter.
 */
const shownBytes = String.raw`(?:[\u0080-\u00bf]|[\u0152-\u02dc\u2013\u201e-\u2122](?=\p{L}))`
/**
 * UTF-8 that was read as Windows reads it: `CafÃ©`, `Ã‰tude`, `Itâ€™s`; but not `IRMÃ»`, or
 * `IRMÃ` before a space.
 */
const wrongEncoding = new RegExp(
  String.raw`[ÃÂ](?!(?<=\p{Lu}.)[«»\u00a0®·])${shownBytes}|â€|\ufffd`,
  'u',
)

const madeByBackslash = String.raw`[\x07-\x09\x0b-\r\x1b]`
/** `C:\new` or `C:\tea` in double quotes. */
export const brokenPath = new RegExp(
  [
    String.raw`^[A-Za-z]:\n\p{Ll}[^\n]*$`,
    String.raw`(?<!\S)[A-Za-z]:(?:\\\S{0,60})?${madeByBackslash}\p{Ll}`,
  ].join('|'),
  'u',
)

const remarks = 'todo|fixme|wip|draft|final|tbd|temp|note|old'
/** `Tea // final`, but not `Tea // Milk` */
export const remarkAtEnd = new RegExp(`\\s//\\s*(?:${remarks})\\b[^/]*$`, 'i')

/** `&amp;`, `&nbsp;`, `&#39;` */
const htmlMark = /&(?:[a-z]{2,6}|#\d{2,5}|#x[\da-f]{2,5});/i

const nextByte = String.raw`%[89ab][\da-f]`
const escapedLetter = String.raw`c[2-9a-f]${nextByte}|e[\da-f](?:${nextByte}){2}`
/** `%20` behind a letter, `%C3%A9`; not in an address. */
export const escapedLetters = new RegExp(
  String.raw`%(?:20(?<=\p{L}%20)|${escapedLetter})(?<!//\S{0,200})(?:%(?:20|${escapedLetter}))*`,
  'giu',
)

/** What a spreadsheet shows where a formula fails: `#REF!`. */
export const sheetError = /^#(?:REF|NAME|VALUE|DIV\/0)[!?]$/

/** What a program writes where it has no value. */
const noValue = new RegExp(
  [String.raw`^(?:~|null|nil|undefined|NaN|\[object Object\]|#N/A)$`, sheetError.source].join(
    '|',
  ),
)

/**
 * Hosts of pages that show pictures, as expressions; what follows tells the addresses of
 * pictures from those of pages.
 */
const pages = [
  'drive.google.com/(?!uc|thumbnail) docs.google.com/(?!uc) photos.google.com/ photos.app.goo.gl/',
  'dropbox.com/.*[?&]dl=0 1drv.ms/ [\\w-]+.sharepoint.com/: icloud.com/ wetransfer.com/ we.tl/',
  'figma.com/(?!api) canva.com/ miro.com/ trello.com/ mega.nz/ ibb.co/ postimg.cc/ prnt.sc/',
  'notion.so/(?!image) [\\w-]+.notion.site/(?!image) behance.net/ dribbble.com/',
  'instagram.com/(?!.*/media) pinterest.[\\w.]+/pin artstation.com/ deviantart.com/ etsy.com/ flickr.com/photos/',
  'unsplash.com/photos/[\\w-]+/?$ imgur.com/[\\w/]+$ \\w+.wiki[mp]edia.org/wiki/File:',
  'facebook.com/ linkedin.com/ twitter.com/ x.com/ youtube.com/ youtu.be/ vimeo.com/',
  'github.com/[^/]+/[^/]+/blob/(?!.*[?&]raw=) gitlab.com/.*/-/blob/',
]
const hosts = pages
  .join('|')
  .replace(/\.(?=[a-z])/g, '\\.')
  .replaceAll(' ', '|')
export const pageHosts = String.raw`(?:www\.|m\.)?(?:${hosts})`

/** A page of one of these, the first one of a host, or one in HTML. */
const picturePage = new RegExp(
  String.raw`^https?:\/\/(?:${pageHosts}|[^/?#]+\/?$|[^?#]+\.html?$)`,
  'i',
)

const otherEndings = [
  'psd|ai|indd|eps|pdf|sketch|fig|xd|docx?|pptx?|zip',
  'tiff?|hei[cf]|raw|dng|mp4|mov|avi',
]
/**
 * What design programs and cameras save, and no browser shows; files of the content are
 * looked into.
 */
const otherFile = new RegExp(String.raw`^(?!\./).*\.(?:${otherEndings.join('|')})$`, 'is')

/** A full stop at the end that belongs to an address: `/wiki/Apple_Inc.` */
const isAbbreviated = (text: string): boolean =>
  text.includes('/wiki/') || /[\b_-](?:Inc|Ltd|Co|Corp|Jr|Sr|St|Bros)\.$/.test(text)

const keysOfLines = [
  'tags|skills|aliases|id_project|price_item|url_purchased|large_image|cover_image|token_id',
  String.raw`draft(?=: true(?![^\n]))|(?:twitter|website)(?=: https?:)`,
  String.raw`date(?=: \d{4}-)|image(?=: \S{1,500}\.(?:jpe?g|png|gif|webp|avif)\s)`,
]
/**
 * How a line begins that became a part of a text by its indent: another key's, or a shell's
 * mark of the end.
 */
export const strayLine = `(?:(?:${keysOfLines.join('|')}): |EOF(?![^\n]))`

/** What git writes around two versions. */
const mergeMark = /(?<!\S)(?:<{7}|>{7}) \S/

/** Why a value that is right by its form is not what a person means, in words. */
type Unlikely = readonly [names: string, looks: Look, why: string]
type Look = RegExp | ((text: string, latest: string) => boolean)

/** But those that are apostrophes, too. */
const wordMarks = quotes.replace(/['‘’‚]/g, '')

/**
 * Quotes around the whole, or one alone at an end; not those of a name, as in `'macbeth'`,
 * `homer-'odyssey'` or `poets'`.
 */
const quotedWord = new RegExp(
  [
    `^[${wordMarks}‘’].*[${wordMarks}‘’]$`,
    `^[${wordMarks}][^${wordMarks}]*$`,
    String.raw`^[^${wordMarks}]*[^${wordMarks}\d][${wordMarks}]$`,
  ].join('|'),
)

/** Brackets around the whole, or one without a partner; not those of `(19)-woodcuts`. */
const bracketedWord: Look = (text) =>
  text.length <= longestWord && (firstBrackets.test(text) || lastBrackets.test(text))

/** No word is longer; to look for the partners of brackets takes a square of a text's length. */
const longestWord = 2_000

/** A mark that parts words in a list, but for the end of `&#39;`. */
const partedWord = new RegExp(String.raw`[${commas}|]|(?<!&#?\w{1,20});`)

const partOfRepository = /^https:\/\/[^/]+\/[^/]+\/[^/]+\/.*\b(?:tree|blob|src)\//

const unlikely: readonly Unlikely[] = [
  [
    'bad-url bad-asset bad-base',
    /^["'“”„‘’«»`]|["'“”„‘’«»`]$/,
    'the quotes are a part of it',
  ],
  ['bad-word', quotedWord, 'the quotes are a part of it'],
  [
    'bad-url bad-asset',
    /[<>]|\]\(|^!?\[\[|^\w+\(|^\((?=https?:)/i,
    'it holds marks of Markdown, HTML, CSS or code',
  ],
  [
    'bad-url bad-asset bad-base',
    (text) => /[,;:.…|]$/.test(text) && !isAbbreviated(text),
    'it ends with a mark that belongs to a sentence',
  ],
  [
    'bad-url bad-asset bad-word',
    new RegExp(unseen.source),
    'it holds a character that nobody sees',
  ],
  ['bad-url bad-asset bad-word', bracketedWord, 'the brackets are a part of it'],
  ['bad-word', /^#\p{L}/u, 'the "#" is a part of it'],
  ['bad-word', /^[-–—•·◦▪*]+\p{L}/u, 'the mark of a list is a part of it'],
  ['bad-word', isFiller, 'it stands for words that are still to come'],
  ['bad-word', partedWord, 'it holds a mark that parts words'],
  [
    'bad-url bad-asset bad-base',
    /^(?:https?:)?\/\/https?[:/]/i,
    'its beginning is there twice',
  ],
  [
    'bad-url bad-asset bad-word blank',
    new RegExp(inTemplate.source),
    'a template was to fill it',
  ],
  ['blank text', sheetError, 'a spreadsheet shows that in place of a value'],
  ['blank text', noValue, 'it says that there is none'],
  ['bad-word', /^[\p{P}~]+$/u, 'it holds no letter'],
  ['blank text', leftover, 'it was to be replaced'],
  ['text', loremIpsum, 'it fills a place for a text'],
  ['bad-url bad-asset', twoAddresses, 'it holds two addresses'],
  ['bad-asset', /^https?[;,]?\/+/i, 'a colon is missing after its beginning'],
  ['bad-asset', startsWithHost, 'it begins with the name of a host, but without https://'],
  ['bad-url bad-asset', commaInHost, 'its host holds a comma'],
  ['bad-url', credentials, 'everybody can read the password in it'],
  ['bad-url bad-asset', throughOthers, 'it leads there by a page of somebody else'],
  [
    'bad-url bad-asset api-base',
    /^https?:\/\/(?:localhost|127\.|0\.0\.)/i,
    'it leads to your own computer',
  ],
  [
    'bad-url bad-asset',
    /^https?:\/\/(?:www\.)?[\w-]+(?:[/?#]|$)/i,
    'its host has no ending, such as .com',
  ],
  ['bad-url bad-asset', twoScripts, 'its host mixes letters of two scripts'],
  ['bad-url bad-asset', /[\ufb00-\ufb06]/, 'two of its letters are one character'],
  [
    'bad-url bad-asset',
    new RegExp(`^https?://(?:www\\.)?(?:${exampleHosts})`, 'i'),
    'it stands for an address that is still to come',
  ],
  ['bad-url', /^https?:\/\/[^/?#@:]+@/i, 'that is the address of mail'],
  ['bad-asset', /^[^/\s@]+@[^/\s@]+\.\w+$/, 'that is the address of mail, and no file'],
  ['bad-asset', /^(?:yes|true|x|same|coming|\d+x\d+)$/i, 'that names no file'],
  ['bad-url', ownPage, 'others see something else there, or nothing'],
  ['bad-asset', /[?&](?:X-(?:Amz|Goog)-)?Expires=/i, 'it works for a short time only'],
  [
    'bad-url bad-asset api-base',
    new RegExp(String.raw`^https?://(?:${networks})\.\d+\.`),
    'it leads to your own network',
  ],
  [
    'bad-base',
    new RegExp(`${endOfPicture}$`, 'i'),
    'that is one file, and no folder of files',
  ],
  [
    'api-base',
    /^https?:\/\/(?:www\.)?(?:github|gitlab)\.com\//i,
    'that is the repository, and not where the API answers',
  ],
  ['bad-asset', picturePage, 'that is a page, and no picture'],
  ['picture', otherFile, 'browsers show no such file as a picture'],
  ['api-base', ownPath, 'the API adds /api/username by itself'],
  [
    'bad-gallery',
    // pages that add something take a branch
    (text) => partOfRepository.test(text.replace(ofBranch, '$1')),
    'it leads to one part of the repository',
  ],
  [
    'bad-gallery',
    /^https:.*\.git$/,
    'it ends with .git, as what git clones does, and no page does',
  ],
  ['blank', pictureFile, 'it is the name of a file'],
  ['blank text', /^=[A-Z$]+(?:\d|\()/, 'a spreadsheet computes it'],
  ['blank text', htmlMark, 'it holds a character as HTML writes it'],
  [
    'blank text',
    new RegExp(escapedLetters.source, 'iu'),
    'it holds characters as addresses write them',
  ],
  ['blank text', brokenPath, 'a backslash and the letter behind it became one character'],
  [
    'blank text',
    /[\0-\x08\v\f\x0e-\x1f]|^(?=[^\n]+\n?$)[^\n]*\S[\t\r]+ ?\S/,
    'it holds a character that nobody sees, as "\\t" in double quotes makes one',
  ],
  // in Greek, a semicolon is a question mark
  [
    'blank text bad-word',
    /^[^\n]*(?:[^,\n],|[^,\n\u0370-\u03ff];)$/,
    'it ends with a comma or semicolon',
  ],
  ['blank', /^[^"]*[^"\d\s]"$/, 'it ends with a quote that nothing opens'],
  ['blank', /^[“„«](?!.*[”“»"])/, 'it begins with a quote that nothing closes'],
  [
    'blank text',
    /^[^\\\n]*[^\s:\\]\\n/,
    'it holds "\\n", which is a new line in double quotes only',
  ],
  [
    'blank text',
    /\\u[\da-f]{4}|^[^\\\n]*[^\s:\\]\\[tr]\b/i,
    'it holds a mark that stands for a character in double quotes only',
  ],
  ['blank text', html, 'it holds HTML, which is shown as it stands'],
  ['blank text', markdown, 'it holds Markdown, which is shown as it stands'],
  [
    'blank text',
    new RegExp(markdownHeading.source, 'mu'),
    'it holds a heading of Markdown, which is shown as it stands',
  ],
  [
    'blank text bad-word',
    wrongEncoding,
    'it was read in another encoding than it was saved in',
  ],
  ['blank', new RegExp(unseenAtEnds.source), 'it holds a character that nobody sees'],
  ['blank text', unseenBreak, 'it holds a character that nobody sees'],
  [
    'text',
    new RegExp(`^${strayLine}`, 'm'),
    'by its indentation, a line is a part of it that belongs elsewhere',
  ],
  ['blank text', mergeMark, 'it holds the marks of a merge that was not finished'],
  ['text', /\S \\[ \n]/, 'it holds a backslash, as lines of a shell end with one'],
  ['text', joinedItems, 'its lines are joined to one, as ">" does'],
  ['blank text', remarkAtEnd, 'a comment begins with "#"'],
  ['bad-asset', /^[~@]\//, 'it is a place on your own computer'],
  ['bad-asset text', saysNothing, 'it says that there is none'],
  ['bad-timestamp', (text) => text < '0100', 'that is long ago'],
  ['bad-timestamp', /^1970-01-01[ T]00:00:00/, 'programs write that where they know no date'],
  ['bad-timestamp', (text, latest) => text > latest, 'that day has not come yet'],
]

/**
 * Why no person means a value of some names: its code and its format; `latest` is the last
 * date that may have come.
 */
export const unlikelyIn = (names: readonly string[], latest: string): Format | undefined => {
  const rows = unlikely.filter(([own]) => own.split(' ').some((one) => names.includes(one)))
  if (rows.length === 0) return undefined
  return (text) =>
    rows.find(([, looks]) =>
      typeof looks === 'function' ? looks(text, latest) : looks.test(text),
    )?.[2]
}
