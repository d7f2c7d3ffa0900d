import { once } from '../content/once.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { lineAt, type Stretch } from '../content/parse/document.ts'
import type { Parsed } from '../content/parse/parse.ts'
import type { Problem } from '../content/parse/problem.ts'
import { readTree } from '../content/parse/reader.ts'
import { isUnclosed } from '../content/parse/syntax-error.ts'
import { createJudgeData, readSchema, type Subschema } from '../content/schema.ts'
import { createJudge } from '../content/values/formats.ts'
import { curlyQuoted, inTemplate } from '../content/values/unlikely.ts'
import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { printable, quote } from '../text/printable.ts'
import { suggestOnly } from '../text/suggest.ts'
import {
  between,
  choicesFor,
  formOf,
  instead,
  isFreeText,
  isMeant,
  isProse,
  longest,
  meantData,
  type Spot,
} from './hint.ts'
import { belowEntry, isOfEntry, oddSpace, otherComment } from './meant.ts'

// What is said of a syntax error: a table at the end decides, by yaml's words and the text around.

/** What is told of lines that begin with spaces which are none for YAML, and so are a part of their keys. */
export const oddIndentation = ({ data, placeOf }: Parsed, text: string): Diagnostic | undefined => {
  const [key = '', another] = Object.keys(mappingOf(data)).filter((one) => oddlyIndented.test(one))
  const from = text.indexOf(key)
  // one alone has a name that is meant
  if (another === undefined || from === -1) return undefined
  const advice =
    'delete the spaces in front of each line that begins so, and type them anew; an editor can replace all of them'
  return diagnose('yaml-syntax', placeOf(lineAt(text, from)), { problem: oddIndent, advice })
}

/** What is told of the YAML of a file, in its order. */
export const explainYaml = ({ problems, placeOf }: Parsed, text: string): readonly Diagnostic[] => {
  const copied = problems.find(
    ({ code, from }) => code === 'duplicate-key' && isCopied(keysAround(text, from)),
  )
  // of a file that stands there twice, the first key is told
  const follows = (one: Problem) =>
    one.code === copied?.code && one.from > copied.from && placeOf(one).column === 1
  return problems
    .filter((one) => !follows(one))
    .map((one) => explainProblem(one, text, placeOf))
    .sort(byPlace)
}

const explainProblem = (one: Problem, text: string, placeOf: Parsed['placeOf']) => {
  const { code, args, from, first } = one
  const place = placeOf(one)
  if (code === 'duplicate-key') {
    const entry = place.column > 1 ? innerKey : secondKey(String(args.key), text, from)
    const related = first && [{ ...placeOf(first), message: 'it is given here first' }]
    return diagnose(code, place, { ...args, entry }, related)
  }
  if (code === 'multiple-documents') return diagnose(code, place, afterDocument(text, from))
  const around = lookAround(code === 'yaml-syntax' ? args.said : '', text, one)
  const { pieces } = around
  if (code === 'yaml-syntax') {
    const { at, fix, ...words } = adviseOn(around, text)
    return { ...diagnose(code, placeOf(at), words), ...(fix !== undefined && { fix }) }
  }
  if (code === 'bad-tag') {
    const isWhole = /: +$/.test(pieces.before) && !pieces.onwards.startsWith('!!')
    const advice = (isWhole && pieces.meant) || undefined
    return diagnose(code, place, { tag: text.slice(from, one.to), advice })
  }
  if (code === 'bad-key') {
    const isNote = /^\[\^?\w+\]:? /.test(pieces.line) && isProse(pieces.keyAbove)
    const text = isNote ? pieces.keyAbove : undefined
    return diagnose(code, place, { ...args, text, template: pieces.line.match(inTemplate)?.[0] })
  }
  // code and args belong together, which a union can't show
  return diagnose(code, place, args as never)
}

const innerKey =
  'if another entry begins here, write "- " in place of two of the spaces before it; else keep one of the two'

/** What to do with a key that is there already: all of another file may begin, or it may be that of a project. */
const secondKey = (key: string, text: string, from: number) => {
  const { above, below } = keysAround(text, from)
  if (isCopied({ above, below }))
    return 'if another one begins here, move it to a file of its own; else remove what is there twice'
  if (isOfEntry(key, textAbove(text, from)))
    return 'if it belongs to the entry above, begin it with two spaces; else keep one of the two'
  if (known()[key]?.items) return 'list all of it below one of the two, and remove the other'
  return key === 'id' && /^(?!.*\bid_project\b).*\bimage\b/.test([...above, ...below].join())
    ? 'if one of them is the id of a project, write id_project before it; else keep one of the two'
    : undefined
}

/** Whether keys of the file are there again, as where another one was pasted below. */
const isCopied = ({ above, below }: ReturnType<typeof keysAround>) =>
  below.filter((one) => above.includes(one)).length > 2

const keysAround = (text: string, at: number) => {
  const keysIn = (part: string): readonly string[] => part.match(/^\w+(?=[ \t]*:(?:\s|$))/gm) ?? []
  return {
    above: keysIn(textAbove(text, at)),
    below: keysIn(text.slice(at, at + lookedAt)),
  }
}

/** Whether nothing but the line that begins a second document is wrong, and the key where a text below it belongs. */
const afterDocument = (text: string, second: number) => {
  const { above, below } = keysAround(text, second)
  const isOther = below.some((key) => above.includes(key))
  const isText = /^(?!\w+[ \t]*:|[\s#-])./m.test(text.slice(second).replace(/^---|^\.\.\./, ''))
  const ownText = above.includes('name') ? 'bio' : 'description'
  return {
    empty: !isOther && !isText && text.startsWith('---', second),
    key: isOther || !isText ? undefined : ownText,
  }
}

/** The length of lines that are empty or a comment, where a line that says something follows. */
const commentsAt = (text: string, at: number) =>
  /^(?:[ \t]*(?:#[^\n]*)?\n)+(?=[ \t]*[^\s#])/.exec(text.slice(at, at + lookedAt))?.[0].length ?? 0

/** UTF-16 units around an error that advice looks at: a line may be a whole file of 1 MiB. */
const lookedAt = 4096

const textAbove = (text: string, at: number) => text.slice(Math.max(0, at - lookedAt), at)

/** The text around an error, in pieces that the rules below look at, each in one way; and the stretches to point at. */
const lookAround = (said: string, text: string, at: Stretch) => {
  const found = Math.min(at.from, text.length)
  // nothing is wrong with a comment on a line of its own: it is with what follows
  const from = lineAt(text, found).from === found ? found + commentsAt(text, found) : found
  const own = lineAt(text, from)
  const piece = (begin: number, end = text.length) =>
    text.slice(begin, Math.min(end, begin + lookedAt))
  const below = text.indexOf('\n', from) + 1 || text.length
  const line = piece(own.from, own.to)
  const onwards = piece(from)
  const above = textAbove(text, own.from)
  const after = piece(from, own.to)
  const keysAfter = Array.from(after.matchAll(/(?:^|[\s,;])(\w+):(?=\s|$)/g), ([, key = '']) => key)
  const [, keyAbove = '', valueAbove = ''] =
    Array.from(above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)).at(-1) ?? []
  const [closed = ''] = closing.exec(onwards) ?? []
  // not every rule asks, and it takes long
  const meant = once(() => blockLine(line) ?? meantHere(line, above, onwards) ?? '')
  return {
    pieces: {
      said,
      line,
      before: piece(own.from, from),
      after,
      onwards,
      above,
      keyAbove,
      valueAbove,
      /** A text in quotes or brackets that are closed below, where no key stands within it. */
      closed: /^[\w-]+:(?: |$)/m.test(closed) ? '' : closed.trimEnd(),
      /** A key of content that begins on the line of another. */
      next: keysAfter.find(isKey) ?? gluedKey(after, text, own.to),
      /** Advice to write the line as it was most likely meant, with all of its value. */
      get meant() {
        return meant()
      },
    },
    stretches: {
      token: { from, to: Math.max(from, Math.min(at.to, own.to)) },
      rest: { from, to: Math.max(from, own.to) },
      value: { from: own.from + valueColumn(line), to: own.to },
      line: indented(text, own),
      'line above': indented(text, lineAt(text, Math.max(0, own.from - 1))),
      'line below': indented(text, lineAt(text, below + commentsAt(text, below))),
    },
  }
}

/** A key that goes on with the word in front of it, as where another file was pasted behind the last line: `20 EURid: 7`. */
const gluedKey = (after: string, text: string, end: number) => {
  const [, key = ''] = /(id|name): /.exec(after) ?? []
  return isCopied(keysAround(text, end)) ? key : ''
}

const quoted = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)`
const closing = new RegExp(String.raw`^(?:${quoted}|\[[^\]]*\]|\{[^}]*\})`, 's')

type Around = ReturnType<typeof lookAround>

/** A line without the spaces in front of it. */
const indented = (text: string, { from, to }: Stretch): Stretch => ({
  from: from + text.slice(from, to).search(/[^ \t]|$/),
  to,
})

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
const valueColumn = (line: string) =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)?.[0].length ?? 0

/** What to point at; what is wrong, and what to write; what belongs there, where that has one answer. */
const adviseOn = ({ pieces, stretches }: Around, text: string) => {
  const fitting = rules.find(([where]) =>
    Object.entries(where).every(([name, form]) => form.test(pieces[name as keyof typeof pieces])),
  )
  const [, shown, problem, otherwise = '', always] = fitting ?? lastRule
  const at = stretches[shown]
  const typed = text.slice(at.from, at.to)
  const filled = (words: string) =>
    words
      .replace('{sign}', quote(typed.slice(0, 1)))
      .replace(
        /\{(next|keyAbove|meant)\}/,
        (_, name: 'next' | 'keyAbove' | 'meant') => pieces[name],
      )
  const meant = always ? '' : pieces.meant
  const advice = filled(meant || otherwise)
  const below = stretches['line below']
  const isLike = shown === 'line' && isOddLike(typed, text.slice(below.from, below.to))
  return {
    at,
    problem: filled(problem),
    advice:
      meant !== '' && isLike ? `${advice}; change the lines below that are like it, too` : advice,
    fix: fixFor(typed, pieces, advice),
  }
}

/** Whether two lines have the same signs around their first words, and none that are right there: `**title:** Tea`. */
const isOddLike = (line: string, another: string) => {
  const [a, b] = [line, another].map((one) => oddSigns.exec(one)?.slice(1).join('\n'))
  return a !== undefined && a === b
}

const oddSigns = /^(?!(?:- )*\w+: |- \w)(\W*)\w+([^\w\s]*\s?[^\w\s]*)/

/** What advice says to write in place of what was typed: all of it in quotes, or a line with its sign or comment put right. */
const fixFor = (typed: string, { line }: Around['pieces'], advice: string) => {
  if (typed.length > longest || typed.trim() === '') return undefined
  if (advice === 'remove it') return ''
  const better = advice.replace(/^write /, '')
  if (better.startsWith('# ') || typed === better.replace(/^- /, '-')) return better
  // nothing but the sign between key and value is another
  const [, key = '', value] = /^(?:- )?(\w+): (.+)$/.exec(better) ?? []
  const front = value && typed.endsWith(value) ? typed.slice(0, -value.length) : ''
  if (isKey(key) && /^(?:- +)?\w+\s*-?[:=：→>]+\s*$/.test(front)) return better
  const quoted = JSON.stringify(typed)
  const isQuoted = line.trimStart().replace(typed, () => quoted) === better
  return isQuoted && !/^[|>-]|\s#/.test(typed) ? quoted : undefined
}

const schemas = once(() => [readSchema('profile'), readSchema('shot'), readSchema('site')])

/** The schema of each key, in whatever file it belongs. */
const known = once((): Readonly<Record<string, Subschema>> => {
  const all = schemas().map(({ properties = {} }) => properties)
  return Object.assign({}, ...all.map(({ projects }) => projects?.items?.properties), ...all)
})

const isKey = (name: string) => Object.hasOwn(known(), name)

const judgeData = createJudgeData(createJudge([], { portsAllowed: true, latest: '9999' }))

const marks = String.raw`["'“”*_\x60]*`
const sign = String.raw`(?:[=-]*>+|<+[=-]*|[:：;=,|–→]+|-(?!\d))`
/** Perhaps a dash; a word, with any marks around it; a colon, another sign or none; and a value. */
const entry = new RegExp(
  String.raw`^\s*([-*+•] +)?(${marks})([A-Za-z]\w*)${marks}(\s*${sign}(?:\2)?[\s\u200b]*|\s+|$)(.*)$`,
)

const belowList = /(?:^|\n)[ \t]*(?:- .*|\w+:)\s*\n$/

/** Lines that are another one, whatever their keys: comments and items of lists; and what stands above them. */
const lines: readonly (readonly [form: RegExp, above: RegExp, advice: string])[] = [
  [otherComment, /^/, 'write # $1'],
  [/^\s*- \[[ x]\] (.*)$/i, belowList, 'write - $1'],
  [/^\s*-([^\s-].*)$/, belowList, 'write - $1'],
  [/^\s*([\p{L}\p{N}][^:]*)$/u, /(?:^|\n)[ \t]*- [^:\n]*\n$/, 'write - $1'],
]

/** An entry of YAML in place of an element of XML, a box, or a line of code; with its key once, and its brackets turned round. */
const plainEntry = (line: string) =>
  line
    .replace(/^\s*<(\w+)>([^<]*)<\/\w+>\s*$/, '$1: $2')
    .replace(/^\s*(?:[-*+] )?\[([ x])\] (draft)\s*$/i, (_, box, key) => `${key}: ${box !== ' '}`)
    .replace(/^\s*(?:export )?(?:const|let|var) (?=\w+ =)/, '')
    .replace(/^(\s*(?:- +)?(\w+: +))\2/, '$1')
    .replace(/: *\](.*)\[\s*$/, ': [$1]')

/** Advice to write a line, with what goes on below it, as it was most likely meant. */
const meantHere = (line: string, above: string, onwards: string) => {
  const simple = lines.find(([form, where]) => form.test(line) && where.test(above))
  if (simple !== undefined) return line.replace(simple[0], simple[2])
  const [, dash = '', opened = '', name = '', sign = '', rest = ''] =
    entry.exec(plainEntry(line)) ?? []
  const key = keyOf(name, sign)
  // a comma as in JSON
  const typed = rest.replace(/^((["']).*\2)[,;]\s*$/, '$1')
  const isOther = /[=：→>:]/.test(sign) && opened === '' && typed !== '' && !typed.startsWith('//')
  if (!isKey(key) && !isOther) return undefined
  // marks that close behind the key are not around the line
  const mark = line.includes(`${name}${opened}`) ? '' : opened
  const value = mark === '' ? typed : typed.replace(/["'*`]+$/, '')
  const advice = valueLine(key, value, onwards)
  if (advice === `write ${line.replace(/^ +(?:- +)?| +$/g, '')}`) return undefined
  const isInJson = opened !== mark && above.lastIndexOf('{') > above.lastIndexOf('}')
  if (isInJson && /,\s*$/.test(rest)) return advice && `${advice},`
  return dash !== '' && belowList.test(above) ? advice?.replace('write ', '$&- ') : advice
}

/** The key that a name stands for; one that is a letter away is meant where a sign stands for the colon. */
const keyOf = (name: string, sign: string) => {
  if (isKey(name)) return name
  const near = /[=：→>]/.test(sign) ? suggestOnly(name, Object.keys(known())) : undefined
  return near ?? name.toLowerCase()
}

/** Advice for a line with a key and a value, or the beginning of one. */
const valueLine = (key: string, value: string, onwards: string) => {
  // a switch that is only named is meant to be on
  const whole = value === '' && known()[key]?.examples?.[0] === true ? 'true' : value
  return whole === '' ? `write ${key}:` : meantLine(key, wholeValue(key, whole, onwards))
}

/** The marks of a text in lines: `bio:|`, `bio: >|`. */
const markAlone = /^(\w+): *([|>]+)([-+]?)\s*$/

/** Advice for a line that holds nothing but a key and the marks of a text in lines. */
const blockLine = (line: string) => {
  const [, key = '', block = '', end = ''] = markAlone.exec(line) ?? []
  if (!isProse(key)) return undefined
  return block.length === 1
    ? `write ${key}: ${block}${end}`
    : `write ${key}: | or ${key}: >; "|" keeps the lines, ">" joins them`
}

/** A value with the lines below that go on with it, without `|` or `>` in front; what may be a part of it stays, as in `|20 EUR|`. */
const wholeValue = (key: string, value: string, onwards: string) => {
  const isList = known()[key]?.items !== undefined
  const below = onwards.split('\n').slice(1)
  const end = below.findIndex(
    (one) => !/^\s+\S/.test(one) || isKey(/^\s*"?(\w+)"?:/.exec(one)?.[1] ?? ''),
  )
  const first = value.replace(/^[|>][-+]?(?=\s|\p{L}[^|<]*$)/u, '').trim()
  const parts = below.slice(0, end === -1 ? undefined : end).map((one) => one.trim())
  const sign = between[key]
  if (sign !== undefined && parts.length > 0 && parts.every((one) => /^\w+: \S/.test(one)))
    return [first, ...parts.map((one) => one.replace(/^\w+: /, ''))].join(sign)
  const inLines = isList || (isProse(key) && parts.some((one) => /^\p{L}[^:]*: /u.test(one)))
  return [isList ? first : first.replace(/^- +(?!\d|.* -$)/, ''), ...parts]
    .join(inLines ? '\n' : ' ')
    .trim()
}

/** Advice to write a key with the value that some text was meant to be; `undefined` where nobody can tell. */
const meantLine = (key: string, raw: string) => {
  const schema = (isKey(key) && known()[key]) || {}
  const mayGo = !schemas().some(({ required = [] }) => required.includes(key))
  const spot = { judgeData, key, schema, isItem: false, mayGo, isAsked: true }
  if (raw.length > 200) return undefined
  if (!mayGo && /^[\p{P}\s]*$/u.test(raw)) return formOf(schema)
  const line = `${key}: ${raw}`
  if (isRight(line, spot)) return `write ${line}`
  const isOther = isKey(key) && !schema.properties ? schema.items && /^\{.*:/ : /^[[{]/
  if (isOther?.test(raw)) return undefined
  const isFree = isFreeText(schema)
  const typed = isFree || schema.items ? raw : raw.replace(/\s# .*$/, '')
  // as in JavaScript: 'Lea\'s'
  const text = schema.items ? raw : withoutQuotes(typed.replace(/\\'(?=\p{L})/gu, "'"))
  const advice =
    instead(typed, spot, isFree ? textsFor(text, spot) : choicesFor(text, spot)) ?? formOf(schema)
  return advice === '' ? undefined : printable(advice)
}

/** Whether a line gives its key what belongs there, with all of the text that was typed. */
const isRight = (line: string, spot: Spot) => {
  const read = readTree(line)
  const value = mappingOf(read?.tree.data)[spot.key]
  return value && !read?.mayBeCut && isMeant(value, spot) && printable(line) === line
}

/** What a text was meant to be, with and without marks that may belong to it; marks of Markdown are left out. */
const textsFor = (text: string, spot: Spot): readonly Data[] => {
  const [, code] = /^`([^`]+)`$/.exec(text) ?? []
  if (code !== undefined) return [code, text]
  return withAndWithoutQuotes(text).map((one) =>
    isMeant(one, spot) ? one : (meantData(one, spot) ?? one),
  )
}

/** A text with quotes around its beginning: they may belong to it, as they hardly do around a number. */
const withAndWithoutQuotes = (text: string): readonly string[] => {
  const [, inside] = curlyQuoted.exec(text) ?? []
  if (inside !== undefined) return [inside, text]
  const [, , part = '', rest = ''] = /^(["'])([^"']+)\1( [^"']+|:)$/.exec(text) ?? []
  if (part === '') return [text]
  return /\p{L}/u.test(part) ? [text, part + rest] : [part + rest, text]
}

/** A text without the quotes around all of it, be they the same or not. */
const withoutQuotes = (raw: string) => {
  // as in CSV
  if (/^"(?!")[^"]*(?:""[^"]+)+"+$/.test(raw)) return raw.slice(1, -1).replaceAll('""', '"')
  if (/^(""|'')[^"']+\1$/.test(raw)) return raw.slice(2, -2)
  const [, first = '', text = ''] = /^("""|'''|["'])(.*?)(?:"""|'''|["'’”])?$/s.exec(raw) ?? []
  // an apostrophe belongs to the text: '90s
  if (first === '' || /^'(?:\d\ds|round|til|tis|twas)\b(?!.*')/i.test(raw)) return raw
  const second = raw.indexOf(first, first.length)
  // the second quote begins a quote within the text, or is an apostrophe
  const isOdd = raw.split(first).length % 2 === 0
  const isWithin = /^(?:\s|\w.\w)/s.test(raw.slice(second - 1, second + 2))
  const isInside = raw.endsWith(first)
    ? isOdd || isWithin
    : isOdd && /\s/.test(raw.charAt(second - 1))
  return second === -1 || second === raw.length - first.length || isInside ? text : raw
}

/**
 * What is said where pieces of the text around have a form: what to point at; what is wrong, as the end of "this is not
 * YAML: …"; and what to write, where nobody can tell what was meant, or `always`.
 */
type Rule = readonly [
  where: { readonly [K in keyof Around['pieces']]?: RegExp },
  shown: keyof Around['stretches'],
  problem: string,
  advice?: string,
  always?: 'always',
]

const inQuotes = 'put the whole value in quotes'
const oneKeyALine = 'write "key: value" on each line, with a space after the colon'
const noColon = 'this line has no ": " after its key'
const noKeyHere = 'this line has no ": " after a key'
const unclosed = 'the quote or bracket here is not closed'
const heading = 'this line is a heading of INI or TOML'
const noHeading = 'remove the line: a file is one profile or one shot'
const oddIndent = 'an unusual space is used for indentation'
const marked = 'put text that begins with "&", "!", "*" or "%" in double quotes'
const asBlock = 'write {keyAbove}: | and begin each line of the text below it with two spaces'
const tab = 'a tab is used for indentation'
const spacesOnly = 'indent with spaces only; most editors can turn tabs into spaces'
const notIndented = 'this line goes on with the one above and is not indented'
const indentAll = 'begin each line but the first with two spaces, the last one too'
const tooShallow = 'this line is indented less than the text above it'
const asDeep = 'begin all lines of a text below "|" or ">" with two spaces more than its key'

const afterValue = /^UNEXPECTED_TOKEN .*at node end$/
const afterMark = /^\w+ (?:Not a YAML|Block scalar h|Unexpected block-seq)/
const nested = /^\w+ Nested mappings/
const noEntry = / Implicit | (?:All|A block s|Sequence i)|at node end$/
const text = /^(?:title|name|location|description|bio)$/
const prose = /^(?:description|bio)$/
const afterKey = /(?:^|(?:^|\n)\w[^\n]*[^:\s]\s*\n)$/
const noKey = /^(?!\s*(?!\w+:\/\/)\S*:)/
const noUsualKey = /^(?!\s*\w+:(?: |$))/
const hashtagsNext = /^(?:(?![\w-]+:(?:\s|$)).*\n)*?\s*#\p{L}/u
const oddlyIndented = new RegExp(`^ *${oddSpace}+\\S`)
const oddlySpaced = new RegExp(`^\\s*\\w+: *${oddSpace}`)

const rules: readonly Rule[] = [
  // what belongs to other formats
  [
    { line: /^[^\s:,;]+(?:[,;\t][^\s:,;]+){2,}$/ },
    'line',
    'this line is a row of a table',
    'write each value on a line of its own, behind its key: title: Tea',
    'always',
  ],
  [{ line: /^\[[A-Za-z_]+\]\s*$/, above: afterKey }, 'line', heading, noHeading],
  [{ above: /^\s*\[[A-Za-z_]+\]\s*\n\s*$/ }, 'line above', heading, noHeading, 'always'],
  [
    { onwards: /^(?:<{7}|={7}|>{7}|.*\n={7})/ },
    'line',
    'this is the mark of a merge that was not finished',
    'keep one of the two versions, and remove the lines that begin with "<<<<<<<", "=======" and ">>>>>>>"',
  ],
  [
    { line: /^\s*(?:[`~]{3}\w*|[*_=]{3,}|\+{3}|\|.*\|)\s*$/ },
    'line',
    'this line is Markdown',
    'remove the line, or write "key: value" in its place',
  ],
  [
    { line: /^\s*(?:export |module\.|const |let |var ).*[{(]\s*$/ },
    'line',
    'this line is JavaScript',
    'remove the line',
  ],
  [
    { line: /^\s*(?:\w+:\s+)?!?\[[^\]]*\]\([^)]+\)\s*$/ },
    'value',
    'this is a link in Markdown',
    oneKeyALine,
  ],
  [
    { line: /^\s*(?:\/\*|<!--)(?!.*(?:\*\/|-->))/ },
    'line',
    'a comment begins with "#"',
    'begin each line of the comment with "# ", without the marks around it',
    'always',
  ],
  [{ line: otherComment }, 'line', 'a comment begins with "#"'],
  [
    { line: /^\+ *(?:\w+:(?: |$)|- )/ },
    'line',
    'this line is one of a comparison',
    'remove the "+" in front of each line, and the lines with "-" that they are to replace',
    'always',
  ],
  [
    { line: /^\s*[*+•–—]\s/, keyAbove: prose, meant: /^(?!write \w+:)/ },
    'line',
    'an item of a list begins with "-"',
    asBlock,
    'always',
  ],
  [
    { above: /^\s*$/, onwards: /^([*+•–—] )\w+: .*\n\1\w+:/ },
    'line',
    'a mark stands in front of its key',
    'remove the mark in front of each line',
    'always',
  ],
  [
    { line: /^\s*[*+•–—]\s/ },
    'line',
    'an item of a list begins with "-"',
    'begin each item with "- " instead',
  ],
  [
    { line: /^> ?(?:\w+:|#)(?: |$)/ },
    'line',
    'this line is a quote',
    'remove the ">" in front of each line',
    'always',
  ],
  [
    { line: /^ *\d+(?:[ \t|:.)]+\w+:| +#)(?: |$)/, above: /^(?:.*\n)? *(?:\d.*\n\s*)?$/ },
    'line',
    'this line begins with its number',
    'remove the number in front of each line',
    'always',
  ],
  [{ line: /^\$ \w+ / }, 'line', 'this line is a command', 'remove the line', 'always'],
  [{ line: /^\s*[*_`]+\w+\W/, meant: /./ }, 'line', noColon],

  // white space
  [{ line: /^ *\t\s*\w+:(?:\s|$)/, above: afterKey, meant: /./ }, 'token', tab],
  [{ said: /^TAB_AS_INDENT/ }, 'token', tab, spacesOnly, 'always'],
  [{ line: /^ *\t/ }, 'line', tab, spacesOnly, 'always'],
  [
    { line: oddlyIndented },
    'line',
    oddIndent,
    'delete the spaces in front of it, and type them anew',
    'always',
  ],

  // quotes and brackets
  [
    { said: isUnclosed, closed: /^(?:["'].*\n|[[{].*\n\S)/s },
    'line below',
    notIndented,
    indentAll,
    'always',
  ],
  [
    { said: isUnclosed, onwards: /^[[{].* #\S/ },
    'rest',
    '"#" begins a comment, so this is not closed',
    'put what begins with "#" in double quotes: accent: "#c2410c"',
  ],
  [
    { said: isUnclosed, onwards: /^[^\n]*$/, meant: /^write / },
    'rest',
    unclosed,
    'if the file is cut off here, get all of it anew; else {meant}',
    'always',
  ],
  [{ said: isUnclosed }, 'rest', unclosed, 'close it, or put all of the text in double quotes'],
  [
    { said: /^BAD_DQ_ESCAPE/, line: /: *"[a-z]:\\/i, meant: /^write \w+: \.\// },
    'value',
    'this is a path on your own computer',
  ],
  [
    { said: /^BAD_DQ_ESCAPE/, after: /^\\[^\w\s]/ },
    'token',
    'this has no meaning in double quotes',
    'remove the backslash',
    'always',
  ],
  [
    { said: /^BAD_DQ_ESCAPE/ },
    'token',
    'this has no meaning in double quotes',
    'write two backslashes for one, or use single quotes',
    'always',
  ],
  [
    { said: /^\w+ Unexpected flow-(?:seq|map)-end/, line: /: *[[{]/ },
    'token',
    'nothing is open that this could close',
    'remove it',
    'always',
  ],
  [
    { said: /^\w+ Unexpected flow-(?:seq|map)-end/ },
    'token',
    'nothing is open that this could close',
    'remove it',
  ],
  [
    { said: /^\w+ Unexpected (?:,|empty item)/, before: /[[{]/ },
    'token',
    'there is a comma too many',
    'remove it',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/, before: /[[{]/ },
    'rest',
    'a comma is missing between two entries',
    'put a comma between the entries of [ ] and { }',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/, line: /^\s*- / },
    'line',
    'items stand in brackets, and begin with "-" as well',
    'remove the brackets around them',
    'always',
  ],
  [
    { said: noEntry, line: /^\s*- /, above: /\]\s*\n$/ },
    'line',
    'items stand in brackets, and begin with "-" as well',
    'put it into the brackets above, without the "-"',
    'always',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/ },
    'rest',
    'a comma is missing between two entries',
    'end each line but the last with a comma',
    'always',
  ],

  // what a value can't begin with, or what can't follow it
  [
    { said: /^BAD_|Unexpected ,|Nested/, after: /^[?,@`%&*]/ },
    'rest',
    "a value can't begin with {sign}",
    inQuotes,
  ],
  [
    { said: afterMark, line: /:\s+-/ },
    'rest',
    'a list item stands on the line of its key',
    'put each "- item" on a line of its own, or write [one, two]',
  ],
  [
    { said: afterMark, line: markAlone, meant: /./ },
    'value',
    'text can\'t follow "|" or ">" on its line',
  ],
  [
    { said: afterMark, line: /^(?:description|bio):/, onwards: /^[^\n]*\n[ \t]+\S/ },
    'value',
    'text can\'t follow "|" or ">" on its line',
    'begin the text on the line below, indented as what follows',
    'always',
  ],
  [
    { said: afterMark },
    'value',
    'text can\'t follow "|" or ">" on its line',
    'begin the text on the line below, indented, or put all of it in double quotes',
  ],
  [
    { said: afterValue, before: /\S/, after: /^[,;]\s*$/ },
    'rest',
    'there is a mark too many at the end',
    'remove it',
    'always',
  ],
  [
    { said: afterValue, before: /\S/, after: /^[\s\u200b\u2060]*$/ },
    'rest',
    'something that nobody sees stands behind the value',
    'delete the end of the line, and type it anew',
    'always',
  ],
  [
    { said: afterValue, before: /^\s*(?:\w+:|-)\s+\*/ },
    'value',
    "a value can't begin with {sign}",
    inQuotes,
  ],
  [
    { said: afterValue, line: /: +"""(?!.*"""\s*$)/ },
    'value',
    'YAML has no """',
    'write | in its place, begin each line of the text below with two spaces, and remove the other """',
    'always',
  ],
  [
    { said: afterValue, before: /["'\]}]\s*$/, after: /^(?:\/[/*]|;|--)\s/ },
    'rest',
    'this stands behind the end of the value',
    'if it is a comment, begin it with " # "; else move it inside the quotes or brackets',
    'always',
  ],
  [{ said: afterValue, before: /\S/ }, 'rest', 'this stands behind the end of the value', inQuotes],
  [
    { said: /^MISSING_CHAR Comments/, before: /:\s*\[[^\]]*$/ },
    'value',
    '"#" begins a comment, so the list is not closed',
    'put what begins with "#" in double quotes',
  ],
  [
    { said: /^MISSING_CHAR Comments/ },
    'rest',
    'a space is missing in front of "#"',
    'write " # comment"',
    'always',
  ],
  [
    { said: /^\w+ (?:An alias|Anchors|A node can|Tags and|Missing newl)/ },
    'rest',
    'this is not expected here',
    marked,
  ],
  [
    { said: /^BAD_DIRECTIVE|^MISSING_CHAR Missing directives-end/ },
    'line',
    'a line above it begins with "%", which has a meaning of its own in YAML',
    marked,
  ],

  // a key after a key
  [{ said: nested, meant: /^write \w+: \[?\{/ }, 'rest', 'two keys stand on one line'],
  [
    { said: nested, line: /^\s*(?:- +)?(\w+): +\1: /, meant: /./ },
    'rest',
    'its key is there twice',
  ],
  [
    { said: nested, line: /^\s*- (?:\w+: [^:,]*, *)+\w+: [^:,]*$/ },
    'rest',
    'two keys stand on one line',
    'put { } around all that follows "- "',
    'always',
  ],
  [
    { said: nested, next: /./, line: /^(?:description|bio):/ },
    'rest',
    'two keys stand on one line',
    'if {next} is a key, begin a new line before it; else put the whole value in quotes',
    'always',
  ],
  [
    { said: nested, next: /./ },
    'rest',
    'two keys stand on one line',
    'begin a new line before {next}: and each key behind it',
    'always',
  ],
  [
    { said: nested, line: /^(?:description|bio):.*:\s*$/, onwards: /^[^\n]*\n[ \t]*- / },
    'rest',
    'the value ends with ":" and is not in quotes',
    'write | in its place, and begin it and each line of the text below it with two spaces',
    'always',
  ],
  [
    { said: nested, after: /:(?:\s|$)/ },
    'rest',
    'the value contains ": " and is not in quotes',
    inQuotes,
  ],
  [
    { said: nested, keyAbove: /^(?:gallery|assets|defaults)$/, valueAbove: /^$/ },
    'line',
    'this line is not indented below its key',
    'indent this line by two spaces',
    'always',
  ],
  [
    { said: nested },
    'line below',
    'this line is indented further than the keys above it',
    'begin all keys at the same column; put a text that goes on over several lines in double quotes',
  ],

  // a line that is no entry, or not in its column
  [{ said: /^KEY_OVER/ }, 'line', 'a key has more than 1024 characters', oneKeyALine],
  [{ said: /^BAD_INDENT Block scalar/ }, 'line', tooShallow, asDeep, 'always'],
  [
    { said: noEntry, line: /^\s*(?:- )?\w+:[^\s/]/, meant: /./ },
    'line',
    'a space is missing after ":"',
  ],
  [
    { said: noEntry, line: oddlySpaced, meant: /./ },
    'line',
    'an unusual space after ":" is not ": "',
  ],
  [
    { said: noEntry, line: /^- /, above: belowEntry },
    'line',
    'the lines above it are no part of the list',
    'begin each line below a "- " with two spaces, if it belongs to that entry',
    'always',
  ],
  [{ said: noEntry, line: noUsualKey, meant: /^write \w+:/ }, 'line', noColon],
  [
    { said: noEntry, line: /^\s*[^-\s]/, meant: /^write - / },
    'line',
    'an item of a list begins with "- "',
  ],
  [{ said: noEntry, meant: /^write - / }, 'line', 'a space is missing after "-"'],
  [{ said: noEntry, line: noUsualKey, valueAbove: /^[|>]/ }, 'line', tooShallow, asDeep],
  [
    { said: noEntry, line: /^\s*-\s/, keyAbove: prose, valueAbove: /./ },
    'line',
    'this list item belongs to no key',
    `if it goes on with the text above, ${asBlock}`,
  ],
  [
    { said: /Implicit/, line: /^\s*-(?:\s|$)/ },
    'line',
    'this list item belongs to no key',
    'write the key above it without a value: tags:; and a key below it at the start of its line',
  ],
  [
    { said: noEntry, line: /^[{[]/, above: /[}\]]\s*$/ },
    'line',
    'a second value begins here',
    'a file is one profile or one shot; move what follows to a file of its own',
  ],
  [
    { said: noEntry, line: /^ +(?!-\s)\S/, above: /[^"' \t\n][ \t]+#[^\n]*\n\s*$/ },
    'line',
    'the comment above ends the text, and this line goes on with it',
    'move the comment above the key, or remove it; if it is a part of the text, put all of the text in quotes',
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, onwards: hashtagsNext },
    'line',
    notIndented,
    `${asBlock}, as "#" begins a comment elsewhere`,
  ],
  [
    { said: noEntry, line: noKey, keyAbove: prose, valueAbove: /^(?!["'[{&*!#|>])/ },
    'line',
    'this line goes on with the text of a key above',
    asBlock,
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, valueAbove: /^(["']).*\1\s*$/ },
    'line',
    'this line stands behind the closing quote of the text above',
    'put that quote at the end of the text, and begin each line but the first with two spaces',
  ],
  [
    { said: noEntry, line: /^(?!\s*(?:-|\S*:))/, above: /(?:^|\n)\w+:\s*$/, valueAbove: /^$/ },
    'line',
    'this line is not indented below its key',
    'indent this line by two spaces',
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, valueAbove: /^[^"'[{&*!#]/ },
    'line',
    notIndented,
    indentAll,
  ],
  [
    { said: /Implicit/, onwards: /^\w+$/ },
    'line',
    noKeyHere,
    'if the file is cut off here, get all of it anew; else remove the line',
  ],
  [
    { said: /Implicit/, above: /^$|(?:^|\n)[ \t\r]*\n$/ },
    'line',
    noKeyHere,
    'remove the line; or, if it belongs here, write "key: value"',
  ],
  [
    { said: /Implicit/, onwards: /^[^:]*$/ },
    'line',
    noKeyHere,
    'remove the line, or indent a line that goes on with the text above',
  ],
  [
    { said: /Implicit/ },
    'line',
    noKeyHere,
    'write "key: value"; indent a line that goes on with the text above, or remove the line',
  ],
  [
    { said: noEntry, line: /^ +\w+:/, above: /(?:^|\n) +- \w+:[^\n]*\n$/ },
    'line',
    'this line does not line up with the key behind the "-" above it',
    'begin it, and each other key of that entry, two spaces further than the "-"',
    'always',
  ],
  [
    { said: noEntry },
    'line',
    'this line does not line up with those above it',
    'begin all keys of a mapping, and all "-" of a list, at the same column',
    'always',
  ],
  [
    { said: /^MISSING_CHAR Block scalars/ },
    'line',
    'the empty lines above hold too many spaces',
    'remove them',
  ],
]

const lastRule: Rule = [{}, 'rest', 'this is not expected here', oneKeyALine]
