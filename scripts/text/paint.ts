const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Style = keyof typeof codes

/** Puts text in a style, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

export const painter = (color: boolean): Paint =>
  color
    ? (style, text) => (text === '' ? '' : `\u001b[${codes[style]}m${text}\u001b[0m`)
    : (_, text) => text
