/** The grounds of the gallery's pages, light and dark; its stylesheet says them too. */
const grounds = { light: '#fbfaf8', dark: '#121211' } as const

/** What WCAG asks of what is seen but not read, such as a ring around what has the focus. */
const enough = 3

/**
 * Why a colour (`#rrggbb`) does not do as the accent of both themes, in words; `undefined` if
 * it does.
 */
export const accentProblem = (text: string): string | undefined => {
  const [theme, ground] =
    Object.entries(grounds).find(([, one]) => contrast(text, one) < enough) ?? []
  if (ground === undefined) return undefined
  const found = contrast(text, ground).toFixed(1)
  return `its contrast with ${theme} pages is ${found}, and it takes ${enough} to be seen`
}

/** The contrast of two colours (`#rrggbb`), from 1 to 21, as WCAG counts it. */
export const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
