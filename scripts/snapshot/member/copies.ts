/**
 * The name that a file or folder was copied from, going by its own: `poster` of `poster - Copy (2)`, `poster copy`,
 * `poster (1)` and `Copy of poster`. `undefined` if it doesn't look like a copy.
 */
export const originalOf = (name: string): string | undefined => {
  const original = name.replace(before, '').replace(after, '')
  return original === name || original === '' ? undefined : original
}

const word = '(?:copy|kopie|copie|copia|cópia|kopia|kopi)'
const before = new RegExp(`^${word}(?: ?\\(?\\d+\\)?)? (?:of|von|de|di) `, 'i')
const after = new RegExp(`(?:[\\s._–—-]+${word}(?:[\\s_-]*\\(?\\d+\\)?)?|\\s*\\(\\d+\\))+$`, 'i')

/** The same of a name with a number after it, `poster 2`: also what people call a second poster. */
export const unnumbered = (name: string): string => name.replace(/[\s_-]\d+$/, '')
