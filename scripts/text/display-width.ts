import { eastAsianWidth } from 'get-east-asian-width'

/** Columns that a text takes on a terminal. */
export const displayWidth = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment)
  return width
}

/** Made when it is needed: it takes 10 ms. */
const graphemes = (): Intl.Segmenter => new Intl.Segmenter('en', { granularity: 'grapheme' })

/** An emoji takes two columns however it is put together. Else the first character counts, and what takes room of its own. */
const graphemeWidth = (grapheme: string): number => {
  const [first, ...others] = grapheme.replace(leading, '')
  if (first === undefined) return 0
  if (emoji.test(grapheme)) return 2
  return [first, ...others.filter((char) => spacing.test(char))].reduce(
    (width, char) => width + eastAsianWidth(char.codePointAt(0)!),
    0,
  )
}

const leading =
  /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]+/u
const spacing = /[\p{Spacing_Mark}\uff01-\uffef]/u
const emoji =
  /(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u
