import { quote } from '../../text/printable.ts'

/** Where yaml stumbled, and over what. */
export type Stumble = {
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

export const openQuote = ({ after }: Stumble): Advice =>
  after.startsWith("'")
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

export const openBracket = (bracket: string, closing: string) => (): Advice => ({
  problem: `"${bracket}" is not closed`,
  advice: `end it with "${closing}"; put text that begins with "${bracket}" in double quotes`,
  shown: 'rest',
})

export const badEscape = ({ after }: Stumble): Advice => ({
  problem: `${quote(after.slice(0, 2))} has no meaning in double quotes`,
  advice: 'write two backslashes for one, or use single quotes',
  shown: 'token',
})

export const badStart = ({ line, after }: Stumble): Advice => ({
  problem: `a value can't begin with ${quote(after.slice(0, 1))}`,
  advice: inQuotes(line, after),
  shown: 'rest',
})

/** A key behind a key: either the value holds a colon, or the line below was meant to be an entry of its own. */
export const nestedKey = (stumble: Stumble): Advice => {
  const { line, after } = stumble
  if (after.startsWith('?')) return badStart(stumble)
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

export const lineWithoutKey = ({ line, below }: Stumble): Advice => {
  if (/^(<{7}|={7}|>{7})/.test(line) || below.startsWith('=======')) {
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
  const [, key, value] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  if (key !== undefined && value !== undefined) {
    return {
      problem: 'a space is missing after ":"',
      advice: `write ${key}: ${quote(value).slice(1, -1)}`,
      shown: 'line',
    }
  }
  return {
    problem: 'this line has no ": " behind a key',
    advice:
      'write "key: value"; indent a line that goes on with the text above, or put all of the text in double quotes',
    shown: 'line',
  }
}

/** Text behind a value that is complete: `"quoted" text`, `[list] text`, `*alias text`. */
export const behindValue = ({ line, before }: Stumble): Advice | undefined => {
  const value = line.slice(valueColumn(before))
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
