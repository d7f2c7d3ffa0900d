/**
 * What must not be shown as it is: controls (C0, DEL, C1), bidirectional controls, line
 * separators, characters that nobody can see, spaces that look like others (but the
 * ideographic one), lone surrogates, and `##[`, which GitHub's runner reads as a command
 * wherever it stands. Joiners and variation selectors are parts of emoji and words.
 */
export const unsafe = new RegExp(
  [
    /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]/u,
    /[\u00a0\u1680\u2000-\u200b\u202f\u205f]/u,
    /[\u00ad\u115f\u1160\u17b4\u17b5\u180e\u2060-\u206f]/u,
    /[\u3164\ufeff\uffa0\ufff0-\ufff8\ufffe\uffff]/u,
    /[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/u,
    /[\u{e0000}-\u{e007f}]/u,
    /(?<=#)#(?=\[)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/** Text of strangers made safe to show: what is {@link unsafe} comes out as `\u{…}`. */
export const printable = (text: string): string =>
  surelySafe.test(text) ? text : text.replace(unsafe, escaped)

/** Nearly all texts, at a tenth of the cost: each character is safe, and takes a column. */
export const surelySafe = /^[ !"$-~]*$/

/** A character as `\u{…}`. */
export const escaped = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`

/** A value as it stands in a message: printable, in double quotes, shortened to 60 characters. */
export const quote = (value: string): string => {
  if (value.length <= 60) return `"${printable(value)}"`
  const chars = Array.from(value.slice(0, 200))
  const short = chars.length > 60 ? `${chars.slice(0, 59).join('')}…` : value
  return `"${printable(short)}"`
}

/**
 * A path as it stands in a message: printable, in double quotes, whole, so that it can be
 * copied.
 */
export const quotePath = (path: string): string => `"${printable(path)}"`

/** A text in double quotes, as YAML takes it; what is {@link unsafe} comes out as `\u00A0`. */
export const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(unsafe, (char) => {
    const hex = char.codePointAt(0)!.toString(16).toUpperCase()
    return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
  })
