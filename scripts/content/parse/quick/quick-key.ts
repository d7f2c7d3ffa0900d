import { codes, isBreak } from './cursor.ts'

const { colon } = codes

/** Offset of the colon after a plain key that is nothing but letters, digits and `_`; -1 if there is no such key. */
export const keyEnd = (text: string, at: number): number => {
  let i = at
  while (isKeyCharacter(text.charCodeAt(i))) i++
  if (i === at || i - at > maxKey || text.charCodeAt(i) !== colon || !isBreak(text.charCodeAt(i + 1)))
    return -1
  return i
}

/** YAML allows 1024. */
export const maxKey = 1000

const isKeyCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
