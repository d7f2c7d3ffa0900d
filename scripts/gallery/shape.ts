/** The shape of a tile, which is that of its picture. A browser runs this, too. */

type Size = { readonly width: number; readonly height: number }

/** Ratios of width and height beyond which a tile shows a picture with space around it. */
const narrowest = 0.66
const widest = 2.4

/**
 * The class of a tile, which gives it the ratio of its picture: `r132` for 1.32, in steps of 2 per cent; `whole` is a
 * picture of another ratio.
 */
export const tileClass = ({ width, height }: Size): string => {
  const ratio = width / height
  const shown = Math.min(widest, Math.max(narrowest, ratio))
  return `r${2 * Math.round(shown * 50)}${shown === ratio ? '' : ' whole'}`
}

/** The rules of these classes. */
export const tileRules = (): string => {
  let rules = ''
  for (let ratio = 2 * Math.round(narrowest * 50); ratio <= widest * 100; ratio += 2)
    rules += `.r${ratio}{--r:${ratio / 100}}`
  return rules
}
