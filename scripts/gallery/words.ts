/** Texts of strangers as pages and their script show and compare them. A browser runs this, too. */

/**
 * What a search compares: letter case, marks on letters and forms of the same character make
 * no difference.
 */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What a disk of Windows, or a web server, takes for something else. */
const takenNames = /^(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|index\.html$)/

/**
 * The name of a tag, skill or place in addresses and on disk: in lower case, with `-` for
 * spaces. What some disk or host would not take is left out, and a number made from the word
 * keeps it apart.
 */
export const slugOf = (word: string): string => {
  const text = word
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/[\s,]+/g, '-')
  const safe = text
    .replace(/[^\p{L}\p{M}\p{N}+_.-]/gu, '')
    .replace(/^[.~-]+|(?<![.-])[.-]+$/g, '')
  const short = safe.length > 40 ? [...safe].slice(0, 40).join('') : safe
  const isItself = short === text && text !== '' && !takenNames.test(short)
  return isItself ? text : `${short}~h${numberOf(text).toString(36)}`
}

/** The same for the same text (FNV-1a). */
const numberOf = (text: string) => {
  let number = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    number = Math.imul(number ^ text.charCodeAt(at), 0x01000193)
  return number >>> 0
}

/** The class of the one of eight drawings that stands for something. */
export const toneOf = (seed: string): string => `t${numberOf(seed) % 8}`

/** The start of a text, in one line. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length && !/^\s|\s\s|[^\S ]|\s$/.test(text)) return text
  const line = text
    .slice(0, length * 8)
    .replace(/\s+/g, ' ')
    .trim()
  const chars = [...line]
  return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : line
}

/** What stands for a person without a picture. */
export const initialOf = (name: string): string =>
  /\S\p{M}*/u.exec(name)?.[0].toUpperCase() ?? ''
