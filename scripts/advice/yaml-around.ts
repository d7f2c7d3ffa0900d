import { once } from '../content/once.ts'
import { lineAt, type Stretch } from '../content/parse/document.ts'
import { blockLine, isKey, meantHere } from './yaml-line.ts'

// The text around a syntax error.

/** Whether keys of the file are there again, as where another one was pasted below. */
export const isCopied = ({ above, below }: ReturnType<typeof keysAround>) => {
  const known = new Set(above)
  return below.filter((one) => known.has(one)).length > 2
}

/** The keys at the beginnings of lines, before and behind a place. */
export const keysAround = (text: string, at: number) => {
  const keysIn = (part: string): readonly string[] =>
    part.match(/^\w+(?=[ \t]*:(?:\s|$))/gm) ?? []
  return {
    above: keysIn(textAbove(text, at)),
    below: keysIn(text.slice(at, at + lookedAt)),
  }
}

/** The length of lines that are empty or a comment, where a line that says something follows. */
const commentsAt = (text: string, at: number) =>
  /^(?:[ \t]*(?:#[^\n]*)?\n)+(?=[ \t]*[^\s#])/.exec(text.slice(at, at + lookedAt))?.[0]
    .length ?? 0

/** UTF-16 units around an error that advice looks at: a line may be a whole file of 1 MiB. */
const lookedAt = 4096

/** The text before a place, as far as it is looked at. */
export const textAbove = (text: string, at: number) =>
  text.slice(Math.max(0, at - lookedAt), at)

/**
 * The text around an error, in pieces that the rules look at, each in one way; and the
 * stretches to point at.
 */
export const lookAround = (said: string, text: string, at: Stretch) => {
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
  // not every rule asks, and these take long
  const keyAndValue = once(
    () => Array.from(above.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)).at(-1) ?? [],
  )
  const closed = once(() => closedIn(onwards))
  const next = once(() => keyWithin(after) ?? gluedKey(after, text, own.to))
  const meant = once(() => blockLine(line) ?? meantHere(line, above, onwards) ?? '')
  return {
    pieces: {
      said,
      line,
      before: piece(own.from, from),
      after,
      onwards,
      above,
      get keyAbove() {
        return keyAndValue()[1] ?? ''
      },
      get valueAbove() {
        return keyAndValue()[2] ?? ''
      },
      /** A text in quotes or brackets that are closed below, where no key stands within it. */
      get closed() {
        return closed()
      },
      /** A key of content that begins on the line of another. */
      get next() {
        return next()
      },
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

const closedIn = (onwards: string) => {
  const [closed = ''] = closing.exec(onwards) ?? []
  return /^[\w-]+:(?: |$)/m.test(closed) ? '' : closed.trimEnd()
}

const keyWithin = (after: string) =>
  Array.from(after.matchAll(/(?:^|[\s,;])(\w+):(?=\s|$)/g), ([, key = '']) => key).find(isKey)

/**
 * A key that goes on with the word in front of it, as where another file was pasted behind
 * the last line: `20 EURid: 7`.
 */
const gluedKey = (after: string, text: string, end: number) => {
  const [, key = ''] = /(id|name): /.exec(after) ?? []
  return key !== '' && isCopied(keysAround(text, end)) ? key : ''
}

const quoted = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*?(?:\n|$)`
const closing = new RegExp(String.raw`^(?:${quoted}|\[[^\]]*\]|\{[^}]*\})`, 's')

/** What is found around an error. */
export type Around = ReturnType<typeof lookAround>

/** A line without the spaces in front of it. */
const indented = (text: string, { from, to }: Stretch): Stretch => ({
  from: from + text.slice(from, to).search(/[^ \t]|$/),
  to,
})

/** Where the value begins on a line such as `key: value`, `- value` or `- key: value`. */
const valueColumn = (line: string) =>
  line.match(/^[ \t]*(?:- +)*(?:[^\s:#"'[{]+:[ \t]+)?/)?.[0].length ?? 0
