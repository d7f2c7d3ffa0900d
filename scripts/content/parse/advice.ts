import { printable, quote } from '../../text/printable.ts'
import { readSchema } from '../schema.ts'

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
  readonly advice?: string
  /** What to point at: the token or the rest of the line from it on, the line's value, the line, the one below. */
  /** What belongs there instead, where there is one answer. */
  readonly fix?: string
  readonly shown: 'token' | 'rest' | 'value' | 'line' | 'line below'
}

/** A tab among the spaces at the start of a line, whatever yaml made of it. */
export const tabInIndent = ({ line }: Stumble): Advice | undefined =>
  /^ *\t/.test(line)
    ? {
        problem: 'a tab is used for indentation',
        advice: 'indent with spaces only; most editors can turn tabs into spaces',
        shown: 'line',
      }
    : undefined

/** What other languages mark in their own way: a Markdown link as a value, a list with `*`. */
export const otherLanguage = ({ line, above, onwards }: Stumble): Advice | undefined => {
  const [, key, address] = /^\s*(?:- +)?(\w+):\s+!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)\s*$/.exec(line) ?? []
  if (key !== undefined) {
    return { problem: 'this is a link in Markdown', advice: `write ${entry(key, address!)}`, shown: 'value' }
  }
  const item = /^\s*[*+•]\s+(.*?)\s*$/
  if (!item.test(line)) return undefined
  const below = onwards.split('\n').slice(1)
  const end = below.findIndex((one) => !item.test(one))
  const items = [line, ...below.slice(0, end === -1 ? below.length : end)].map((one) => item.exec(one)![1]!)
  const [, list] = /^\s*(\w+):\s*\n$/.exec(above.slice(above.trimEnd().lastIndexOf('\n') + 1)) ?? []
  const advice =
    list === undefined || items.length > 10
      ? `begin each item with "- " instead: - ${quote(items[0]!).slice(1, -1)}`
      : `write ${list}: [${quote(items.map((one) => one.replace(/\s+/g, '-')).join(', ')).slice(1, -1)}]`
  return { problem: 'an item of a list begins with "-"', advice, shown: 'line' }
}

/** `[poster, , tea]` */
export const tooManyCommas = ({ line }: Stumble): Advice => {
  const [, key, inner] = /^\s*(\w+):\s*\[([^[\]]*)\]\s*$/.exec(line) ?? []
  const problem = 'there is a comma too many'
  if (key === undefined) return { problem, advice: 'remove it', shown: 'token' }
  const words = inner!.split(',').map((word) => word.trim())
  const list = quote(words.filter((word) => word !== '').join(', ')).slice(1, -1)
  return { problem, advice: `write ${key}: [${list}]`, shown: 'token' }
}

/** The keys of all files. */
const isKey = (name: string): boolean =>
  (['shot', 'profile', 'site'] as const).some((kind) => readSchema(kind).properties?.[name] !== undefined)

export const openQuote = ({ after, onwards }: Stumble): Advice => {
  if (/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)/s.test(onwards) && !hasKeyLine(onwards, after[0]!)) {
    return {
      problem: 'the second line of this text in quotes is not indented',
      advice: 'begin each line of the text but the first with two spaces',
      shown: 'line below',
    }
  }
  return after.startsWith("'")
    ? {
        problem: "the single quote (') is not closed",
        advice: "end the text with the same quote; write '' for an apostrophe inside it",
        shown: 'rest',
      }
    : {
        problem: 'the double quote (") is not closed',
        advice: 'end the text with the same quote; write \\" for one inside it',
        shown: 'rest',
      }
}

/** Whether a line that looks like another entry comes before the quote is closed. */
const hasKeyLine = (onwards: string, quote: string): boolean =>
  /^[\w-]+:(?: |$)/m.test(onwards.slice(1, onwards.indexOf(quote, 1)))

export const openBracket =
  (bracket: string, closing: string) =>
  (stumble: Stumble): Advice => {
    const { line, onwards } = stumble
    const hash = /^(\s*[\w-]+):\s*\[(.*#.*)\]\s*$/.exec(line)
    if (hash !== null) return hashInList(hash[1]!, hash[2]!)
    const lines = onwards.slice(0, onwards.indexOf(closing) + 1).split('\n')
    if (
      lines.length > 1 &&
      lines.slice(1).some((one) => /^\S/.test(one)) &&
      !lines.some((one) => /^[\w-]+:(?: |$)/.test(one))
    ) {
      return {
        problem: `the lines between "${bracket}" and "${closing}" are not indented`,
        advice: 'begin each of them with two spaces, the last one too',
        shown: 'line below',
      }
    }
    return {
      problem: `"${bracket}" is not closed`,
      advice: `end it with "${closing}"; put text that begins with "${bracket}" in double quotes`,
      shown: 'rest',
    }
  }

export const hashWithoutSpace = ({ line }: Stumble): Advice => {
  const hash = /^(\s*[\w-]+):\s*\[(.*#.*)\]\s*$/.exec(line)
  return hash === null
    ? { problem: 'a space is missing in front of "#"', advice: 'write " # comment"', shown: 'rest' }
    : hashInList(hash[1]!, hash[2]!)
}

/** `tags: [#poster, #print]` */
const hashInList = (key: string, inner: string): Advice => {
  const words = inner.split(',').map((word) => word.trim().replace(/^["'#]+|["']$/g, ''))
  return {
    problem: '"#" begins a comment, so the list is not closed',
    advice: `write ${key.trim()}: [${quote(words.filter((word) => word !== '').join(', ')).slice(1, -1)}]`,
    shown: 'value',
  }
}

export const badEscape = ({ after }: Stumble): Advice => {
  const digits = escapes[after[1] ?? '']
  const problem = `${quote(after.slice(0, 2))} has no meaning in double quotes`
  if (digits === undefined) {
    return { problem, advice: 'write two backslashes for one, or use single quotes', shown: 'token' }
  }
  return {
    problem: `${quote(after.slice(0, 2))} needs ${digits} hexadecimal digits after it`,
    advice: `write the character itself, or fill up with zeros in front; two backslashes stand for one`,
    shown: 'token',
  }
}

const escapes: Readonly<Record<string, string>> = { x: '2', u: '4', U: '8' }

export const badStart = ({ line, after }: Stumble): Advice => {
  if (/^```/.test(line)) {
    return { problem: 'this line is a mark of Markdown', advice: 'remove the line', shown: 'line' }
  }
  const profile = /^\s*(twitter): +@([\w.-]+)\s*$/.exec(line)
  return {
    problem: `a value can't begin with ${quote(after.slice(0, 1))}`,
    advice:
      profile === null ? inQuotes(line, after) : `write ${profile[1]}: https://twitter.com/${profile[2]}`,
    shown: 'rest',
  }
}

/** A key after a key: either the value holds a colon, or the line below was meant to be an entry of its own. */
export const nestedKey = (stumble: Stumble): Advice => {
  const { line, after } = stumble
  if (after.startsWith('?')) return badStart(stumble)
  const next = [...after.matchAll(/[\s,;](\w+):(?=\s|$)/g)].find(([, key]) => isKey(key!))?.[1]
  if (next !== undefined || isKey(/^(\w+):(?=\s|$)/.exec(after)?.[1] ?? '')) {
    return {
      problem: 'two keys stand on one line',
      advice: `begin a new line before ${next ?? after.slice(0, after.indexOf(':'))}:`,
      shown: 'rest',
    }
  }
  if (/:(\s|$)/.test(after)) {
    return {
      problem: 'the value contains ": " and is not in quotes',
      advice: inQuotes(line, after),
      shown: 'rest',
    }
  }
  return {
    problem: 'this line is indented further than the keys above it',
    advice: 'begin all keys at the same column; put a text that goes on over several lines in double quotes',
    shown: 'line below',
  }
}

/** The line goes on with a text, and a comment came between. */
export const afterComment = ({ above }: Stumble): Advice | undefined =>
  /\n[ \t]+#[^\n]*\n\s*$/.test(above)
    ? {
        problem: 'the comment above ends the text, and this line goes on with it',
        advice: 'move the comment above the key, or remove it',
        shown: 'line',
      }
    : undefined

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
  switch (value[0]) {
    case "'":
    case '"':
      return {
        problem: 'there is text after the closing quote',
        advice: quotedWhole(line, value),
        shown: 'rest',
      }
    case '[':
    case '{':
      return {
        problem: 'there is text after the closing bracket',
        advice: inQuotes(line, value),
        shown: 'rest',
      }
    case '*':
      return { problem: 'a value can\'t begin with "*"', advice: inQuotes(line, value), shown: 'value' }
    default:
      return undefined
  }
}

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
export const valueColumn = (line: string): number =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)![0].length

/** Advice to put a value in double quotes, with the line written out where that is short and safe. */
const inQuotes = (line: string, value: string): string => {
  const [, key] = line.match(/^\s*(?:- +)?([A-Za-z_]+):[ \t]/) ?? []
  return value.length > 50 || /["\\]/.test(value) || key === undefined
    ? 'put the whole value in quotes'
    : `put the value in double quotes: ${key}: ${quote(value)}`
}

/** The same for a value that begins with a quote and goes on after the second one. */
const quotedWhole = (line: string, value: string): string => {
  const [, key] = line.match(/^\s*(?:- +)?([A-Za-z_]+):[ \t]/) ?? []
  // the second quote begins a quote within the text, or is an apostrophe
  const second = value.indexOf(value[0]!, 1)
  const [before = '', after = ''] = [value[second - 1], value[second + 1]]
  const isInside = /\s/.test(before) || (/\w/.test(before) && /\w/.test(after))
  const text = value.at(-1) === value[0] && isInside ? value.slice(1, -1) : value
  return value.length > 50 || value.includes('\\') || key === undefined
    ? `put all of the text in quotes; write ${value[0] === "'" ? "'' for an apostrophe" : '\\" for a quote'} inside it`
    : `write ${key}: ${printable(JSON.stringify(text))}`
}

/** Text or items of a list on the line of a key, after `|`, `>` or `-`. */
export const afterMark = ({ line, onwards }: Stumble): Advice => {
  const [, key, mark, text] = /^\s*(\w+):\s+([|>-])\s*(.*)$/.exec(line) ?? []
  const isItem = mark === '-' || /^\s*-/.test(onwards)
  const below = onwards.split('\n').slice(1)
  const end = below.findIndex((one) => !/^\s+(?:- )?\S/.test(one))
  const items = [
    text ?? '',
    ...below.slice(0, end === -1 ? below.length : end).map((one) => one.trim().replace(/^- */, '')),
  ]
  const isList = (['shot', 'profile', 'site'] as const).some(
    (kind) => readSchema(kind).properties?.[key ?? '']?.items,
  )
  const isShort =
    key !== undefined && text !== '' && items.join('').length < 200 && !/["\\]/.test(items.join(''))
  const value = isList ? `[${items.join(', ')}]` : `"${items.join(' ')}"`
  return isItem
    ? {
        problem: 'a list item stands on the line of its key',
        advice: isShort
          ? `write ${key}: ${printable(value)}`
          : 'put each "- item" on a line of its own, or write [one, two]; put text that begins with "-" in quotes',
        shown: 'rest',
      }
    : {
        problem: 'text can\'t follow "|" or ">" on its line',
        advice: isShort
          ? `write ${key}: ${printable(value)}`
          : 'begin the text on the line below, indented, or put all of it in double quotes',
        shown: 'value',
      }
}

/** Advice on a line that has no key, or that only looks as if it had one. */
export const lineWithoutKey = ({ line, below, above }: Stumble): Advice => {
  if (/^(<{7}|={7}|>{7})/.test(line) || below.startsWith('=======')) {
    return {
      problem: 'this is the mark of a merge that was not finished',
      advice:
        'keep one of the two versions between "<<<<<<<" and ">>>>>>>", and remove the three marked lines',
      shown: 'line',
    }
  }
  if (/^\s*-(\s|$)/.test(line) && !isKey(/^\s*- +(\w+):/.exec(line)?.[1] ?? '')) {
    return {
      problem: 'this list item belongs to no key',
      advice: 'write the key above it without a value: tags:',
      shown: 'line',
    }
  }
  const special = lookalike(line) ?? textAbove(above, line)
  if (special !== undefined) return special
  const [, key, value] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  if (key !== undefined && value !== undefined) {
    return {
      problem: 'a space is missing after ":"',
      advice: `write ${key}: ${quote(value).slice(1, -1)}`,
      fix: `${key}: ${value.trimEnd()}`,
      shown: 'line',
    }
  }
  return {
    problem: 'this line has no ": " after a key',
    advice:
      'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes',
    shown: 'line',
  }
}

/** What stands in place of a colon and a space, or of `#`. */
const lookalike = (line: string): Advice | undefined => {
  const [, key, sign, value] =
    /^\s*["']?([A-Za-z_]\w*)["']?(\uff1a\s*|:[\u00a0\u2000-\u200b\u202f\u3000]+|\s+=\s+)(\S.*)$/.exec(line) ??
    []
  if (key !== undefined) {
    const name = sign!.startsWith('\uff1a')
      ? 'a full-width colon (U+FF1A)'
      : sign!.startsWith(':')
        ? `${spaceNamed(sign![1]!)} after ":"`
        : '"="'
    const fix = `${key}: ${value!.trimEnd()}`
    return { problem: `${name} is not ": "`, advice: `write ${entry(key, value!)}`, fix, shown: 'line' }
  }
  const [, bare, rest] =
    /^\s*(?:- +)?["'“”*_`]*([A-Za-z_]\w*)["'“”*_`]*(?:\s*[:;=–-]+\s*|\s+)(\S.*?)["'*]*\s*$/.exec(line) ?? []
  if (bare !== undefined && isKey(bare) && !/^\s*\w+:\S/.test(line)) {
    return {
      problem: 'this line has no ": " after its key',
      advice: `write ${entry(bare, rest!)}`,
      shown: 'line',
    }
  }
  const [, comment] = /^\s*(?:\/\/|\/\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/.exec(line) ?? []
  if (comment !== undefined) {
    return {
      problem: 'a comment begins with "#"',
      advice: `write # ${quote(comment).slice(1, -1)}`,
      fix: `# ${comment}`,
      shown: 'line',
    }
  }
  const [, quoted, text] = /^"([A-Za-z_]\w*): ([^"]*)"$/.exec(line.trim()) ?? []
  if (quoted === undefined) return undefined
  return { problem: 'the quotes hold the key, too', advice: `write ${entry(quoted, text!)}`, shown: 'line' }
}

const spaceNamed = (space: string): string => {
  const code = space.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `${space === '\u00a0' || space === '\u202f' ? 'a no-break space' : 'an unusual space'} (U+${code})`
}

const entry = (key: string, value: string): string =>
  value.length > 50 ? `${key}: and the value` : `${key}: ${quote(value).slice(1, -1)}`

/** The line before which a text began that this line was to go on with. */
export const textAbove = (above: string, line: string): Advice | undefined => {
  const [, key = '', value = ''] = [...above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].at(-1) ?? []
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
