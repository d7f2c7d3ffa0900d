import { once } from '../content/once.ts'
import type { Data } from '../content/parse/data.ts'
import { lineAt, type Stretch } from '../content/parse/document.ts'
import type { Parsed } from '../content/parse/parse.ts'
import type { Problem } from '../content/parse/problem.ts'
import { isUnclosed, type Misread } from '../content/parse/syntax-error.ts'
import { createFits, readSchema, type Subschema } from '../content/schema.ts'
import { createJudge } from '../content/values/formats.ts'
import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { isPlain } from '../text/plain.ts'
import { printable, quote } from '../text/printable.ts'
import { fits, formOf, instead, isFreeText, meantData, type Spot } from './hint.ts'

// What is said of a syntax error: a table at the end decides, by yaml's words and the lines around.

/** What is told of the YAML of a file, in its order. */
export const explainYaml = ({ problems, placeOf }: Parsed, text: string): readonly Diagnostic[] =>
  problems.map((one) => explainProblem(one, text, placeOf)).sort(byPlace)

const explainProblem = (one: Problem, text: string, placeOf: Parsed['placeOf']): Diagnostic => {
  const { code, args, from, to, first } = one
  if (code === 'yaml-syntax') {
    const { problem, advice, fix, ...shown } = describeMisread({ ...args, from, to }, text)
    return {
      ...diagnose(code, placeOf(shown), { problem, advice }),
      ...(fix !== undefined && { fix }),
    }
  }
  const place = placeOf(one)
  if (code === 'bad-tag')
    return diagnose(code, place, { tag: text.slice(from, to), line: quotedLine(one, text) })
  if (code === 'multiple-documents') return diagnose(code, place, afterDocument(text, from))
  const related = first ? [{ ...placeOf(first), message: 'it is given here first' }] : []
  if (code === 'duplicate-key' && first !== undefined) {
    const line = lineAt(text, first.from)
    const isItem = /^\s*- +$/.test(text.slice(line.from, first.from))
    const entry = isItem
      ? `if another entry begins here, write "- " before it; else keep one of the two`
      : undefined
    return diagnose(code, place, { ...args, entry }, related)
  }
  // code and args belong together, which a union can't show
  return diagnose(code, place, args as never, related)
}

/** The line of a tag with its value in quotes, if the tag begins it. */
const quotedLine = ({ from: tag }: Stretch, text: string): string | undefined => {
  // a line may be a whole file of 1 MiB, with thousands of tags
  const start = Math.max(0, tag - 200)
  const near = text.slice(start, tag + 200)
  const { from, to } = lineAt(near, tag - start)
  const isWhole = start === 0 || from > 0
  const [, key, value = ''] =
    (isWhole && /^\s*(?:- +)?(\w+):\s+(![^!].{0,100})$/.exec(near.slice(from, to))) || []
  return key === undefined || /["\\]/.test(value) ? undefined : `${key}: "${value}"`
}

/** Whether nothing but the line that begins a second document is wrong, and the key where a text below it belongs. */
const afterDocument = (text: string, second: number) => {
  const rest = text.slice(second).replace(/^---|^\.\.\./, '')
  const keysIn = (part: string): readonly string[] =>
    Array.from(part.matchAll(/^(\w+)[ \t]*:(?:\s|$)/gm), ([, key = '']) => key)
  const above = new Set(keysIn(text.slice(0, second)))
  const keys = keysIn(rest)
  const isMore =
    text.startsWith('---', second) && keys.length > 0 && !/^(?!\w+[ \t]*:|[\s#-]|$)/m.test(rest)
  const own = above.has('name') ? 'bio' : 'description'
  return {
    empty: !/^(?![ \t]*(?:#|$))/m.test(rest) || (isMore && !keys.some((key) => above.has(key))),
    key: keys.some((key) => /^(?:id|title|name)$/.test(key)) ? undefined : own,
  }
}

/** What to point at, in one line; what is wrong, and what to write. */
const describeMisread = ({ said, ...at }: Misread, text: string) => {
  const from = Math.min(at.from, text.length)
  const line = lineAt(text, from)
  const below = lineAt(text, text.indexOf('\n', from) + 1 || text.length)
  const [shown, problem, advice, fix] = adviceOn(lookAround(said, text, from))
  const places = {
    token: { from, to: Math.max(from, Math.min(at.to, line.to)) },
    rest: { from, to: Math.max(from, line.to) },
    value: { from: line.from + valueColumn(text.slice(line.from, line.to)), to: line.to },
    line: trimmed(text, line),
    'line below': trimmed(text, below),
  }
  const { from: start, to } = places[shown]
  // a value that is right in quotes, and has no comment behind it
  const value = text.slice(start, to)
  const quoted = JSON.stringify(text.slice(start, to))
  const isQuoted =
    start === places.value.from && advice?.endsWith(`: ${quoted}`) && !/^[|>-]|\s#/.test(value)
  const better = fix ?? (isQuoted ? quoted : undefined)
  return {
    from: start,
    to,
    problem,
    advice,
    fix: line.to - line.from > lookedAt ? undefined : better,
  }
}

const trimmed = (text: string, { from, to }: Stretch): Stretch => {
  const indent = text.slice(from, to).search(/[^ \t]/)
  return { from: from + Math.max(indent, 0), to }
}

/** UTF-16 units around an error that advice looks at: a line may be a whole file of 1 MiB. */
const lookedAt = 4096

const lookAround = (said: string, text: string, from: number) => {
  const { from: start, to } = lineAt(text, from)
  const piece = (begin: number, end: number): string =>
    text.slice(begin, Math.min(end, begin + lookedAt))
  const line = piece(start, to)
  const onwards = piece(from, text.length)
  const meant = meantHere(line, onwards)
  // what nobody sees may stand behind it
  const isAlone = /^ *(?:\n|$)/.test(text.slice(to, to + lookedAt))
  return {
    said,
    line,
    /** The part of the line in front of the error, and the part from the error on. */
    before: piece(start, from),
    after: piece(from, to),
    /** The text before the line, and the text from the error on. */
    above: text.slice(Math.max(0, start - lookedAt), start),
    onwards,
    /** Advice to write the line with all of its value, and what goes on below it, as they were most likely meant. */
    meant: meant === `write ${line.trim()}` && isAlone ? undefined : meant,
  }
}

type Stumble = ReturnType<typeof lookAround>

/** What to point at; what is wrong, as the end of "this is not YAML: …"; what to write, and what belongs there. */
type Advice = readonly [
  shown: 'token' | 'rest' | 'value' | 'line' | 'line below',
  problem: string,
  advice?: string | undefined,
  fix?: string | undefined,
]

/** The schema of a key, in whatever file it belongs to. */
const schemaOf = (key: string): Subschema | undefined =>
  schemas()
    .flatMap(({ properties = {} }) => [
      properties[key],
      properties.projects?.items?.properties?.[key],
    ])
    .find((schema) => schema !== undefined)

const schemas = once(() => [readSchema('shot'), readSchema('profile'), readSchema('site')])

const isKey = (name = ''): boolean => schemaOf(name) !== undefined

const spotOf = (key: string, schema: Subschema): Spot => {
  const mayGo = !schemas().some(({ required = [] }) => required.includes(key))
  return { ...judge, key, schema, isItem: false, mayGo }
}

const judge = createFits(createJudge([], { portsAllowed: true, latest: '9999' }))

/** Advice to write a line such as `key: value`; without its value where that is long. */
const write = (line: string): string => {
  const [, key = '', value = line] = /^((?:- )?\w+: )(.*)$/.exec(line) ?? []
  return `write ${key}${key !== '' && value.length > 50 ? 'and the value' : bare(value)}`
}

/** A text as a message quotes it, without the quotes. */
const bare = (text: string): string => quote(text).slice(1, -1)

/** The key of a line and what stands behind its colon: `key: value`, `- key: value`. */
const keyAndValue = (line: string): readonly (string | undefined)[] =>
  /^\s*(?:- +)?([A-Za-z_]\w*):[ \t]+(.*?)[\s\u200b\u2060]*$/.exec(line)?.slice(1) ?? []

const meantHere = (line: string, onwards: string): string | undefined => {
  const [key, value = ''] = keyAndValue(line)
  if (key === undefined) return undefined
  const below = linesWhile(onwards, /^\s+\S(?!.*:(?:\s|$))/).slice(1)
  const [first = '', ...lines] = [withoutMark(value), ...below].map((one) => one.trim())
  const isList = schemaOf(key)?.items !== undefined
  const all = [isList ? first : first.replace(/^- +(?!\d)/, ''), ...lines]
  return meantLine(key, all.join(isList ? '\n' : ' ').trim())
}

/** A value without `|` or `>` in front of it; what may be a part of it stays, as in `|20 EUR|` and `>20 EUR`. */
const withoutMark = (value: string): string => value.replace(/^[|>][-+]?(?=\s|\p{L}[^|<]*$)/u, '')

/** The first line of a text, and those below it that have a form. */
const linesWhile = (text: string, form: RegExp): readonly string[] => {
  const [first = '', ...below] = text.split('\n')
  const end = below.findIndex((one) => !form.test(one))
  return [first, ...below.slice(0, end === -1 ? below.length : end)]
}

/** Advice to write a key with the value that some text was meant to be; `undefined` where nobody can tell. */
const meantLine = (key: string, raw: string): string | undefined => {
  const schema = schemaOf(key) ?? {}
  const isOther = schema.items === undefined ? !isKey(key) && /^[[{]/.test(raw) : /^\{.*:/.test(raw)
  if (isOther || raw.length > 200) return undefined
  const text = schema.items === undefined ? withoutQuotes(raw) : raw
  if (isFreeText(schema)) return `write ${key}: ${printable(JSON.stringify(text))}`
  const spot = spotOf(key, schema)
  // of words that are all known, such as encodings, there is an example
  const known = schema.items?.enum && schema.examples?.[0]
  const advice = instead(text, spot, meantData(text, spot) ?? (known as Data | undefined))
  const hasForm = schema['x-code'] !== 'wrong-type' || schema.items?.pattern
  return advice === undefined ? (hasForm && formOf(schema)) || undefined : printable(advice)
}

/** A text without the quotes around all of it, be they the same or not. */
const withoutQuotes = (raw: string): string => {
  const [, , tripled] = /^("""|''')(.*)\1$/s.exec(raw) ?? []
  if (tripled !== undefined) return tripled
  const [, first = '', text = ''] = /^(["'])(.*?)["'’”]?$/s.exec(raw) ?? []
  // an apostrophe belongs to the text: '90s
  if (first === '' || /^'\d\ds\b/.test(raw)) return raw
  const second = raw.indexOf(first, 1)
  // the second quote begins a quote within the text, or is an apostrophe
  const isInside = /^(?:\s|\w.\w)/s.test(raw.slice(second - 1, second + 2)) && raw.endsWith(first)
  return second === -1 || second === raw.length - 1 || isInside ? text : raw
}

/** A quote or bracket that nothing closes, or that is closed on a line which is not indented. */
const unclosed = ({ said, onwards, meant }: Stumble): Advice => {
  const [, mark = ''] = isUnclosed.exec(said) ?? []
  const inside = closed.exec(onwards)?.[0].trimEnd() ?? ''
  const isQuote = /["']/.test(mark)
  if ((isQuote ? /\n/ : /\n\S/).test(inside) && !/^[\w-]+:(?: |$)/m.test(inside))
    return ['line below', ...notIndented]
  if (!isQuote && /^[^\n]* #\S/.test(onwards))
    return ['rest', '"#" begins a comment, so this is not closed', meant ?? hashInQuotes]
  const what =
    { '"': 'the double quote (")', "'": "the single quote (')", ']': '"["' }[mark] ?? '"{"'
  const advice = isQuote
    ? `end the text with the same quote; write ${mark === '"' ? '\\"' : "''"} for one inside it`
    : `end it with "${mark}"; put text that begins with ${what} in double quotes`
  return ['rest', `${what} is not closed`, meant ?? advice]
}

const hashInQuotes = 'put what begins with "#" in double quotes: accent: "#c2410c"'

const notIndented = [
  'this line goes on with the one above and is not indented',
  'begin each line but the first with two spaces, the last one too',
] as const

const quoted = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)`
const closed = new RegExp(String.raw`^(?:${quoted}|\[[^\]]*\]|\{[^}]*\})`, 's')

const missingComma = ({ line, before, after, meant }: Stumble): Advice => {
  // `{id: 7 created: 2014-03-01}`
  const [key, value] = keyAndValue(`${before}${after.replace(/^(\S+) +(?=\w+:)/, '$1, ')}`)
  const isBetter = key !== undefined && value !== keyAndValue(line)[1]
  const advice = isBetter
    ? write(`${key}: ${value}`)
    : 'put a comma between the entries of [ ] and { }'
  return ['rest', 'a comma is missing between two entries', meant ?? advice]
}

const badEscape = ({ after }: Stumble): Advice => {
  const digits = /^\\[xuU][\da-f]/i.test(after) && { x: 2, u: 4, U: 8 }[after[1] ?? '']
  const [problem, advice] = digits
    ? [
        `needs ${digits} hexadecimal digits after it`,
        'write the character itself, or two backslashes for one',
      ]
    : ['has no meaning in double quotes', 'write two backslashes for one, or use single quotes']
  return ['token', `${quote(after.slice(0, 2))} ${problem}`, advice]
}

const badStart = (stumble: Stumble): Advice =>
  (stumble.before.trim() === '' ? lookalike(stumble.line, stumble.above) : undefined) ??
  cantBegin('rest', stumble, stumble.after)

const cantBegin = (shown: 'rest' | 'value', { meant }: Stumble, value: string): Advice => [
  shown,
  `a value can't begin with ${quote(value.slice(0, 1))}`,
  meant ?? inQuotes,
]

const inQuotes = 'put the whole value in quotes'

/** A key after a key: either the value holds a colon, or the line below was meant to be an entry of its own. */
const nestedKey = (stumble: Stumble): Advice => {
  const { line, after, onwards, meant } = stumble
  if (after.startsWith('?')) return badStart(stumble)
  const next = [...after.matchAll(/(?:^|[\s,;])(\w+):(?=\s|$)/g)].find(([, key = ''], at) =>
    isKey(at === 0 && after.startsWith(key) ? key : key.toLowerCase()),
  )?.[1]
  if (next !== undefined)
    return ['rest', 'two keys stand on one line', `begin a new line before ${next}:`]
  if (/:(\s|$)/.test(after)) {
    return ['rest', 'the value contains ": " and is not in quotes', meant ?? inQuotes]
  }
  const [key, value] = keyAndValue(line)
  const below = onwards.split('\n')[1] ?? ''
  const goesOn = key !== undefined && !isKey(/^\s*(\w+):/.exec(below)?.[1])
  const advice =
    'begin all keys at the same column; put a text that goes on over several lines in double quotes'
  const joined = goesOn ? meantLine(key, `${value} ${below.trim()}`) : undefined
  return ['line below', 'this line is indented further than the keys above it', joined ?? advice]
}

/** A line that is no entry where one was to come, and does not line up with those above it. */
const misaligned = (stumble: Stumble): Advice => {
  const { line, above } = stumble
  const item = rewrite(line, withoutSpace)
  if (item !== undefined) return item
  if (/^[{[]/.test(line) && /[}\]]\s*$/.test(above))
    return [
      'line',
      'a second value begins here',
      'a file is one profile or one shot; move what follows to a file of its own',
    ]
  if (/\n[ \t]+#[^\n]*\n\s*$/.test(above)) {
    const problem = 'the comment above ends the text, and this line goes on with it'
    return ['line', problem, 'move the comment above the key, or remove it']
  }
  const advice = 'begin all keys of a mapping, and all "-" of a list, at the same column'
  return textAbove(stumble) ?? ['line', 'this line does not line up with those above it', advice]
}

const withoutSpace: Lookalike = [/^\s*-([^\s-].*)$/, 'a space is missing after "-"', '- $1']

/** Text after a value that is complete: `"quoted" text`, `[list] text`, `*alias text`. */
const afterValue = (stumble: Stumble): Advice => {
  const { line, before, after, meant } = stumble
  if (/^[,;]\s*$/.test(after)) {
    const mark = after.startsWith(',') ? 'comma' : 'semicolon'
    return ['rest', `there is a ${mark} too many at the end`, 'end the line after the value', '']
  }
  const value = line.slice(valueColumn(before))
  if (value.startsWith('*')) return cantBegin('value', stumble, value)
  const [key] = keyAndValue(line)
  if (/^"""(?!.*"""\s*$)/.test(value) && isFreeText(schemaOf(key ?? '') ?? {})) {
    const advice = `write ${key}: | here, begin each line of the text below with two spaces, and remove the other """`
    return ['value', 'YAML has no """', advice]
  }
  const [closing] = /^["'[{]/.exec(value) ?? []
  if (closing === undefined) return ['rest', unexpected]
  const kind = /["']/.test(closing) ? 'quote' : 'bracket'
  return ['rest', `there is text after the closing ${kind}`, meant ?? inQuotes]
}

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
const valueColumn = (line: string): number =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)?.[0].length ?? 0

/** Text or items of a list on the line of a key, after `|`, `>` or `-`. */
const afterMark = ({ line, onwards, meant }: Stumble): Advice => {
  if (/^\s*-/.test(onwards) || /:\s+-/.test(line)) {
    const advice =
      'put each "- item" on a line of its own, or write [one, two]; put text that begins with "-" in quotes'
    return ['rest', 'a list item stands on the line of its key', meant ?? advice]
  }
  const advice = 'begin the text on the line below, indented, or put all of it in double quotes'
  return ['value', 'text can\'t follow "|" or ">" on its line', meant ?? advice]
}

/** Advice on a line that has no key, or that only looks as if it had one. */
const lineWithoutKey = (stumble: Stumble): Advice => {
  const { line, above, onwards } = stumble
  if (/^(?:<{7}|={7}|>{7})/.test(line) || /^.*\n={7}/.test(onwards)) {
    const advice =
      'keep one of the two versions, and remove the lines that begin with "<<<<<<<", "=======" and ">>>>>>>"'
    return ['line', 'this is the mark of a merge that was not finished', advice]
  }
  const special = lookalike(line, above)
  if (special !== undefined) return special
  if (/^\s*-(\s|$)/.test(line) && !/:[ \t]*[|>][^\n]*\n(?:(?:[ \t][^\n]*)?\n)*$/.test(above)) {
    const [, key] = /^(description|bio): +\S/.exec(lineAbove(above)) ?? []
    const advice =
      key === undefined
        ? 'write the key above it without a value: tags:'
        : `if it goes on with the text above, write ${asBlock(key)}`
    return ['line', 'this list item belongs to no key', advice]
  }
  const misread =
    (isListAbove(above) ? rewrite(line, withoutSpace) : undefined) ??
    textAbove(stumble) ??
    rewrite(line, [
      /^\s*(?!\w+:\/\/)([A-Za-z_]+):(\S.*)$/,
      'a space is missing after ":"',
      '$1: $2',
    ])
  if (misread !== undefined) return misread
  // a page of text below the keys
  const own = /^name:/m.test(above) ? 'bio' : 'description'
  const isText =
    /\S\s+\S/.test(line) &&
    /^(?:title|name):/m.test(above) &&
    !new RegExp(`^${own}:`, 'm').test(above + onwards)
  const meant = isText ? meantLine(own, line.trim()) : undefined
  const advice =
    'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes'
  return ['line', 'this line has no ": " after a key', meant ?? advice]
}

/** Advice to write a line in another form, where it has the wrong one. */
const rewrite = (line: string, [form, problem, by]: Lookalike): Advice | undefined => {
  if (!form.test(line)) return undefined
  const raw = line.replace(form, by).trimEnd()
  const better = fittingLine(raw)
  if (better === '') return ['line', problem, 'remove the line']
  // but for the value of the line above: //host.example/x.png
  const isComment = better.startsWith('#') && !/^\s*\/\/\S+[./]\S/.test(line)
  const isEntry = isKey(/^(\w+): [^#&*!|>%@`]/.exec(raw)?.[1])
  return ['line', problem, write(better), isComment || isEntry ? better : undefined]
}

/** A line `key: value` with the value as it has to be typed: `tags: [poster, tea]` of `tags: poster, tea`. */
const fittingLine = (line: string): string => {
  const [key, typed = ''] = keyAndValue(line)
  const value = typed.replace(/\s+#.*$/, '')
  const schema = key === undefined || line.startsWith('-') ? undefined : schemaOf(key)
  if (key === undefined || schema === undefined) return line
  return isPlain(value, { inBrackets: true }) && fits(value, spotOf(key, schema))
    ? line
    : (meantLine(key, isFreeText(schema) ? typed : value)?.replace(/^write /, '') ?? line)
}

/** What stands in place of a colon and a space, or of `#`, and lines that only other languages have. */
const lookalike = (line: string, above: string): Advice | undefined => {
  const found = lookalikes.map((one) => rewrite(line, one)).find(Boolean)
  if (found !== undefined) return found
  const [, dash, key, rest] = withoutColon.exec(line) ?? []
  if (isKey(key) && !/^\s*\w+:\S/.test(line)) {
    const isItem = dash !== undefined && isListAbove(above)
    return [
      'line',
      'this line has no ": " after its key',
      write(`${isItem ? '- ' : ''}${key}: ${rest}`),
    ]
  }
  return isKey(line.trim())
    ? ['line', 'this line has no ":" after its key', `write ${line.trim()}:`]
    : undefined
}

const oddSpace = String.raw`[\u00a0\u2000-\u200b\u202f\u3000]`

/** A line that is not quite YAML, what is wrong with it, and what it is to be. */
type Lookalike = readonly [form: RegExp, problem: string, by: string]

/** A key that begins a line, perhaps in quotes, and what stands between it and a value. */
const keyThen = (between: string): RegExp =>
  new RegExp(String.raw`^\s*["']?([A-Za-z_]\w*)["']?${between}(\S.*)$`)

const declaration = String.raw`export default|module\.exports\s*=|(?:const|let|var)\s+\w+\s*=`

const lookalikes: readonly Lookalike[] = [
  [keyThen(String.raw`\uff1a\s*`), 'a full-width colon (U+FF1A) is not ": "', '$1: $2'],
  [keyThen(`:${oddSpace}+`), 'an unusual space after ":" is not ": "', '$1: $2'],
  [keyThen(String.raw`\s+=\s+`), '"=" is not ": "', '$1: $2'],
  [
    keyThen(String.raw`\s*(?:[=-]>|<[=-]|:=|→)\s*`),
    'this line has no ": " after its key',
    '$1: $2',
  ],
  [new RegExp(String.raw`^\s*(?:${declaration})\s*[{(]*\s*$`), 'this line is JavaScript', ''],
  [/^\s*(?:`{3}\w*|~{3}\w*|\*{3,}|_{3,}|={3,}|\+{3})\s*$/, 'this line is a mark of Markdown', ''],
  [/^\s*(?:\/\/|\/\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/, 'a comment begins with "#"', '# $1'],
]

/** Perhaps a dash; a word, with any marks around it; another sign than a colon, or none; and a value. */
const marks = String.raw`["'“”*_\x60]*`
const sign = String.raw`(?:[=-]*>+|<+[=-]*|[:：;=,|–→]+|-(?!\d))`
const withoutColon = new RegExp(
  String.raw`^\s*(- +)?${marks}([A-Za-z]\w*)${marks}(?:\s*${sign}${marks}\s*|\s+)(\S.*?)["'*\x60]*\s*$`,
)

const lineAbove = (above: string): string => above.slice(above.trimEnd().lastIndexOf('\n') + 1)

/** Whether the line above is an item of a list, or a key whose value follows. */
const isListAbove = (above: string): boolean => /^\s*(?:- .*|\w+:)\s*\n$/.test(lineAbove(above))

const oneKeyALine = 'write "key: value" on each line, with a space after the colon'

/** What Markdown marks in its own way: links, and with stars a key or the items of a list. */
const markdown = ({ line, above, onwards, meant }: Stumble): Advice | undefined => {
  if (/^!?\[[^\]]*\]\([^)]+\)$/.test(keyAndValue(line)[1] ?? line.trim()))
    return ['value', 'this is a link in Markdown', meant ?? oneKeyALine]
  if (/^\s*\|.*\|\s*$/.test(line)) return ['line', 'this is a table in Markdown', oneKeyALine]
  const item = /^\s*[*+•]\s+(.*?)\s*$/
  if (!item.test(line))
    return /^\s*\*+\w+(?:\*+\s*:|:\*+)/.test(line) ? lookalike(line, above) : undefined
  const [, own = ''] = item.exec(line) ?? []
  const items = linesWhile(onwards, item).map((one) => item.exec(one)?.[1] ?? one)
  const [, list] = /^\s*(\w+):\s*\n$/.exec(lineAbove(above)) ?? []
  const advice =
    lookalike(own, line)?.[2] ??
    (list && meantLine(list, items.join('\n'))) ??
    `begin each item with "- " instead: - ${bare(own)}`
  return ['line', 'an item of a list begins with "-"', advice]
}

const asBlock = (key: string): string =>
  `${key}: | and begin each line of the text below it with two spaces`

/** The line before which a text began that this line was to go on with. */
const textAbove = ({ above, line, onwards }: Stumble): Advice | undefined => {
  const [, key = '', value = ''] = [...above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].at(-1) ?? []
  // indented, they would be a comment
  const hashtags = linesWhile(onwards, /^(?![\w-]+:(?:\s|$))/).some((one) =>
    /^\s*#\p{L}/u.test(one),
  )
    ? `write ${asBlock(key)}, as "#" begins a comment elsewhere`
    : undefined
  if (
    value === '' &&
    isKey(key) &&
    above.trimEnd().endsWith(`${key}:`) &&
    !/^\s*(?:-|\S*:)/.test(line)
  ) {
    return [
      'line',
      `this line is not indented below ${quote(key)}`,
      hashtags ?? 'indent this line by two spaces',
    ]
  }
  const isPlain =
    /^(?:title|name|location|description|bio)$/.test(key) &&
    /^[^\s"'[{&*!#]/.test(value) &&
    !/^\s*(?!\w+:\/\/)\S*:/.test(line)
  if (/^[|>]/.test(value)) return lessIndented
  return isPlain ? ['line', notIndented[0], hashtags ?? notIndented[1]] : undefined
}

/** The first row of the table that fits yaml's code and message. */
const adviceOn = (stumble: Stumble): Advice => {
  const { said, line } = stumble
  // a tab among the spaces at the start of a line, whatever yaml made of it
  if (/^\s*\[[A-Za-z_]+\]\s*\n\s*$/.test(stumble.above))
    return [
      'line',
      'the line above is a heading of INI or TOML',
      'remove the line above: a file is one profile or one shot',
    ]
  if (!said.startsWith('TAB_AS_INDENT') && /^ *\t/.test(line)) return tab('line')
  const inner = line.replace(/^ +/, '')
  if (oddSpaces.test(inner)) {
    const better = inner.replace(oddSpaces, (spaces) => ' '.repeat(spaces.length))
    const advice = 'delete the spaces in front of it, and type them anew'
    return ['line', 'an unusual space is used for indentation', advice, better]
  }
  const advice = rows.find(([form]) => form.test(said))?.[1] ?? ['rest', unexpected]
  return markdown(stumble) ?? (typeof advice === 'function' ? advice(stumble) : advice)
}

const unexpected = 'this is not expected here'

const oddSpaces = new RegExp(`^${oddSpace}+(?=\\S)`)

const tab = (shown: 'line' | 'token'): Advice => {
  const advice = 'indent with spaces only; most editors can turn tabs into spaces'
  return [shown, 'a tab is used for indentation', advice]
}

const marked = 'put text that begins with "&", "!", "*" or "%" in double quotes'

const lessIndented: Advice = [
  'line',
  'this line is indented less than the text above it',
  'begin all lines of a text below "|" or ">" with two spaces more than its key',
]

const rows: readonly (readonly [form: RegExp, advice: Advice | ((stumble: Stumble) => Advice)])[] =
  [
    // quotes and brackets
    [isUnclosed, unclosed],
    [/^BAD_DQ_ESCAPE/, badEscape],
    [
      /^\w+ Unexpected flow-(seq|map)-end/,
      (one) => [
        'token',
        'nothing is open that this could close',
        one.meant ?? 'remove it',
        /: *[[{]/.test(one.line) ? '' : undefined,
      ],
    ],
    [
      /^\w+ Unexpected (,|empty item)/,
      (one) => ['token', 'there is a comma too many', one.meant ?? 'remove it'],
    ],
    [/^\w+ (Block collections|Missing ,)/, missingComma],

    // what a value can't begin with, or what can't follow it
    [/^BAD_SCALAR_START|^BAD_ALIAS/, badStart],
    [/^\w+ (Not a YAML|Block scalar header|Unexpected block-seq)/, afterMark],
    [
      /^UNEXPECTED_TOKEN .*at node end$/,
      (one) => (one.before.trim() === '' ? misaligned : afterValue)(one),
    ],
    [
      /^MISSING_CHAR Comments/,
      (one) =>
        /:\s*\[[^\]]*$/.test(one.before)
          ? ['value', '"#" begins a comment, so the list is not closed', one.meant]
          : ['rest', 'a space is missing in front of "#"', 'write " # comment"'],
    ],
    [/^MISSING_CHAR Missing space/, ['rest', 'a space is missing after ":"', 'write key: value']],
    [
      /^\w+ (An alias|Anchors|A node can|Tags and|Missing newl)/,
      (one) => ['rest', unexpected, /: +!?\[/.test(one.line) ? (one.meant ?? marked) : marked],
    ],

    // keys
    [/^\w+ Nested mappings/, nestedKey],
    [/^M\w+ Implicit /, lineWithoutKey],
    [/^KEY_OVER_1024_CHARS/, ['line', 'a key has more than 1024 characters']],

    // indentation
    [/^TAB_AS_INDENT/, tab('token')],
    [
      /^MISSING_CHAR Block scalars/,
      ['line', 'the empty lines above hold too many spaces', 'remove them'],
    ],
    [/^BAD_INDENT Block scalar/, lessIndented],
    [/^\w+ (All|A block sequence|Sequence item)/, misaligned],

    // around the document
    [
      /^MISSING_CHAR Block collection cannot/,
      ['rest', 'something follows "---" on its line', 'begin a new line after "---"'],
    ],
    [
      /^BAD_DIRECTIVE|^MISSING_CHAR Missing directives-end/,
      ['line', 'a line above it begins with "%", which has a meaning of its own in YAML', marked],
    ],
  ]
