/** The grounds of the gallery's pages, light and dark; its stylesheet says them too. */
const grounds = { light: '#fbfaf8', dark: '#121211' } as const

/** What WCAG asks of what is seen but not read, such as a ring around what has the focus. */
const enough = 3

/** Why a colour (`#rrggbb`) does not do as the accent of both themes, in words; `undefined` if it does. */
export const accentProblem = (text: string): string | undefined => {
  for (const [theme, ground] of Object.entries(grounds)) {
    const found = contrast(text, ground)
    if (found < enough) {
      return `its contrast with ${theme} pages is ${found.toFixed(1)}, and it takes ${enough} to be seen`
    }
  }
  return undefined
}

/** The contrast of two colours (`#rrggbb`), from 1 to 21, as WCAG counts it. */
export const contrast = (a: string, b: string): number => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

const luminance = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
