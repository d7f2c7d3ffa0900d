import { quote } from '../../../text/printable.ts'
import type { Advice, Stumble } from './syntax-advice-by-line.ts'

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
  if (/^\s*-(\s|$)/.test(line)) {
    return {
      problem: 'this list item belongs to no key',
      advice: 'write the key above it without a value: tags:',
      shown: 'line',
    }
  }
  const special = lookalike(line) ?? textAbove(above)
  if (special !== undefined) return special
  const [, key, value] = line.match(/^\s*([A-Za-z_]+):(\S.*)$/) ?? []
  if (key !== undefined && value !== undefined) {
    return {
      problem: 'a space is missing after ":"',
      advice: `write ${key}: ${quote(value).slice(1, -1)}`,
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
    return { problem: `${name} is not ": "`, advice: `write ${entry(key, value!)}`, shown: 'line' }
  }
  const [, comment] = /^\s*(?:\/\/|\/\*|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/.exec(line) ?? []
  if (comment !== undefined) {
    return {
      problem: 'a comment begins with "#"',
      advice: `write # ${quote(comment).slice(1, -1)}`,
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
const textAbove = (above: string): Advice | undefined => {
  const value = [...above.matchAll(/^[\w-]+:[ \t]*(.*)$/gm)].at(-1)?.[1] ?? ''
  if (!/^[|>]/.test(value)) return undefined
  return {
    problem: 'this line is indented less than the text above it',
    advice: 'indent all lines of a text below "|" or ">" by two spaces',
    shown: 'line',
  }
}
