/**
 * What must not be shown as it is: controls (C0, DEL, C1), bidirectional controls, line separators, characters
 * that nobody can see, lone surrogates, and `##[`, which GitHub's runner reads as a command wherever it stands.
 */
export const unsafe =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00ad\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=#)#(?=\[)/gu

/** Text of strangers made safe to show: what is {@link unsafe} comes out as `\u{…}`. */
export const printable = (text: string): string => text.replace(unsafe, escaped)

/** A character as `\u{…}`. */
export const escaped = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`

/** A value as it stands in a message: printable, in double quotes, shortened to 60 characters. */
export const quote = (value: string): string => {
  const chars = Array.from(value.slice(0, 200))
  const short = chars.length > 60 ? `${chars.slice(0, 59).join('')}…` : value
  return `"${printable(short)}"`
}

/** A path as it stands in a message: printable, in double quotes, whole, so that it can be copied. */
export const quotePath = (path: string): string => `"${printable(path)}"`
