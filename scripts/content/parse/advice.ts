import { printable, quote } from '../../text/printable.ts'
import { exampleLine, isFreeText, meantValue } from '../explain.ts'
import { readSchema, type Subschema } from '../schema.ts'
import { createFormats, saysNothing } from '../values/formats.ts'

/** Where yaml stumbled, and over what. */
export type Stumble = {
  /** The line, the part of it in front of the error, the part from the error on, and the line below. */
  readonly line: string
  readonly before: string
  readonly after: string
  readonly below: string
  /** The text before the line, and the text from the error on; at most some thousand characters of each. */
  readonly above: string
  readonly onwards: string
}

export type Advice = {
  /** What is wrong, as the end of the sentence "this is not YAML: …". */
  readonly problem: string
  /** What to write instead, where there is something better to say than in general. */
  readonly advice?: string | undefined
  /** What belongs there instead, where there is one answer. */
  readonly fix?: string
  /** What to point at: the token or the rest of the line from it on, the line's value, the line, the one below. */
  readonly shown: 'token' | 'rest' | 'value' | 'line' | 'line below'
}

/** Advice that shows a part of the text. */
const showing =
  (shown: Advice['shown']) =>
  (problem: string, advice?: string): Advice => ({ problem, advice, shown })

export const atToken = showing('token')
export const atRest = showing('rest')
const atValue = showing('value')
export const atLine = showing('line')
const atLineBelow = showing('line below')

export const misplaced = atRest('this is not expected here')

/** The schema of a key, in whatever file it belongs to. */
const schemaOf = (key: string): Subschema | undefined =>
  (['shot', 'profile', 'site'] as const)
    .flatMap((kind) => {
      const { properties = {} } = readSchema(kind)
      return [properties, properties.projects?.items?.properties].map((keys) => keys?.[key])
    })
    .find((schema) => schema !== undefined)

const isKey = (name: string): boolean => schemaOf(name) !== undefined

/** The key of a line and what stands behind its colon: `key: value`, `- key: value`. */
const keyAndValue = (line: string): readonly (string | undefined)[] =>
  /^\s*(?:- +)?([A-Za-z_]\w*):[ \t]+(.*?)\s*$/.exec(line)?.slice(1) ?? []

/** Advice to write a line; without its value where that is long. */
const write = (key: string, value: string): string =>
  value.length > 50 ? `write ${key}: and the value` : `write ${key}: ${quote(value).slice(1, -1)}`

const formats = createFormats({ hostNames: [], portsAllowed: true })

/**
 * Advice to write a key with the value that some text was meant to be: words for a list, a text in quotes, a date; if
 * that is right. `undefined` where nobody can tell.
 */
const meantLine = (key: string, raw: string): string | undefined => {
  const schema = schemaOf(key) ?? {}
  const isOther = schema.items === undefined ? !isKey(key) && /^[[{]/.test(raw) : /^\{.*:/.test(raw)
  if (isOther || raw.length > 200) return undefined
  const text = schema.items === undefined ? withoutQuotes(raw) : raw
  if (isFreeText(schema)) return `write ${key}: ${printable(JSON.stringify(text))}`
  const value = meantValue(text, key, { schema, formats })
  if (value !== undefined) return `write ${printable(exampleLine(key, value))}`
  return saysNothing(text) ? `leave ${key} out, as there is nothing to say` : undefined
}

/** A text without the quotes around all of it, be they the same or not. */
const withoutQuotes = (raw: string): string => {
  const [, first, text = ''] = /^(["'])(.*?)["'’”]?$/s.exec(raw) ?? []
  // an apostrophe belongs to the text: '90s
  if (first === undefined || /^'\d\ds\b/.test(raw)) return raw
  const second = raw.indexOf(first, 1)
  if (second === -1 || second === raw.length - 1) return text
  // the second quote begins a quote within the text, or is an apostrophe
  const [before = '', after = ''] = [raw[second - 1], raw[second + 1]]
  const isInside = /\s/.test(before) || (/\w/.test(before) && /\w/.test(after))
  return isInside && raw.endsWith(first) ? text : raw
}

/** The line with all of its value, and what goes on below it, as they were most likely meant. */
const meantHere = ({ line, onwards }: Stumble): string | undefined => {
  const [key, value] = keyAndValue(line)
  if (key === undefined) return undefined
  const below = linesWhile(onwards, (one) => /^\s+\S/.test(one) && !/:(?:\s|$)/.test(one)).slice(1)
  const [first, ...lines] = [value!.replace(/^[|>][-+]?\d?/, ''), ...below].map((one) => one.trim())
  const isList = schemaOf(key)?.items !== undefined
  return meantLine(
    key,
    [isList ? first : first!.replace(/^- +/, ''), ...lines].join(isList ? '\n' : ' ').trim(),
  )
}

/** The first line of a text, and those below it for which something is true. */
const linesWhile = (text: string, isOne: (line: string) => boolean): readonly string[] => {
  const [first = '', ...below] = text.split('\n')
  const end = below.findIndex((one) => !isOne(one))
  return [first, ...below.slice(0, end === -1 ? below.length : end)]
}

export const openQuote = (stumble: Stumble): Advice => {
  const { after, onwards } = stumble
  const isClosed = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)/s.test(onwards)
  if (isClosed && !/^[\w-]+:(?: |$)/m.test(onwards.slice(1, onwards.indexOf(after[0]!, 1)))) {
    return atLineBelow(
      'the second line of this text in quotes is not indented',
      'begin each line of the text but the first with two spaces',
    )
  }
  const isSingle = after.startsWith("'")
  return atRest(
    `the ${isSingle ? "single quote (')" : 'double quote (")'} is not closed`,
    meantHere(stumble) ??
      `end the text with the same quote; write ${isSingle ? "'' for an apostrophe" : '\\" for one'} inside it`,
  )
}

export const openBracket =
  (bracket: string, closing: string) =>
  (stumble: Stumble): Advice => {
    const { onwards } = stumble
    const lines = onwards.slice(0, onwards.indexOf(closing) + 1).split('\n')
    const isLow = lines.slice(1).some((one) => /^\S/.test(one))
    return isLow && !lines.some((one) => /^[\w-]+:(?: |$)/.test(one))
      ? atLineBelow(
          `the lines between "${bracket}" and "${closing}" are not indented`,
          'begin each of them with two spaces, the last one too',
        )
      : atRest(
          `"${bracket}" is not closed`,
          meantHere(stumble) ??
            `end it with "${closing}"; put text that begins with "${bracket}" in double quotes`,
        )
  }

export const tooManyCommas = (stumble: Stumble): Advice =>
  atToken('there is a comma too many', meantHere(stumble) ?? 'remove it')

export const hashWithoutSpace = (stumble: Stumble): Advice =>
  /:\s*\[[^\]]*$/.test(stumble.before)
    ? atValue('"#" begins a comment, so the list is not closed', meantHere(stumble))
    : atRest('a space is missing in front of "#"', 'write " # comment"')

export const missingComma = (stumble: Stumble): Advice => {
  const { line, before, after } = stumble
  // `{id: 7 created: 2014-03-01}`
  const [key, value] = keyAndValue(`${before}${after.replace(/^(\S+) +(?=\w+:)/, '$1, ')}`)
  const isBetter = key !== undefined && value !== keyAndValue(line)[1]
  return atRest(
    'a comma is missing between two entries',
    meantHere(stumble) ?? (isBetter ? write(key, value!) : 'put a comma between the entries of [ ] and { }'),
  )
}

export const badEscape = ({ after }: Stumble): Advice => {
  const digits = { x: 2, u: 4, U: 8 }[after[1] ?? '']
  const said = quote(after.slice(0, 2))
  return digits === undefined || !/^[\da-f]/i.test(after.slice(2))
    ? atToken(
        `${said} has no meaning in double quotes`,
        'write two backslashes for one, or use single quotes',
      )
    : atToken(
        `${said} needs ${digits} hexadecimal digits after it`,
        'write the character itself, or fill up with zeros in front; two backslashes stand for one',
      )
}

export const badStart = (stumble: Stumble): Advice =>
  (stumble.before.trim() === '' ? lookalike(stumble.line, stumble.above) : undefined) ??
  atRest(`a value can't begin with ${quote(stumble.after.slice(0, 1))}`, meantHere(stumble) ?? inQuotes)

const inQuotes = 'put the whole value in quotes'

/** A key after a key: either the value holds a colon, or the line below was meant to be an entry of its own. */
export const nestedKey = (stumble: Stumble): Advice => {
  const { line, after, below } = stumble
  if (after.startsWith('?')) return badStart(stumble)
  const next = [...after.matchAll(/(?:^|[\s,;])(\w+):(?=\s|$)/g)].find(([, key], at) =>
    isKey(at === 0 && after.startsWith(key!) ? key! : key!.toLowerCase()),
  )?.[1]
  if (next !== undefined) {
    return atRest('two keys stand on one line', `begin a new line before ${next}:`)
  }
  if (/:(\s|$)/.test(after)) {
    return atRest('the value contains ": " and is not in quotes', meantHere(stumble) ?? inQuotes)
  }
  const [key, value] = keyAndValue(line)
  const goesOn = key === undefined || isKey(/^\s*(\w+):/.exec(below)?.[1] ?? '')
  return atLineBelow(
    'this line is indented further than the keys above it',
    (goesOn ? undefined : meantLine(key, `${value} ${below.trim()}`)) ??
      'begin all keys at the same column; put a text that goes on over several lines in double quotes',
  )
}

/** A line that is no entry where one was to come, and does not line up with those above it. */
export const misaligned = ({ line, above }: Stumble): Advice => {
  const item = /^\s*-([^\s-].*)$/.exec(line)
  if (item !== null) return atLine('a space is missing after "-"', `write - ${quote(item[1]!).slice(1, -1)}`)
  if (/\n[ \t]+#[^\n]*\n\s*$/.test(above)) {
    return atLine(
      'the comment above ends the text, and this line goes on with it',
      'move the comment above the key, or remove it',
    )
  }
  return (
    textAbove(above, line) ??
    atLine(
      'this line does not line up with those above it',
      'begin all keys of a mapping, and all "-" of a list, at the same column',
    )
  )
}

/** Text after a value that is complete: `"quoted" text`, `[list] text`, `*alias text`. */
export const afterValue = (stumble: Stumble): Advice => {
  const { line, before, after } = stumble
  if (/^[,;]\s*$/.test(after)) {
    const mark = after.startsWith(',') ? 'comma' : 'semicolon'
    return { ...atRest(`there is a ${mark} too many at the end`, 'end the line after the value'), fix: '' }
  }
  const value = line.slice(valueColumn(before))
  const better = meantHere(stumble) ?? inQuotes
  if (value.startsWith('*')) return atValue('a value can\'t begin with "*"', better)
  if (!/^["'[{]/.test(value)) return misplaced
  return atRest(`there is text after the closing ${/^["']/.test(value) ? 'quote' : 'bracket'}`, better)
}

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
export const valueColumn = (line: string): number =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)![0].length

/** Text or items of a list on the line of a key, after `|`, `>` or `-`. */
export const afterMark = (stumble: Stumble): Advice =>
  /^\s*-/.test(stumble.onwards) || /:\s+-/.test(stumble.line)
    ? atRest(
        'a list item stands on the line of its key',
        meantHere(stumble) ??
          'put each "- item" on a line of its own, or write [one, two]; put text that begins with "-" in quotes',
      )
    : atValue(
        'text can\'t follow "|" or ">" on its line',
        meantHere(stumble) ?? 'begin the text on the line below, indented, or put all of it in double quotes',
      )

/** Advice on a line that has no key, or that only looks as if it had one. */
export const lineWithoutKey = ({ line, below, above, onwards }: Stumble): Advice => {
  if (/^(<{7}|={7}|>{7})/.test(line) || below.startsWith('=======')) {
    const isAlone = !/^(?:<{7}|={7}|>{7})/m.test(above) && !/\n(?:<{7}|={7}|>{7})/.test(onwards)
    return atLine(
      'this is the mark of a merge that was not finished',
      isAlone
        ? 'remove the line'
        : 'keep one of the two versions between "<<<<<<<" and ">>>>>>>", and remove the three marked lines',
    )
  }
  const special = lookalike(line, above)
  if (special !== undefined) return special
  if (/^\s*-(\s|$)/.test(line) && !/:[ \t]*[|>][^\n]*\n(?:(?:[ \t][^\n]*)?\n)*$/.test(above)) {
    return atLine('this list item belongs to no key', 'write the key above it without a value: tags:')
  }
  // a page of text below the keys
  const own = /^name:/m.test(above) ? 'bio' : 'description'
  const isText =
    /\S\s+\S/.test(line) &&
    /\n(?:title|name):/.test(`\n${above}`) &&
    !new RegExp(`^${own}:`, 'm').test(above + onwards)
  const [, key, value = ''] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  return (
    textAbove(above, line) ??
    (key ? entry('a space is missing after ":"', key, value) : undefined) ??
    atLine(
      'this line has no ": " after a key',
      (isText ? meantLine(own, line.trim()) : undefined) ??
        'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes',
    )
  )
}

/** A line that was meant as an entry; `https://…` is no key, and what begins with `#` no value. */
const entry = (problem: string, key: string, value: string): Advice => ({
  ...atLine(problem, write(key, value)),
  ...(isKey(key) && !/^[#&*!|>%@`]/.test(value) && { fix: `${key}: ${value.trimEnd()}` }),
})

/** What stands in place of a colon and a space, or of `#`, and lines that only other languages have. */
const lookalike = (line: string, above: string): Advice | undefined => {
  const [, key, sign, value] =
    /^\s*["']?([A-Za-z_]\w*)["']?(\uff1a\s*|:[\u00a0\u2000-\u200b\u202f\u3000]+|\s+=\s+)(\S.*)$/.exec(line) ??
    []
  if (key !== undefined) {
    const name = { '\uff1a': 'a full-width colon (U+FF1A)', ':': 'an unusual space after ":"' }[sign![0]!]
    return entry(`${name ?? '"="'} is not ": "`, key, value!)
  }
  if (/^\s*(?:`{3}\w*|~{3}\w*|\*{3,}|_{3,}|={3,}|\+{3})\s*$/.test(line)) {
    return atLine('this line is a mark of Markdown', 'remove the line')
  }
  const [, dash, bare, rest] =
    /^\s*(- +)?["'“”*_`]*([A-Za-z_]\w*)["'“”*_`]*(?:\s*[:;=,|–→-]+["'“”*_`]*\s*|\s+)(\S.*?)["'*`]*\s*$/.exec(
      line,
    ) ?? []
  if (bare !== undefined && isKey(bare) && !/^\s*\w+:\S/.test(line)) {
    const isItem =
      dash !== undefined && /^\s*(?:- .*|\w+:)\s*\n$/.test(above.slice(above.trimEnd().lastIndexOf('\n') + 1))
    return atLine(
      'this line has no ": " after its key',
      isItem ? write(bare, rest!).replace('write ', 'write - ') : write(bare, rest!),
    )
  }
  if (isKey(line.trim())) {
    return atLine('this line has no ":" after its key', `write ${line.trim()}:`)
  }
  const [, comment] = /^\s*(?:\/\/|\/\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/.exec(line) ?? []
  if (comment === undefined) return undefined
  return {
    ...atLine('a comment begins with "#"', `write # ${quote(comment).slice(1, -1)}`),
    // but for the value of the line above: //host.example/x.png
    ...(!/^\s*\/\/\S+[./]\S/.test(line) && { fix: `# ${comment}` }),
  }
}

/** What Markdown marks in its own way: links, and with stars a key or the items of a list. */
export const markdown = (stumble: Stumble): Advice | undefined => {
  const { line, above, onwards } = stumble
  if (/^!?\[[^\]]*\]\([^)]+\)$/.test(keyAndValue(line)[1] ?? '')) {
    return atValue('this is a link in Markdown', meantHere(stumble) ?? inQuotes)
  }
  const item = /^\s*[*+•]\s+(.*?)\s*$/
  if (!item.test(line)) return /^\s*\*+\w+\*+\s*:/.test(line) ? lookalike(line, above) : undefined
  const items = linesWhile(onwards, (one) => item.test(one)).map((one) => item.exec(one)?.[1] ?? one)
  const [, list] = /^\s*(\w+):\s*\n$/.exec(above.slice(above.trimEnd().lastIndexOf('\n') + 1)) ?? []
  return atLine(
    'an item of a list begins with "-"',
    lookalike(item.exec(line)![1]!, line)?.advice ??
      (list && meantLine(list, items.join('\n'))) ??
      `begin each item with "- " instead: - ${quote(items[0]!).slice(1, -1)}`,
  )
}

/** The line before which a text began that this line was to go on with. */
const textAbove = (above: string, line: string): Advice | undefined => {
  const [, key = '', value = ''] = [...above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].at(-1) ?? []
  if (value === '' && isKey(key) && above.trimEnd().endsWith(`${key}:`) && !/^\s*(?:-|\S*:)/.test(line)) {
    return atLine(`this line is not indented below ${quote(key)}`, 'indent this line by two spaces')
  }
  const isPlain =
    /^(?:title|name|location|description|bio)$/.test(key) &&
    /^[^\s"'[{&*!#]/.test(value) &&
    !/^\s*\S*:/.test(line)
  if (!/^[|>]/.test(value) && !isPlain) return undefined
  return atLine(
    'this line is indented less than the text above it',
    'indent all lines of a text below "|" or ">" by two spaces',
  )
}
