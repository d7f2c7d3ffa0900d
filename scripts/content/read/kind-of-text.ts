import { parse } from '../parse/parse.ts'
import { quickParse } from '../parse/quick/quick.ts'

/** What a file holds, whatever its name is. */
export type ContentKind = 'profile' | 'shot'

/** What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a profile. */
export const kindOfText = (text: string | undefined): ContentKind | undefined => {
  // most files that are no content go no further
  if (text === undefined || !/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text)) return undefined
  const data = quickParse(text) ?? parse({ file: '', text }).data
  if (typeof data !== 'object' || Array.isArray(data) || !('id' in data)) return undefined
  return 'title' in data ? 'shot' : 'name' in data ? 'profile' : undefined
}
