/**
 * Text of strangers made safe to show: characters that a terminal, a log or a reader's eye would act on (C0, DEL,
 * C1, bidirectional controls, line separators, lone surrogates) come out as `\u{…}`.
 */
export const printable = (text: string): string =>
  text.replace(unsafe, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)

const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A value as it stands in a message: printable, in double quotes, shortened to 60 characters. */
export const quote = (value: string): string => {
  const chars = Array.from(value.slice(0, 200))
  const short = chars.length > 60 ? `${chars.slice(0, 59).join('')}…` : value
  return `"${printable(short)}"`
}
