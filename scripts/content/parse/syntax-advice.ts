import type { ErrorCode } from 'yaml'
import { quote } from '../../diagnostics/printable.ts'

/** Where yaml stumbled, and over what. */
export type Stumble = {
  readonly code: ErrorCode
  readonly message: string
  /** The line, the part of it in front of the error, the part from the error on, and the line below. */
  readonly line: string
  readonly before: string
  readonly after: string
  readonly below: string
}

export type Advice = {
  /** What is wrong, as the end of the sentence "this is not YAML: …". */
  readonly problem: string
  /** What to write instead, where there is something better to say than in general. */
  readonly advice?: string
  /** What to point at: the token or the rest of the line from it on, the line's value, the line, the one below. */
  readonly shown: 'token' | 'rest' | 'value' | 'line' | 'line below'
}

/** What a designer needs to know about an error, put together from yaml's code and the line it is about. */
export const adviceOn = (stumble: Stumble): Advice => {
  switch (stumble.code) {
    case 'TAB_AS_INDENT':
      return {
        problem: 'a tab is used for indentation',
        advice: 'indent with spaces only; most editors can turn tabs into spaces',
        shown: 'token',
      }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return nestedKey(stumble)
    case 'MULTILINE_IMPLICIT_KEY':
      return lineWithoutKey(stumble)
    case 'BAD_INDENT':
      return indentation(stumble)
    case 'BAD_SCALAR_START':
    case 'BAD_ALIAS':
      return badStart(stumble)
    case 'BAD_DQ_ESCAPE':
      return {
        problem: `${quote(stumble.after.slice(0, 2))} has no meaning in double quotes`,
        advice: 'write two backslashes for one, or use single quotes',
        shown: 'token',
      }
    case 'ALIAS_PROPS':
    case 'BAD_PROP_ORDER':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
      return { ...misplaced, advice: 'put text that begins with "&", "!" or "*" in double quotes' }
    case 'BAD_DIRECTIVE':
      return directive
    case 'BLOCK_IN_FLOW':
      return missingComma
    case 'KEY_OVER_1024_CHARS':
      return { problem: 'a key has more than 1024 characters', shown: 'line' }
    case 'MISSING_CHAR':
      return missing(stumble)
    case 'UNEXPECTED_TOKEN':
      return unexpected(stumble)
    default:
      return misplaced
  }
}

const badStart = ({ line, after }: Stumble): Advice => ({
  problem: `a value can't begin with ${quote(after.slice(0, 1))}`,
  advice: inQuotes(line, after),
  shown: 'rest',
})

const nestedKey = (stumble: Stumble): Advice => {
  if (stumble.message.startsWith('A block sequence')) return indentation(stumble)
  if (stumble.after.startsWith('?')) return badStart(stumble)
  if (!/:(\s|$)/.test(stumble.after)) {
    return {
      problem: 'this line is indented further than the keys above it',
      advice:
        'begin all keys at the same column; put a text that goes on over several lines in double quotes',
      shown: 'line below',
    }
  }
  return {
    problem: 'the value contains ": " and is not in quotes',
    advice: inQuotes(stumble.line, stumble.after),
    shown: 'rest',
  }
}

const lineWithoutKey = ({ line, code, below }: Stumble): Advice => {
  if (/^(<{7}|={7}|>{7})/.test(line) || /^={7}/.test(below)) {
    return {
      problem: 'this is the mark of a merge that was not finished',
      advice:
        'keep one of the two versions between "<<<<<<<" and ">>>>>>>", and remove the three marked lines',
      shown: 'line',
    }
  }
  if (/^\s*-(\s|$)/.test(line)) {
    return {
      problem: 'this list item belongs to no key',
      advice: 'write the key above it without a value: tags:',
      shown: 'line',
    }
  }
  const [, key, rest] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  if (key !== undefined && rest !== undefined) {
    return {
      problem: 'a space is missing after ":"',
      advice: `write ${example(key, rest, false)}`,
      shown: 'line',
    }
  }
  return {
    problem:
      code === 'MULTILINE_IMPLICIT_KEY'
        ? 'this line is no "key: value"'
        : 'this line has no ": " behind a key',
    advice:
      'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes',
    shown: 'line',
  }
}

const indentation = ({ message }: Pick<Stumble, 'message'>): Advice => {
  if (message.startsWith('Flow')) return unclosed(message)
  if (message.startsWith('Block scalar')) {
    return {
      problem: 'this line is indented less than the text above it',
      advice: 'indent all lines of a text below "|" or ">" by the same number of spaces, more than its key',
      shown: 'line',
    }
  }
  return {
    problem: 'this line does not line up with those above it',
    advice: 'begin all keys of a mapping, and all "-" of a list, at the same column',
    shown: 'line',
  }
}

const unclosed = (message: string): Advice => {
  const bracket = message.startsWith('Flow map') ? '{' : '['
  return {
    problem: `"${bracket}" is not closed`,
    advice: `end it with "${bracket === '{' ? '}' : ']'}"; put text that begins with "${bracket}" in double quotes`,
    shown: 'rest',
  }
}

const missing = (stumble: Stumble): Advice => {
  const { message, after } = stumble
  if (message.startsWith('Missing closing')) {
    const mark = after[0] === "'" ? "single quote (')" : 'double quote (")'
    return {
      problem: `the ${mark} is not closed`,
      advice: `end the text with the same quote${after[0] === "'" ? '' : '; write \\" for one inside it'}`,
      shown: 'rest',
    }
  }
  if (message.startsWith('Flow')) return unclosed(message)
  if (message.startsWith('Missing ,')) return missingComma
  if (message.startsWith('Missing directives-end')) return directive
  if (message.startsWith('Sequence item')) return indentation(stumble)
  if (message.startsWith('Implicit map keys')) return lineWithoutKey(stumble)
  if (message.startsWith('Comments')) {
    return { problem: 'a space is missing in front of "#"', advice: 'write " # comment"', shown: 'rest' }
  }
  if (message.startsWith('Missing space')) {
    return { problem: 'a space is missing after ":"', advice: 'write key: value', shown: 'rest' }
  }
  if (message.startsWith('Block scalars')) {
    return {
      problem: 'the empty lines above hold more spaces than the text below them',
      advice: 'remove the spaces from the empty lines',
      shown: 'line',
    }
  }
  if (message.startsWith('Block collection')) {
    return {
      problem: 'something follows "---" on its line',
      advice: 'begin a new line after "---"',
      shown: 'rest',
    }
  }
  return { ...misplaced, advice: 'put text that begins with "&" or "!" in double quotes' }
}

const unexpected = (stumble: Stumble): Advice => {
  const { message, line, before, after } = stumble
  if (message.startsWith('Unexpected block-seq-ind')) {
    return {
      problem: 'a list item stands on the line of its key',
      advice:
        'put each "- item" on a line of its own, or write [one, two]; put text that begins with "-" in quotes',
      shown: 'rest',
    }
  }
  if (/^(Not a YAML token|Block scalar header)/.test(message)) {
    return {
      problem: `text can't follow "${line.includes('|') ? '|' : '>'}" on its line`,
      advice: 'write the text on the lines below it, indented, or put all of it in double quotes',
      shown: 'value',
    }
  }
  if (/^Unexpected flow-(seq|map)-end/.test(message)) {
    return { problem: `nothing is open that ${quote(after[0] ?? ']')} could close`, shown: 'token' }
  }
  if (/^Unexpected (,|empty item)/.test(message))
    return { problem: 'there is a comma too many', shown: 'token' }
  if (!message.endsWith('at node end')) return misplaced
  if (before.trim() === '') return indentation({ message: '' })
  return textBehind(stumble)
}

/** Text behind a value that is complete: `"quoted" text`, `[list] text`, `*alias text`. */
const textBehind = (stumble: Stumble): Advice => {
  const { line, before } = stumble
  const value = before.slice(valueColumn(before))
  switch (value[0]) {
    case "'":
      return {
        problem: 'there is text behind the closing quote',
        advice: "put all of the text in quotes; write '' for an apostrophe in single quotes",
        shown: 'rest',
      }
    case '"':
      return {
        problem: 'there is text behind the closing quote',
        advice: 'put all of the text in quotes; write \\" for a quote in double quotes',
        shown: 'rest',
      }
    case '[':
    case '{':
      return {
        problem: 'there is text behind the closing bracket',
        advice: inQuotes(line, line.slice(before.length - value.length)),
        shown: 'rest',
      }
    case '*':
      return { ...badStart({ ...stumble, after: line.slice(before.length - value.length) }), shown: 'value' }
    default:
      return misplaced
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
    : `put the value in double quotes: ${example(key, value, true)}`
}

const example = (key: string, value: string, quoted: boolean): string =>
  `${key}: ${quoted ? quote(value) : quote(value).slice(1, -1)}`

const misplaced = { problem: 'this is not expected here', shown: 'rest' } as const

const missingComma = {
  problem: 'a comma is missing between two entries',
  advice: 'put a comma between the entries of [ ] and { }',
  shown: 'rest',
} as const

const directive = {
  problem: 'a line that begins with "%" has a meaning of its own in YAML',
  advice: 'put text that begins with "%" in double quotes',
  shown: 'line',
} as const
