import { isPicture } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import type { Subschema } from '../content/schema.ts'
import { meantUsername } from '../content/username.ts'
import {
  breakAtEnd,
  brokenPath,
  closing,
  commaInHost,
  commas,
  credentials,
  escapedLetters,
  firstBrackets,
  hostName,
  htmlTag,
  inTemplate,
  lastBrackets,
  markdownBold,
  markdownHeading,
  markdownLink,
  opening,
  ownPath,
  quotes,
  remarkAtEnd,
  saysNothing,
  startsWithHost,
  throughOthers,
  unseen,
  unseenAtEnds,
} from '../content/values/unlikely.ts'
import { suggest } from '../text/suggest.ts'
import { asciiDigits, timestampsIn } from './dates.ts'

/** A change of a text that may make it what was meant: what is replaced, and by what. */
export type Repair =
  | readonly [form: RegExp, by: string | ((all: string, ...found: string[]) => string)]
  | ((text: string) => string)

/**
 * What a text of a key was perhaps meant to be, after one repair and more: one of these is
 * right, or none.
 */
export const candidates = (
  text: string,
  key: string,
  schema: Subschema,
): readonly string[] => {
  let one = text
  return [schema['x-code'] ?? 'text', key, schema.format ?? ''].flatMap((name) =>
    (repairs[name] ?? []).map((repair) => {
      one = repaired(one, [repair])
      return one
    }),
  )
}

/** A text after all of some repairs. */
export const repaired = (text: string, all: readonly Repair[]): string =>
  all.reduce(
    (one, repair) =>
      typeof repair === 'function'
        ? repair(one)
        : one.replace(repair[0], repair[1] as string),
    text,
  )

const withDigits = (word: string) => word.replace(/[lI]/g, '1').replace(/o/gi, '0')
const unitAtEnd = String.raw`(?<!\s)\s+(?![km]$)\p{L}+|(?<!\p{L})\p{L}{2,}`
/** Digits however they were typed, as those from 0 to 9. */
export const digits: readonly Repair[] = [
  [/(?<=\d)[ªº]|°/g, ''],
  [/٬/g, ','],
  (text) => asciiDigits(text).normalize('NFKC').trim(),
  // as hasty typists mistake them, but not `1o`
  [/(?<!\p{L}|\d)(?=[lIO]*\d)[\dlIOo]*[\dlIO](?!\p{L})/gu, withDigits],
  [/^[lIO]$/, withDigits],
]

const largeUnits = '(?:[mb]illion|thousand|hundred|dozen|lakh|crore)s?|mio|mln|mrd|bn|tsd'

/** `#12`, `No. 12`, `042`, `1,234`, `1.0`, `2.5k`, `12 likes` */
const number: readonly Repair[] = [
  [htmlTag, ''],
  [/^[-=]+>\s*/, ''],
  // another number than its digits say
  [/^\W*(?:[–—−]\s*\d|[.,]\d|minus\b|0[bo]\d).*$/is, ''],
  [/^.*[⁰-₉²³¹¼-¾].*$/s, ''],
  [new RegExp(String.raw`^.*\b(?:${largeUnits})\b.*`, 'is'), ''],
  ...digits,
  [/^[^\d\p{L}-]+|\s*\([^)]*\)$|\s+[#/–—-].*$|[^\d\p{L}]+$/gu, ''],
  [/^\p{L}[\p{L}\s._:#-]*(?=\d)/u, ''],
  [new RegExp(`[;,.]$|(?:${unitAtEnd})$`, 'iu'), ''],
  [
    /^(\d+)(?:[.,](\d))?\s*([km])$/i,
    (_, digits, tenth = '0', unit = '') =>
      digits + tenth + (/k/i.test(unit) ? '00' : '00000'),
  ],
  [/^[1-9]\d{0,2}([,. '’_])\d{3}(?:\1\d{3})*$/, (text) => text.replace(/\D/g, '')],
  // as in India
  [/^\d{1,2}(?:,\d\d)+,\d{3}$/, (text) => text.replace(/,/g, '')],
  [/\.0+$|^0+(?=\d)/g, ''],
]

/** What people say of a shot that is not to be shown. */
export const wordsForDraft = 'wip|draft|unpublished|hidden'

/** `true` or `false`, of words that say as much, or are a letter away from it. */
const truth = (yes: string, no: string): readonly Repair[] => [
  // a box of Markdown: `[ ]`
  [/^ +$/, 'false'],
  [
    new RegExp(
      `^(?:yes|y|t|x|on|1|ja|wahr|oui|vrai|verdader?o|verdadeiro|vero|s[ií]|sim|tak|да|はい|是|[✓✔☑✅]${yes})$`,
      'i',
    ),
    'true',
  ],
  [
    new RegExp(
      `^(?:no|n|f|off|0|nein|falsch|non|faux|never|não|nie|нет|いいえ|否|[✗✘❌☐]${no})$`,
      'i',
    ),
    'false',
  ],
  [/^\S+$/, (word) => suggest(word.toLowerCase(), ['true', 'false']) ?? word],
]

const marks = `[${closing.replace('\\])', '')}${quotes}\`\\s,;:.|\\\\]`
const marksAtEnd: Repair = [new RegExp(`(?<!${marks})${marks}+$`), '']

/**
 * An address with a space in it, or with several before what looks like its end; and a text
 * of several words.
 */
const spaced = String.raw`https?:[^\s,;]*(?:(?: |\s+(?=\S*\.\w))[^\s,;():]+|(?: [^\s,;:]+)+\.(?:jpe?g|png))\s*$`
const anyWords = String.raw`(?=\s*\S+\s+\S)`

/** `%C3%A9` as the letter that it is. */
export const unescaped = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (all) =>
    Buffer.from(all.replaceAll('%', ''), 'hex').toString(),
  )

/**
 * The name of a picture alone, in marks of Obsidian, Markdown or HTML, is that of a file
 * beside.
 */
const beside = (_: string, name = '') =>
  /^[^/:]+\.\w+$/.test(name) ? `./${name.trim()}` : name

/**
 * The address inside of quotes, `<…>`, `url(…)`, a Markdown link, an HTML tag or a sentence;
 * without a mark at its end.
 */
const bareAddress: readonly Repair[] = [
  [breakAtEnd, ''],
  [startsWithHost, 'https://$&'],
  // as Slack copies it
  [/^<([^|<>]+)\|[^|<>]*>$/, '$1'],
  [/^[-=:|]*[>=:|]\s+|(?:\\[nrt])+$/g, ''],
  // what only the browser has that shows it
  [/^blob:.*$/is, ''],
  [/[∕⁄]/g, '/'],
  [/[\ufb00-\ufb06]/g, (all) => all.normalize('NFKC')],
  [/^https?%3A\S*$/i, unescaped],
  [throughOthers, (_, inner = '') => unescaped(inner)],
  [credentials, ''],
  [/^https?:\S*@(?=https?:)/i, ''],
  // of a picture and other words, or of two, the first
  [/^(\S+\.(?:jpe?g|png|gif|webp|avif))[\s,;].*$/is, '$1'],
  [new RegExp(`^(?:${inTemplate.source})\\/*`), ''],
  [/^=\s*hyperlink\(\s*"([^"]+)".*$/is, '$1'],
  [/^!?\[\[\s*([^\]|]+).*$/s, beside],
  [/^\.\s+\/+/, './'],
  [/^.*?\[[^[\]]*\]\(\s*<?([^)\s>]+).*$/s, beside],
  [/^.*?\b(?:src|href)\s*=\s*["']?([^"'\s>]+).*$/is, beside],
  [/^(?:url|require|import)\(\s*["']?([^"')]+).*$/is, '$1'],
  [new RegExp(`^(?!${spaced})${anyWords}.*?\\b(https?:\\/\\/[^\\s,;]+).*$`, 'is'), '$1'],
  [/(?<!\s)\s+(?:\([^)]*\)|"[^"]*")\s*$/, ''],
  [unseen, ''],
  [/^(?!https?:)[^/?#]+?(?=https?:\/\/\w)/i, ''],
  [new RegExp(`^[${opening}${quotes}\`\\s]+`), ''],
  marksAtEnd,
  // but for a bracket that closes one within: Tea_(drink)
  [/\)$(?<!\([^()]*\))|\]$(?<!\[[^[\]]*\])/, ''],
]

/**
 * Makes `https://` of `https//`, `htp://`, `https:host`, `http://https://` and
 * `https:https://`.
 */
const scheme: readonly Repair[] = [
  [/^(?:https?:\/*)+(?=https?:?\/)/i, ''],
  [
    /^(?:h*t+p+(s?)\s*[:;]\s*\/*\s*|http(s?)[;,.]?\/+)(?=\w)/i,
    (_, a = '', b = '') => `http${a}${b}://`.toLowerCase(),
  ],
  [commaInHost, '$1.'],
  [/^(https?:\/\/[^\s/]*) +(?=\.\w)/i, '$1'],
]

/**
 * What lies on the author's own disk, or in a folder above: `C:\x.png`, `/Users/ana/x.png`,
 * `../x.png`.
 */
export const ownDisk = String.raw`[a-z]:(?!\s)|file:|[~@][\\/]|\\\\|[\\/](?:users|home)[\\/]|data:|(?:\.[\\/])?\.\.[\\/]`
const onDisk = new RegExp(String.raw`^(?:${ownDisk})(?:.*[\\/])?(.*)$`, 'is')

/** `shots\x.png`, `https:/host/x.png`, `www.host.com/x.png` */
const place: readonly Repair[] = [
  [/\\/g, '/'],
  [
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/blob\//i,
    'https://raw.githubusercontent.com/$1/',
  ],
  [/^(https:\/\/www\.dropbox\.com\/.*[?&])dl=0/i, '$1raw=1'],
  ...scheme,
  [/^((?:https?:)?\/\/)(?:[^/@]*@)?([^/:]+)(?::\d*)?/i, '$1$2'],
]

/** What Windows shows for the bytes from 0x80 to 0x9f. */
const shown = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Characters as UTF-8, where they are its bytes as Windows shows them: `Ã©`. */
const reread = (all: string) => {
  const bytes = [...all].map((char) =>
    shown.includes(char) ? 0x80 + shown.indexOf(char) : char.codePointAt(0),
  )
  const text = Buffer.from(bytes.map(Number)).toString()
  return text.includes('\ufffd') || bytes.some((byte) => Number(byte) > 0xff) ? all : text
}
/** Characters however programs wrote them: `CafÃ©`, `&#233;`, `\u00e9`. */
export const decoded: readonly Repair[] = [
  [/[^\0-\x7f]+/g, reread],
  [/&#(\d{2,5});/g, (_, code) => String.fromCodePoint(Number(code))],
  [
    /&#x([\da-f]{2,5});|\\u([\da-f]{4})/gi,
    (_, entity = '', hex = entity) => String.fromCodePoint(Number.parseInt(hex, 16)),
  ],
  [escapedLetters, unescaped],
  [
    /&([a-z]{2,6});/gi,
    (all, name = '') => htmlMarks[name] ?? htmlMarks[name.toLowerCase()] ?? all,
  ],
]

/** Text from HTML or Markdown. */
const plainText: readonly Repair[] = [
  [breakAtEnd, ''],
  [/(?<!\S)[\u2028\u2029](?=\p{Ll})/gu, (all) => withEscapes(all)],
  [/[\u202d\u202e]/g, ''],
  [markdownBold, '$1'],
  [markdownHeading, ''],
  [markdownLink, '$1 ($2)'],
  [/<a href="([^"<>]*)"[^<>]*>([^<>]*)<\/a>/gi, '$2 ($1)'],
  [/(?<!\s)\s*<br *\/?>\s*|<\/p>\s*(?=<p)/gi, '\n'],
  [htmlTag, ''],
  ...decoded,
  [remarkAtEnd, ''],
]
const htmlMarks: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  copy: '©',
  euro: '€',
  times: '×',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
}

/**
 * A text whose backslashes and the letters behind them became characters; of a path, lines as
 * well.
 */
export const withEscapes = (text: string, ofPath = false): string =>
  text.replace(/[\x07-\r\x1b\u2028\u2029]/g, (char) =>
    char === '\n' && !ofPath ? char : `\\${escapes[char] ?? ''}`,
  )
/** What stands for a character behind a backslash. */
const escapes: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '\u2028': 'L',
  '\u2029': 'P',
}
/** The same of a path, and perhaps of all of a text that holds one. */
const drivePath: Repair = (all) => (brokenPath.test(all) ? withEscapes(all, true) : all)

const onlyTimestamp = (text: string) => {
  const [one, another] = timestampsIn(text)
  return another === undefined ? one : undefined
}

const forges = String.raw`(?:github|gitlab)\.com|codeberg\.org`
/** A page of a repository, and what shows a part of it. */
const repository = /^(https:(?:\/+[^/]+){2}\/.+?)/
const partOfRepository = new RegExp(
  `${repository.source}${/\/(?:-\/)?(?:tree|blob|src)\/.*/.source}`,
)

/**
 * Of an address or a path, not of words alone: `coming soon`. In the name of a picture, "#"
 * is a letter like any other.
 */
const escapeSpaces = (text: string): string =>
  /\.\w|\//.test(text)
    ? text.replace(/[ \u00a0\u202f]/g, '%20').replace(hashInName, '%23')
    : text
const hashInName = /#(?=[^/?#]*\.(?:jpe?g|png|gif|webp|avif)$)/gi

/**
 * By the code, the key or the format of what a value is held against; those of all three are
 * tried, in this order.
 */
const repairs: Readonly<Record<string, readonly Repair[]>> = {
  // a space stands between two of them
  'bad-id': [[/^\d+ \d.*$/, ''], ...number],
  'bad-count': number,
  'bad-draft': truth(`|${wordsForDraft}`, '|published|public|final|done'),
  'bad-boolean': truth('', ''),
  'bad-token': [(text) => text.replace(/^0x|[\s:-]/gi, '').toLowerCase()],
  // `Tea,`, `Tea"`, `“Tea`, and what Word and old Macs put between lines
  blank: [
    ...plainText,
    drivePath,
    [/^[“„«]([^“”„«»"]+)"$/, '$1'],
    [/^[“„«](?!.*[”“»"])|[,;"]$/g, ''],
    [unseenAtEnds, ''],
    [/[\0-\x09\x0b-\x1f\u2028\u2029]+|(?<=\S)\\n(?=\S)/g, ' '],
  ],
  // Word's break of a line, and what else nobody sees
  text: [
    ...plainText,
    [/(?<=\S)\\n(?=\S)/g, '\n'],
    drivePath,
    [/[\x0b\x0c\u2028\u2029]/g, '\n'],
    [/(?<=^[^\n]*)[,;]$/, ''],
    [/[\0-\x08\x0e-\x1f]+/g, ' '],
    [/^[^\n]*\n?$/, (all) => all.replace(/(?<=\S)\t/g, ' ')],
  ],
  'bad-word': [...decoded, [unseen, ''], (text) => bareWord(text)],
  'bad-timestamp': [(text) => onlyTimestamp(text) ?? text],
  'bad-username': [meantUsername],
  'bad-url': bareAddress,
  twitter: [
    (text) =>
      saysNothing(text) ? text : text.replace(/^@?(\w{1,15})$/, 'https://twitter.com/$1'),
  ],
  'web-address': [
    [/^@(\w+)@([\w-]+(?:\.[\w-]+)+)$/, 'https://$2/@$1'],
    [/\\/g, '/'],
    ...scheme,
    [/^(\S+) (?=\S+$)/, '$1%20'],
    // but not of ana@example.com, and names without a dot
    [/^(?!https?:\/\/)\/*(?=[^/?#@:]+\.[^/?#@:]+(?:[/?#]|$))/i, 'https://'],
  ],
  // `files\tea.pdf` in double quotes
  'bad-asset': [
    [/^[\w:/\\\x07-\r\x1b-]+(?=\.)/, (all) => withEscapes(all, true)],
    ...bareAddress,
  ],
  'unknown-host': [(text) => text.trim().toLowerCase().replace(/\s+/g, '-')],
  asset: [[onDisk, ''], ...place, [/^\/(?!\/)/, ''], escapeSpaces],
  picture: [
    // it belongs beside the file
    [onDisk, (_, name = '') => (isPicture(name) ? `./${name}` : '')],
    ...place,
    [/^\.\/{2,}/, './'],
    [/^(?!\.\/[^/])(?:\.?\/)+(?<!^\/\/)/, ''],
    (path) => (path.startsWith('./') ? path : escapeSpaces(path)),
  ],
  'bad-base': [
    ...bareAddress,
    [/^localhost\b/i, 'http://$&'],
    [/^[\w-]+(?:\.[\w-]+)+(?=[:/]|$)/, 'https://$&'],
    ...scheme,
    [/[?#].*$/s, ''],
    [/ /g, '%20'],
  ],
  'api-base': [[ownPath, '']],
  'https-base': [[/^http:/i, 'https:']],
  'http-base': [[/^https:/i, 'http:']],
  // `C2410C`, `git@github.com:owner/repo.git`, `https://images.example.com/`, `logo.svg`
  'bad-gallery': [
    [/^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i, '#$1$1$2$2$3$3'],
    [/^[0-9a-f]{6}$/i, '#$&'],
    [/^([a-z]{2,3})_([a-z]{2})$/i, '$1-$2'],
    [
      new RegExp(String.raw`^(?:git@|https?:\/\/|ssh:\/\/git@)?(${forges})[:/](.+)$`, 'i'),
      (_, host = '', path = '') => `https://${host.toLowerCase()}/${path}`,
    ],
    [/(?<=^https:.*)\.git$/, ''],
    [partOfRepository, '$1'],
    [/^(?:https?:)?\/\/([^/]+).*$/is, (_, host = '') => host.toLowerCase()],
    [/^\/*/, './'],
  ],
}

/** A space that nobody tells from an ordinary one, and that is none for YAML. */
export const oddSpace = String.raw`[\u00a0\u2000-\u200b\u202f\u3000]`

/** A line that is a comment in another language. */
export const otherComment = /^\s*(?:\/[/*]|<!--|;)(?!\S+\.\S)\s*(.*?)\s*(?:\*\/|-->)?$/

/** What stands above a line that may belong to an entry of a list, and lost its indentation. */
export const belowEntry = /(?:^|\n)- \w+:.*\n(?:(?!- ).*\n)*$/

/** Whether a line with a key is one. */
export const isOfEntry = (key: string, above: string): boolean =>
  /^(?:id|created|title)$/.test(key) && belowEntry.test(above)

/**
 * Whether a text is one number in digits, with signs and words around it that change nothing:
 * `5,001`, `No. 12`, `12 likes`.
 */
export const isOneNumber = (text: string): boolean =>
  // digits of two scripts are no one number
  (!/\d/.test(text) || asciiDigits(text) === text) &&
  oneNumber.test(asciiDigits(text).trim()) &&
  !/^\D*\d{1,3}\.000\D*$/.test(text)

const before = String.raw`(?:["'“”„‘’«»([#№+\s]|n[or]\.?\s|id\s|number\s)*`
export const unit = 'likes?|followers?|following|shots?|projects?|lists?|listed|works?|people'
const oneNumber = new RegExp(
  String.raw`^${before}\d(?:[,. '’_]?\d)*\s?[km]?(?: (?:${unit}))?["'“”„‘’«»)\];,.\s]*$`,
  'i',
)

/** The words of what was written as one text, or as keys, where a list of words belongs. */
export const meantWords = (value: Data): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one: Data) => meantWords(one))
  if (typeof value !== 'string') {
    // `name: poster`, `poster: tea`, but `poster: 80%`
    return Object.entries(value).flatMap(([key, inner]) => {
      if (/^\d+$/.test(key) || keyOfWord.test(key)) return meantWords(inner)
      const isOff = /^(?:false|no|off)$/i.test(String(inner))
      const isOther = /\p{L}/u.test(String(inner)) && !saysHowWell.test(String(inner))
      const word = betweenWords.test(key) ? key : bareWord(key)
      return isOff ? [] : [word, isOther ? inner : ''].flatMap(meantWords)
    })
  }
  if (value.length > 500 || saysNothing(value)) return []
  const all = repaired(unwrapped(value), [...decoded, unnumbered, behindList, ...inNumber])
  const between = [betweenWords, conjunction].find((one) => one.test(all)) ?? betweenOthers
  return all.split(between).map(bareWord).filter(isWord)
}

/** What programs call a word that they list. */
const keyOfWord = /^(?:name|title|label|tag|skill|value|word|nodes|data)$/i

/** `poster, tea` of `1. poster 2. tea`, but not of `20. Jahrhundert` */
const unnumbered: Repair = (text) =>
  /^\W*1[.)]\s/.test(text) ? text.replace(/(?<=^|\s)\d+[.)]\s+/g, ',') : text

/** `3,5 mm` and `1,000 words`: a comma that parts no words. */
const inNumber: readonly Repair[] = [
  [/(?<=(?<!\d)\d{1,3}),(?=\d\d? \p{L})/gu, '.'],
  [/(?<=(?<!\d)\d{1,3}),(?=\d{3} \p{L})/gu, ''],
]

/** What stands behind the name of a skill, and is none. */
const levels = [
  'true|yes|on|basics?|beginner|novice|junior|intermediate|medium|good|high|low|senior',
  'advanced|expert|master|native|fluent|pro|proficient|professional|\\d+ years?',
]
const saysHowWell = new RegExp(`^(?:${levels.join('|')})$`, 'i')

/** Words between two others, or two groups of them: `lettering and type design`. */
export const joining = 'and|und|et|och|og|y|e|en|и|&|or|oder|ou'

/** `poster, tea, print` of `[poster, tea] print` and `[poster, tea] & print` */
const behindList: Repair = [
  new RegExp(
    String.raw`^\[([^[\]]*)\]\s*(?:(?:${joining})\s+|[+,;–-]\s*)?(?=[#\p{L}\p{N}])(?!\w+:)`,
    'iu',
  ),
  '$1, ',
]

const conjunction = new RegExp(String.raw`(?<!\s)\s+(?:${joining})\s+`, 'i')
const betweenOthers = /\s+[-*–](?=\S)|\s+|(?=#\p{L})(?<=^#.*)/u

/** What stands between the words of a list, in whatever script. */
export const betweenWords = new RegExp(
  `[,;|\\n•${commas}]|\\s·\\s|(?<=[${closing}])\\s*(?=[${opening}])`,
)

/** What stands between addresses; a space alone, where one surely ends or begins. */
export const betweenAddresses = new RegExp(
  [
    betweenWords.source,
    String.raw`(?<!\s)\s+(?:${joining}|[-+/–])\s+`,
    String.raw`(?<=\.(?:jpe?g|png|gif|webp|avif))\s+`,
    String.raw`(?<!\s)\s+(?=["'“]?(?:https?:|www\.))`,
    // behind a whole address, what has none of these may be its end
    String.raw`(?<!\s)(?=\s)(?<!https?:\S*)\s+(?=${hostName}(?:[/\s,;]|$))`,
  ].join('|'),
  'i',
)

/** A text without brackets and quotes around all of it. */
export const unwrapped = (text: string): string => {
  const bare = text.replace(callName, '').replace(/(?<=[\])])[\s.,;]+$/, '')
  const inside = wrapped.exec(bare)?.[1]
  return inside === undefined ? text : unwrapped(inside)
}

/** Marks, or a word of code, in front of brackets. */
const callName = /^(?:[\s*~-]+|array|list|set|%w)(?=[[(])/

const wrapped = new RegExp(`^\\s*[${opening}${quotes}](.*)[${closing}${quotes}]\\s*$`, 's')

/**
 * One of the words of a text, without marks around it; a bracket or inch mark that belongs to
 * it stays.
 */
export const bareWord = (part: string): string =>
  part
    .replace(/^[\s#*+•·◦▪–—-]+|[\s\\]+$/g, '')
    .replace(outerQuotes, '$1')
    .replace(firstBrackets, '')
    .replace(lastBrackets, '')
    .replace(marksAround, '')
    .trim()
    .replace(/\s+\/\s+/g, '/')
    .replace(/\s+/g, '-')

const outerQuotes = new RegExp(
  `^[${quotes}]+([^${quotes}]|[^${quotes}].*[^${quotes}])[${quotes}]+$`,
  's',
)
const marksAround = new RegExp(String.raw`^[#${quotes}]+|(?<!\d)[${quotes}]+$`, 'g')
const isWord = (text: string) => /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text)
