import type { Data } from '../parse/data.ts'
import { parse } from '../parse/parse.ts'
import { quickParse } from '../parse/quick/quick.ts'

/** What a file holds, whatever its name is. */
export type ContentKind = 'profile' | 'shot'

/** What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a profile. */
export const kindOfText = (text: string | undefined): ContentKind | undefined => {
  // most files that are no content go no further
  if (text === undefined || !/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text)) return undefined
  const data =
    quickParse(text) ?? (text.length > worthParsing ? outlineOf(text) : parse({ file: '', text }).data)
  if (typeof data !== 'object' || Array.isArray(data) || !('id' in data)) return undefined
  return 'title' in data ? 'shot' : 'name' in data ? 'profile' : undefined
}

/** UTF-16 units. A branch may bring a thousand files of 1 MiB under any name, and all are looked at. */
const worthParsing = 1 << 16

/** What a large text holds as JSON, or else the keys at the beginnings of its lines that tell what it is. */
const outlineOf = (text: string): Data => {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text)
    } catch {
      return ''
    }
  }
  // notes, for instance, may show a shot somewhere
  if (lineOfNoMapping.test(text)) return ''
  const keys = text.matchAll(/^(["']?)(id|title|name)\1[ \t]*:(?!\S)/gm)
  return Object.fromEntries(Array.from(keys, ([, , key]) => [key!, '']))
}

/** A line that begins with anything but a key, a comment, an item of a list, a mark of YAML or white space. */
const lineOfNoMapping = /^(?![\s#%\]}-]|.*:(?!\S))./m
