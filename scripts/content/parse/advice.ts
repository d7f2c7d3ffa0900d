import { printable, quote } from '../../text/printable.ts'
import { readSchema } from '../schema.ts'
import { meant, meantWords, saysNothing } from '../values/formats.ts'

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
  /** What to point at: the token or the rest of the line from it on, the line's value, the line, one beside it. */
  readonly shown: 'token' | 'rest' | 'value' | 'line' | 'line below' | 'line above'
}

const spacesOnly = 'indent with spaces only; most editors can turn tabs into spaces'

export const tab = (shown: Advice['shown']): Advice => ({
  problem: 'a tab is used for indentation',
  advice: spacesOnly,
  shown,
})

/** The schema of a key, in whatever file it belongs to. */
const schemaOf = (key: string) =>
  (['shot', 'profile', 'site'] as const)
    .flatMap((kind) => {
      const { properties = {} } = readSchema(kind)
      return [properties, properties.projects?.items?.properties].map((keys) => keys?.[key])
    })
    .find((schema) => schema !== undefined)

const isKey = (name: string): boolean => schemaOf(name) !== undefined

/** Whether a key and a value are surely meant as such: `https://…` is no key, and what begins with `#` no value. */
const isEntry = (key: string, value: string): boolean => isKey(key) && !/^[#&*!|>%@`]/.test(value)

/** The key of a line and what stands behind its colon: `key: value`, `- key: value`. */
const keyAndValue = (line: string): readonly (string | undefined)[] =>
  /^\s*(?:- +)?([A-Za-z_]\w*):[ \t]+(.*?)\s*$/.exec(line)?.slice(1) ?? []

/** Advice to write a line; without its value where that is long. */
const write = (key: string, value: string): string =>
  value.length > 50 ? `write ${key}: and the value` : `write ${key}: ${quote(value).slice(1, -1)}`

const writeList = (key: string, words: readonly string[]): string =>
  write(key, `[${words.filter((word) => word !== '').join(', ')}]`)

/** A whole text in double quotes, as the value of its key, where that is short and safe. */
const writeQuoted = (key: string | undefined, text: string): string | undefined =>
  key === undefined || text.length > 200 || text.includes('\\')
    ? undefined
    : `write ${key}: ${printable(JSON.stringify(text))}`

/** What other languages mark in their own way: a Markdown link as a value, a list with `*`, a section of TOML. */
export const otherLanguage = ({ line, above, onwards }: Stumble): Advice | undefined => {
  const [, key, address] = /^\s*(?:- +)?(\w+):\s+!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)\s*$/.exec(line) ?? []
  if (key !== undefined) {
    return { problem: 'this is a link in Markdown', advice: write(key, address!), shown: 'value' }
  }
  if (/(?:^|\n)\[[\w.-]+\]\s*\n$/.test(above)) {
    return {
      problem: 'this line is the head of a section in another language',
      advice: 'remove the line',
      shown: 'line above',
    }
  }
  const item = /^\s*[*+•]\s+(.*?)\s*$/
  if (!item.test(line)) return /^\s*\*+\w+\*+\s*:/.test(line) ? lookalike(line, above) : undefined
  const problem = 'an item of a list begins with "-"'
  const entry = lookalike(item.exec(line)![1]!, line)
  if (entry !== undefined) return { problem, advice: entry.advice, shown: 'line' }
  const items = linesWhile(onwards, (one) => item.test(one)).map((one) => item.exec(one)![1]!)
  const [, list] = /^\s*(\w+):\s*\n$/.exec(above.slice(above.trimEnd().lastIndexOf('\n') + 1)) ?? []
  const advice =
    list === undefined || items.length > 10
      ? `begin each item with "- " instead: - ${quote(items[0]!).slice(1, -1)}`
      : writeList(
          list,
          items.map((one) => one.replace(/\s+/g, '-')),
        )
  return { problem, advice, shown: 'line' }
}

/** The first line of a text, and those below it for which something is true. */
const linesWhile = (text: string, isOne: (line: string) => boolean): readonly string[] => {
  const [first = '', ...below] = text.split('\n')
  const end = below.findIndex((one) => !isOne(one))
  return [first, ...below.slice(0, end === -1 ? below.length : end)]
}

/** `[poster, , tea]` */
export const tooManyCommas = ({ line }: Stumble): Advice => {
  const [, key, inner] = /^\s*(\w+):\s*\[([^[\]]*)\]\s*$/.exec(line) ?? []
  const advice =
    key === undefined
      ? 'remove it'
      : writeList(
          key,
          inner!.split(',').map((word) => word.trim()),
        )
  return { problem: 'there is a comma too many', advice, shown: 'token' }
}

export const openQuote = ({ line, after, onwards }: Stumble): Advice => {
  const isClosed = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)/s.test(onwards)
  if (isClosed && !hasKeyLine(onwards, after[0]!)) {
    return {
      problem: 'the second line of this text in quotes is not indented',
      advice: 'begin each line of the text but the first with two spaces',
      shown: 'line below',
    }
  }
  const isSingle = after.startsWith("'")
  const name = isSingle ? "single quote (')" : 'double quote (")'
  const [key] = keyAndValue(line)
  // an apostrophe belongs to the text: '90s
  const [, text] = /^'\d\ds\b/.test(after)
    ? [after, after]
    : (/^["']([^"'’”[\]{}]*)["'’”]?\s*$/.exec(after) ?? [])
  return {
    problem: `the ${name} is not closed`,
    advice:
      (text && line.trim().endsWith(after.trim()) ? writeQuoted(key, text.trim()) : undefined) ??
      `end the text with the same quote; write ${isSingle ? "'' for an apostrophe" : '\\" for one'} inside it`,
    shown: 'rest',
  }
}

/** Whether a line that looks like another entry comes before the quote is closed. */
const hasKeyLine = (onwards: string, quote: string): boolean =>
  /^[\w-]+:(?: |$)/m.test(onwards.slice(1, onwards.indexOf(quote, 1)))

export const openBracket =
  (bracket: string, closing: string) =>
  (stumble: Stumble): Advice => {
    const { onwards } = stumble
    const lines = onwards.slice(0, onwards.indexOf(closing) + 1).split('\n')
    const isLow = lines.slice(1).some((one) => /^\S/.test(one))
    const hash = hashInList(stumble)
    if (hash !== undefined) return hash
    return isLow && !lines.some((one) => /^[\w-]+:(?: |$)/.test(one))
      ? {
          problem: `the lines between "${bracket}" and "${closing}" are not indented`,
          advice: 'begin each of them with two spaces, the last one too',
          shown: 'line below',
        }
      : {
          problem: `"${bracket}" is not closed`,
          advice: `end it with "${closing}"; put text that begins with "${bracket}" in double quotes`,
          shown: 'rest',
        }
  }

export const hashWithoutSpace = (stumble: Stumble): Advice =>
  hashInList(stumble) ?? {
    problem: 'a space is missing in front of "#"',
    advice: 'write " # comment"',
    shown: 'rest',
  }

/** `tags: [#poster, #print]` */
const hashInList = ({ line }: Stumble): Advice | undefined => {
  const [, key, inner] = /^\s*([\w-]+):\s*\[(.*#.*)\]\s*$/.exec(line) ?? []
  if (key === undefined) return undefined
  const words = meantWords(inner!.includes(',') ? inner! : inner!.replace(/\s+#/g, ', '))
  return {
    problem: '"#" begins a comment, so the list is not closed',
    advice: writeList(key, words),
    shown: 'value',
  }
}

export const missingComma = ({ line, before, after }: Stumble): Advice => {
  // `{id: 7 created: 2014-03-01}`
  const [key, value] = keyAndValue(`${before}${after.replace(/^(\S+) +(?=\w+:)/, '$1, ')}`)
  return {
    problem: 'a comma is missing between two entries',
    advice:
      key === undefined || value === keyAndValue(line)[1]
        ? 'put a comma between the entries of [ ] and { }'
        : write(key, value!),
    shown: 'rest',
  }
}

export const badEscape = ({ after }: Stumble): Advice => {
  const digits = { x: 2, u: 4, U: 8 }[after[1] ?? '']
  const problem = `${quote(after.slice(0, 2))} has no meaning in double quotes`
  return digits === undefined || !/^[\da-f]/i.test(after.slice(2))
    ? { problem, advice: 'write two backslashes for one, or use single quotes', shown: 'token' }
    : {
        problem: `${quote(after.slice(0, 2))} needs ${digits} hexadecimal digits after it`,
        advice: 'write the character itself, or fill up with zeros in front; two backslashes stand for one',
        shown: 'token',
      }
}

export const badStart = (stumble: Stumble): Advice => {
  const { line, before, after } = stumble
  const special = before.trim() === '' ? lookalike(line, stumble.above) : undefined
  if (special !== undefined) return special
  const [key] = keyAndValue(line)
  const address =
    schemaOf(key ?? '')?.format === 'web-address' ? meant['bad-url']!(after.trim(), key!) : undefined
  return {
    problem: `a value can't begin with ${quote(after.slice(0, 1))}`,
    advice: address === undefined ? inQuotes(line, after) : write(key!, address),
    shown: 'rest',
  }
}

/** A key after a key: either the value holds a colon, or the line below was meant to be an entry of its own. */
export const nestedKey = (stumble: Stumble): Advice => {
  const { line, after, below, onwards } = stumble
  if (after.startsWith('?')) return badStart(stumble)
  const next = [...after.matchAll(/[\s,;](\w+):(?=\s|$)/g)].find(([, key]) => isKey(key!.toLowerCase()))?.[1]
  if (next !== undefined || isKey(/^(\w+):(?=\s|$)/.exec(after)?.[1] ?? '')) {
    return {
      problem: 'two keys stand on one line',
      advice: `begin a new line before ${next ?? after.slice(0, after.indexOf(':'))}:`,
      shown: 'rest',
    }
  }
  const [, torn, path] = /^\s*(https?:)\s+(\/\/\S+)\s*$/.exec(after) ?? []
  if (/:(\s|$)/.test(after)) {
    const lines = linesWhile(onwards, (one) => /^\s+\S/.test(one) && !/:(?:\s|$)/.test(one)).map((one) =>
      one.trim(),
    )
    return {
      problem: 'the value contains ": " and is not in quotes',
      advice:
        (torn ? `write ${torn}${path}` : undefined) ??
        (lines.length > 1 ? writeQuoted(keyAndValue(line)[0], lines.join(' ')) : undefined) ??
        inQuotes(line, after),
      shown: 'rest',
    }
  }
  const [key, value] = keyAndValue(line)
  const goesOn = isKey(/^\s*(\w+):/.exec(below)?.[1] ?? '')
    ? undefined
    : writeQuoted(key, `${value} ${below.trim()}`)
  return {
    problem: 'this line is indented further than the keys above it',
    advice:
      goesOn ??
      'begin all keys at the same column; put a text that goes on over several lines in double quotes',
    shown: 'line below',
  }
}

/** A line that is no entry where one was to come, and does not line up with those above it. */
export const misaligned = ({ line, above }: Stumble): Advice => {
  const item = /^\s*-([^\s-].*)$/.exec(line)
  if (item !== null)
    return {
      problem: 'a space is missing after "-"',
      advice: `write - ${quote(item[1]!).slice(1, -1)}`,
      shown: 'line',
    }
  if (/\n[ \t]+#[^\n]*\n\s*$/.test(above)) {
    return {
      problem: 'the comment above ends the text, and this line goes on with it',
      advice: 'move the comment above the key, or remove it',
      shown: 'line',
    }
  }
  return (
    textAbove(above, line) ?? {
      problem: 'this line does not line up with those above it',
      advice: 'begin all keys of a mapping, and all "-" of a list, at the same column',
      shown: 'line',
    }
  )
}

/** Text after a value that is complete: `"quoted" text`, `[list] text`, `*alias text`. */
export const afterValue = ({ line, before, after }: Stumble): Advice | undefined => {
  const value = line.slice(valueColumn(before))
  if (/^[,;]\s*$/.test(after)) {
    return {
      problem: `there is a ${after.startsWith(',') ? 'comma' : 'semicolon'} too many at the end`,
      advice: 'end the line after the value',
      fix: '',
      shown: 'rest',
    }
  }
  const isQuoted = /^["']/.test(value)
  if (isQuoted || /^[[{]/.test(value)) {
    return {
      problem: `there is text after the closing ${isQuoted ? 'quote' : 'bracket'}`,
      advice: isQuoted ? quotedWhole(line, value) : inQuotes(line, value),
      shown: 'rest',
    }
  }
  return value.startsWith('*')
    ? { problem: 'a value can\'t begin with "*"', advice: inQuotes(line, value), shown: 'value' }
    : undefined
}

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
export const valueColumn = (line: string): number =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)![0].length

/** Advice to put a value in double quotes, with the line written out where that is short and safe. */
const inQuotes = (line: string, value: string): string => {
  const [key] = keyAndValue(line)
  return value.length > 50 || /["\\]/.test(value) || key === undefined
    ? 'put the whole value in quotes'
    : `put the value in double quotes: ${key}: ${quote(value)}`
}

/** The same for a value that begins with a quote and goes on after the second one. */
const quotedWhole = (line: string, value: string): string => {
  // the second quote begins a quote within the text, or is an apostrophe
  const second = value.indexOf(value[0]!, 1)
  const [before = '', after = ''] = [value[second - 1], value[second + 1]]
  const isInside = /\s/.test(before) || (/\w/.test(before) && /\w/.test(after))
  const text = value.at(-1) === value[0] && isInside ? value.slice(1, -1) : value
  return (
    writeQuoted(keyAndValue(line)[0], text) ??
    `put all of the text in quotes; write ${value[0] === "'" ? "'' for an apostrophe" : '\\" for a quote'} inside it`
  )
}

/** Text or items of a list on the line of a key, after `|`, `>` or `-`. */
export const afterMark = ({ line, onwards }: Stumble): Advice => {
  const [, key = '', mark, text = ''] = /^\s*(\w+):\s+(-|[|>][-+]?\d?)\s*(.*)$/.exec(line) ?? []
  const isItem = mark === '-' || /^\s*-/.test(onwards)
  const [, ...below] = linesWhile(onwards, (one) => /^\s+(?:- )?\S/.test(one))
  const items = [text, ...below.map((one) => one.trim().replace(/^- */, ''))]
  const isList = schemaOf(key)?.items !== undefined
  const better =
    text === '' ? undefined : isList ? writeList(key, items) : writeQuoted(key || undefined, items.join(' '))
  if (!isItem) {
    return {
      problem: 'text can\'t follow "|" or ">" on its line',
      advice: better ?? 'begin the text on the line below, indented, or put all of it in double quotes',
      shown: 'value',
    }
  }
  return {
    problem: 'a list item stands on the line of its key',
    advice:
      key !== '' && saysNothing(items.join(''))
        ? `leave ${key} out, as there is nothing to say`
        : (better ??
          'put each "- item" on a line of its own, or write [one, two]; put text that begins with "-" in quotes'),
    shown: 'rest',
  }
}

/** Advice on a line that has no key, or that only looks as if it had one. */
export const lineWithoutKey = ({ line, below, above, onwards }: Stumble): Advice => {
  if (/^(<{7}|={7}|>{7})/.test(line) || below.startsWith('=======')) {
    const isAlone = !/^(?:<{7}|={7}|>{7})/m.test(above) && !/\n(?:<{7}|={7}|>{7})/.test(onwards)
    return {
      problem: 'this is the mark of a merge that was not finished',
      advice: isAlone
        ? 'remove the line'
        : 'keep one of the two versions between "<<<<<<<" and ">>>>>>>", and remove the three marked lines',
      shown: 'line',
    }
  }
  const special = lookalike(line, above)
  if (special !== undefined) return special
  const text = textAbove(above, line)
  if (/^\s*-(\s|$)/.test(line) && !/:[ \t]*[|>][^\n]*\n(?:(?:[ \t][^\n]*)?\n)*$/.test(above)) {
    return {
      problem: 'this list item belongs to no key',
      advice: 'write the key above it without a value: tags:',
      shown: 'line',
    }
  }
  if (text !== undefined) return text
  const [, key, value] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  if (key !== undefined && value !== undefined) {
    return {
      problem: 'a space is missing after ":"',
      advice: `write ${key}: ${quote(value).slice(1, -1)}`,
      ...(isEntry(key, value) && { fix: `${key}: ${value.trimEnd()}` }),
      shown: 'line',
    }
  }
  // a page of text below the keys
  const own = /^name:/m.test(above) ? 'bio' : 'description'
  const isText =
    /\S\s+\S/.test(line) &&
    /\n(?:title|name):/.test(`\n${above}`) &&
    !new RegExp(`^${own}:`, 'm').test(above + onwards)
  return {
    problem: 'this line has no ": " after a key',
    advice:
      (isText ? writeQuoted(own, line.trim()) : undefined) ??
      'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes',
    shown: 'line',
  }
}

/** What stands in place of a colon and a space, or of `#`, and lines that only other languages have. */
const lookalike = (line: string, above: string): Advice | undefined => {
  const [, key, sign, value] =
    /^\s*["']?([A-Za-z_]\w*)["']?(\uff1a\s*|:[\u00a0\u2000-\u200b\u202f\u3000]+|\s+=\s+)(\S.*)$/.exec(line) ??
    []
  if (key !== undefined) {
    const name = sign!.startsWith('\uff1a')
      ? 'a full-width colon (U+FF1A)'
      : sign!.startsWith(':')
        ? `${spaceNamed(sign![1]!)} after ":"`
        : '"="'
    return {
      problem: `${name} is not ": "`,
      advice: write(key, value!),
      ...(isEntry(key, value!) && { fix: `${key}: ${value!.trimEnd()}` }),
      shown: 'line',
    }
  }
  if (/^\s*(?:`{3}\w*|~{3}\w*|\*{3,}|_{3,}|={3,}|\+{3})\s*$/.test(line)) {
    return { problem: 'this line is a mark of Markdown', advice: 'remove the line', shown: 'line' }
  }
  const [, dash, bare, rest] =
    /^\s*(- +)?["'“”*_`]*([A-Za-z_]\w*)["'“”*_`]*(?:\s*[:;=,|–→-]+["'“”*_`]*\s*|\s+)(\S.*?)["'*`]*\s*$/.exec(
      line,
    ) ?? []
  if (bare !== undefined && isKey(bare) && !/^\s*\w+:\S/.test(line)) {
    const isItem =
      dash !== undefined && /^\s*(?:- .*|\w+:)\s*\n$/.test(above.slice(above.trimEnd().lastIndexOf('\n') + 1))
    return {
      problem: 'this line has no ": " after its key',
      advice: isItem ? write(bare, rest!).replace('write ', 'write - ') : write(bare, rest!),
      shown: 'line',
    }
  }
  if (isKey(line.trim())) {
    return { problem: 'this line has no ":" after its key', advice: `write ${line.trim()}:`, shown: 'line' }
  }
  const [, comment] = /^\s*(?:\/\/|\/\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/.exec(line) ?? []
  if (comment !== undefined) {
    return {
      problem: 'a comment begins with "#"',
      advice: `write # ${quote(comment).slice(1, -1)}`,
      // but for the value of the line above: //host.example/x.png
      ...(!/^\s*\/\/\S+[./]\S/.test(line) && { fix: `# ${comment}` }),
      shown: 'line',
    }
  }
  const [, quoted, text] = /^"([A-Za-z_]\w*): ([^"]*)"$/.exec(line.trim()) ?? []
  if (quoted === undefined) return undefined
  return { problem: 'the quotes hold the key, too', advice: write(quoted, text!), shown: 'line' }
}

const spaceNamed = (space: string): string => {
  const code = space.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `${space === '\u00a0' || space === '\u202f' ? 'a no-break space' : 'an unusual space'} (U+${code})`
}

/** The line before which a text began that this line was to go on with. */
const textAbove = (above: string, line: string): Advice | undefined => {
  const [, key = '', value = ''] = [...above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].at(-1) ?? []
  if (value === '' && isKey(key) && above.trimEnd().endsWith(`${key}:`) && !/^\s*(?:-|\S*:)/.test(line)) {
    return {
      problem: `this line is not indented below ${quote(key)}`,
      advice: 'indent this line by two spaces',
      shown: 'line',
    }
  }
  const isPlain =
    /^(?:title|name|location|description|bio)$/.test(key) &&
    /^[^\s"'[{&*!#]/.test(value) &&
    !/^\s*\S*:/.test(line)
  if (!/^[|>]/.test(value) && !isPlain) return undefined
  return {
    problem: 'this line is indented less than the text above it',
    advice: 'indent all lines of a text below "|" or ">" by two spaces',
    shown: 'line',
  }
}
