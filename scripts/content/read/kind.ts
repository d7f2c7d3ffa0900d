import { jsonIn } from '../../text/json.ts'
import { type Data, isMapping } from '../parse/data.ts'
import { parse } from '../parse/parse.ts'
import { readTree } from '../parse/reader.ts'

type ContentKind = 'profile' | 'shot'
export type FileKind = ContentKind | 'site' | undefined

/** What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a profile. */
export const kindOfText = (text: string | undefined): ContentKind | undefined => {
  // most files that are no content go no further
  if (text === undefined || !/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text))
    return undefined
  const data =
    readTree(text)?.tree.data ??
    (text.length > worthParsing ? outlineOf(text) : parse({ file: '', text }).data)
  if (!isMapping(data) || !('id' in data)) return undefined
  if ('title' in data) return 'shot'
  return 'name' in data ? 'profile' : undefined
}

/** UTF-16 units. A branch may bring a thousand files of 1 MiB under any name, and all are looked at. */
const worthParsing = 1 << 16

/** What a large text holds as JSON, or else the keys at the beginnings of its lines that tell what it is. */
const outlineOf = (text: string): Data => {
  if (text.trimStart().startsWith('{')) return (jsonIn(text) ?? '') as Data
  // notes, for instance, may show a shot somewhere: they have a line that is no part of a mapping
  if (/^(?![\s#%\]}-]|.*:(?!\S))./m.test(text)) return ''
  const keys = text.matchAll(/^(["']?)(id|title|name)\1[ \t]*:(?!\S)/gm)
  return Object.fromEntries(Array.from(keys, ([, , key = '']) => [key, '']))
}
