import { isMapping } from '../parse/data.ts'
import { parse } from '../parse/parse.ts'
import { readTree } from '../parse/reader.ts'

type ContentKind = 'profile' | 'shot'
export type FileKind = ContentKind | 'site' | undefined

/**
 * What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a
 * profile.
 */
export const kindOfText = (text: string): ContentKind | undefined => {
  // most files that are no content go no further
  if (!/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text)) return undefined
  const isSmall = text.length <= worthParsing
  const data =
    readTree(text)?.tree.data ?? (isSmall ? parse({ file: '', text }).data : undefined)
  if (!isMapping(data) || !('id' in data)) return undefined
  if ('title' in data) return 'shot'
  return 'name' in data ? 'profile' : undefined
}

/**
 * UTF-16 units. A branch may bring a thousand files of 1 MiB under any name, and all are
 * looked at.
 */
const worthParsing = 1 << 16
