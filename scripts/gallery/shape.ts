/** The shape of a tile, which is that of its picture. */

type Size = { readonly width: number; readonly height: number }

/** Shapes are told in steps of 2 per cent from a square, as far as some 8 to 1. */
const step = 0.02
const mostSteps = 104

/** Pixels below which a picture isn't made as large as others. */
const small = 160

/**
 * The class of a tile, which gives it the ratio of its picture: `r14` for 4 to 3. A picture
 * on a `mat` is smaller than its tile, or beyond all shapes.
 */
export const tileClass = ({ width, height }: Size): string => {
  const steps = Math.round(Math.log(width / height) / step)
  const told = Math.min(mostSteps, Math.max(-mostSteps, steps))
  return `r${told}${told === steps && Math.max(width, height) >= small ? '' : ' mat'}`
}

/** The rules of these classes. */
export const tileRules = (): string => {
  let rules = ''
  for (let steps = -mostSteps; steps <= mostSteps; steps++)
    rules += `.r${steps}{--r:${Math.exp(steps * step).toFixed(3)}}`
  return rules
}
